import { highlight } from './highlighter.ts';
import type { WorkerAnswer, WorkerQuestion } from './highlighting.ts';

addEventListener('message', ({ data: { grammar, code } }: MessageEvent<WorkerQuestion>) => {
  answer(highlight(grammar, code));
});
answer('ready');

function answer(message: WorkerAnswer): void {
  postMessage(message);
}
