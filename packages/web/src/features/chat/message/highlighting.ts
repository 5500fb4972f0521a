/** Colours code in a worker, which can be terminated: highlight.js takes seconds for some texts, such as 10,000 letters `a`. */
import type { Grammar } from './codeLanguages.ts';
import type { Run } from './highlighter.ts';

export interface WorkerQuestion {
  readonly grammar: Grammar;
  readonly code: string;
}

/** `ready` first, then the parts of each code in the order of requests. */
export type WorkerAnswer = 'ready' | readonly Run[];

export type CodeWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>;

export interface Highlighting {
  known(question: WorkerQuestion): readonly Run[] | undefined;
  /** Undefined if the worker cannot be loaded or the request was cancelled. Code that takes too long stays uncoloured. */
  find(question: WorkerQuestion, signal: AbortSignal): Promise<readonly Run[] | undefined>;
}

interface Asked {
  readonly question: WorkerQuestion;
  settle(runs: readonly Run[] | undefined): void;
}

/** Milliseconds that one code may take. Two hundred lines take five; the first on a busy machine takes many more. */
const longest = 3000;
const pauseMs = 30_000;
const mostKnown = 200;

export function createHighlighting(startWorker: () => CodeWorker, now = () => performance.now()): Highlighting {
  const found = new Map<string, readonly Run[]>();
  /** Requests in order. The worker has the first one, or is still starting. */
  let waiting: Asked[] = [];
  let worker: CodeWorker | undefined;
  let notBefore = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): CodeWorker {
    const started = startWorker();
    started.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
      if (data === 'ready') ask(started);
      else answered(started, data);
    });
    started.addEventListener('error', fetchFailed);
    return started;
  }

  function ask(asked: CodeWorker): void {
    const [next] = waiting;
    if (!next) return;
    asked.postMessage(next.question, { transfer: [] });
    timer = setTimeout(tookTooLong, longest);
  }

  function answered(by: CodeWorker, runs: readonly Run[]): void {
    settleFirst(runs);
    ask(by);
  }

  /** Requests of the same code share the answer. */
  function settleFirst(runs: readonly Run[]): void {
    clearTimeout(timer);
    const [first] = waiting;
    if (!first) return;
    const key = keyOf(first.question);
    keep(key, runs);
    const same = waiting.filter(({ question }) => keyOf(question) === key);
    waiting = waiting.filter((asked) => !same.includes(asked));
    for (const { settle } of same) settle(runs);
  }

  /** Drops the request of an unmounted row, unless the worker has it: the answer is cached for scrolling back. */
  function giveUp(asked: Asked): void {
    if (waiting[0] !== asked) waiting = waiting.filter((each) => each !== asked);
    asked.settle(undefined);
  }

  function keep(key: string, runs: readonly Run[]): void {
    found.set(key, runs);
    const [oldest] = found.keys();
    if (found.size > mostKnown && oldest !== undefined) found.delete(oldest);
  }

  function tookTooLong(): void {
    worker?.terminate();
    worker = undefined;
    const [first] = waiting;
    if (first) settleFirst([{ text: first.question.code, colour: undefined }]);
    if (waiting.length > 0) worker = start();
  }

  function fetchFailed(): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    notBefore = now() + pauseMs;
    const asked = waiting;
    waiting = [];
    for (const { settle } of asked) settle(undefined);
  }

  return {
    known: (question) => found.get(keyOf(question)),

    async find(question, signal) {
      if (now() < notBefore) return undefined;
      return new Promise((settle) => {
        const asked = { question, settle };
        signal.addEventListener('abort', () => giveUp(asked));
        const isIdle = waiting.push(asked) === 1;
        if (!worker) worker = start();
        else if (isIdle) ask(worker);
      });
    },
  };
}

function keyOf({ grammar, code }: WorkerQuestion): string {
  return `${grammar}:${code}`;
}

export const highlighting = createHighlighting(
  () => new Worker(new URL('./highlighter.worker.ts', import.meta.url), { type: 'module' }),
);
