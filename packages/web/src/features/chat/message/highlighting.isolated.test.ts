import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHighlighting, type CodeWorker, type WorkerAnswer, type WorkerQuestion } from './highlighting.ts';

/** A fake worker that answers on demand. */
class FakeWorker extends EventTarget implements CodeWorker {
  readonly asked: WorkerQuestion[] = [];
  terminated = false;

  postMessage(question: WorkerQuestion): void {
    this.asked.push(question);
  }

  terminate(): void {
    this.terminated = true;
  }

  say(data: WorkerAnswer): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  fail(): void {
    this.dispatchEvent(new Event('error'));
  }
}

const one: WorkerQuestion = { grammar: 'sql', code: 'select 1' };
const two: WorkerQuestion = { grammar: 'css', code: 'a { }' };
const runs = [{ text: 'select', colour: 'keyword' as const }];

function setUp() {
  const workers: FakeWorker[] = [];
  const highlighting = createHighlighting(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    () => Date.now(),
  );
  const worker = (index: number) => {
    const found = workers[index];
    if (!found) throw new Error(`worker ${index} was not started`);
    return found;
  };
  const find = (question: WorkerQuestion, signal = new AbortController().signal) => highlighting.find(question, signal);
  return { find, highlighting, workers, worker };
}

describe('[R5.3.1] syntax colours from a worker', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('The highlighting starts a worker for the first code, sends it one request at a time, and caches the answers', async () => {
    const { find, highlighting, workers, worker } = setUp();
    expect(workers).toHaveLength(0);
    const [first, second] = [find(one), find(two)];
    expect(worker(0).asked).toEqual([]);
    worker(0).say('ready');
    expect(worker(0).asked).toEqual([one]);
    worker(0).say(runs);
    expect(worker(0).asked).toEqual([one, two]);
    worker(0).say([]);
    expect(await first).toEqual(runs);
    expect(await second).toEqual([]);
    expect(highlighting.known(one)).toEqual(runs);
    expect(workers).toHaveLength(1);
  });

  it('The highlighting terminates a worker that takes too long, returns that code uncoloured, and starts another worker', async () => {
    const { find, worker } = setUp();
    const [slow, next] = [find(one), find(two)];
    worker(0).say('ready');
    vi.advanceTimersByTime(3000);
    expect(worker(0).terminated).toBe(true);
    expect(await slow).toEqual([{ text: one.code, colour: undefined }]);
    worker(1).say('ready');
    expect(worker(1).asked).toEqual([two]);
    worker(1).say(runs);
    expect(await next).toEqual(runs);
  });

  it('The highlighting returns no colours if the worker cannot be loaded, and waits before it loads it again', async () => {
    const { find, workers, worker } = setUp();
    const both = [find(one), find(two)];
    worker(0).fail();
    expect(await Promise.all(both)).toEqual([undefined, undefined]);
    expect(await find(one)).toBeUndefined();
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(30_000);
    const later = find(one);
    worker(1).say('ready');
    worker(1).say(runs);
    expect(await later).toEqual(runs);
  });

  it('The highlighting sends one request for equal code in two messages, and none for code that is no longer shown', async () => {
    const { find, worker } = setUp();
    const gone = new AbortController();
    const [first, dropped, again] = [find(one), find(two, gone.signal), find(one)];
    worker(0).say('ready');
    gone.abort();
    expect(await dropped).toBeUndefined();
    worker(0).say(runs);
    expect(await Promise.all([first, again])).toEqual([runs, runs]);
    expect(worker(0).asked).toEqual([one]);
    const next = find(two);
    expect(worker(0).asked).toEqual([one, two]);
    worker(0).say([]);
    expect(await next).toEqual([]);
  });
});
