import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { type Progress, SearchFileReader } from './searchFile.ts';

/** An order for the thread: index new events after a short pause, index them now, answer `writable` after a write, or end. */
export type Order = 'soon' | 'now' | 'probe' | 'end';

export interface Work {
  readonly chat: string;
  readonly search: string;
  readonly rebuild: boolean;
}

/** The thread always runs the bundle: with Node's type stripping, which uses WebAssembly, short threads may crash V8. */
const built = import.meta.url.endsWith('.ts') ? '../../../../dist/searchWorker.mjs' : './searchWorker.mjs';
const program = new URL(built, import.meta.url);

/** MB of the thread for short-lived objects. V8's default would add 6 MB to every server. */
const youngMemory = 2;

export interface Index {
  readonly file: SearchFileReader;
  readonly progress: Progress;
}

/** The thread gets this many milliseconds to end. Stopping it by force is safe, because the file is always consistent. */
const longestEnd = 2000;

interface Waiting {
  readonly holds: (progress: Progress) => boolean;
  readonly settle: (isReached: boolean) => void;
}

export class IndexThread {
  readonly #worker: Worker;
  readonly #work: Work;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  readonly #probes = new Set<(isWritable: boolean) => void>();
  readonly #ended: Promise<void>;
  #index: Index | undefined;
  /** Whether the thread has not answered an order yet, and whether events were logged since that order. */
  #isOrdered = false;
  #hasMore = false;
  /** Whether a search in this turn of the event loop has already sent the order `now`. */
  #isUrgent = false;

  /** @param onEnd called after the file was closed, with the error that ended the thread, if any. */
  constructor(work: Work, clock: Clock, onEnd: (error: unknown) => void) {
    this.#work = work;
    this.#clock = clock;
    const resourceLimits = { maxYoungGenerationSizeMb: youngMemory };
    this.#worker = new Worker(program, { workerData: work, name: 'search', resourceLimits });
    // Like a timer, the thread must not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (message: Progress | 'writable') => this.#receive(message));
    let failure: unknown;
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#index?.file.close();
        this.#index = undefined;
        this.#refuseAll();
        onEnd(failure);
        resolve();
      });
    });
  }

  get index(): Index | undefined {
    return this.#index;
  }

  /** Orders the thread to index new events. While an order is unanswered, no second one is sent. */
  follow(): void {
    if (this.#isOrdered) this.#hasMore = true;
    else this.#order('soon');
    this.#isOrdered = true;
  }

  /** Waits until `holds` accepts the progress. Resolves to false if the thread ends, the time is over, or the signal aborts. */
  async reaches(holds: Waiting['holds'], milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (this.#index && holds(this.#index.progress)) return true;
    if (signal.aborted) return false;
    this.#hurry();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { holds, settle: resolve };
    this.#waiting.add(waiting);
    const abandon = () => resolve(false);
    const stop = this.#clock.every(milliseconds, abandon);
    signal.addEventListener('abort', abandon);
    try {
      return await promise;
    } finally {
      stop();
      signal.removeEventListener('abort', abandon);
      this.#waiting.delete(waiting);
    }
  }

  /** Resolves to false if the thread fails to write the file, which ends it, or ends before. */
  probe(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#probes.add(resolve);
    this.#order('probe');
    return promise;
  }

  /** Ends the thread, by force after `longestEnd`. Searches that wait for it fail at once. */
  async end(): Promise<void> {
    this.#refuseAll();
    // The last connection that closes deletes the WAL file. That must be the thread, because this connection is read-only.
    this.#index?.file.close();
    // Keeps the process alive until the thread has closed the file.
    this.#worker.ref();
    this.#order('end');
    const stop = this.#clock.every(longestEnd, () => void this.#worker.terminate());
    await this.#ended;
    stop();
  }

  #refuseAll(): void {
    for (const { settle } of this.#waiting) settle(false);
    this.#answerProbes(false);
  }

  #answerProbes(isWritable: boolean): void {
    for (const settle of this.#probes) settle(isWritable);
    this.#probes.clear();
  }

  /** Sends one order for all searches of a turn of the event loop, after the changes of that turn are committed. */
  #hurry(): void {
    if (this.#isUrgent) return;
    this.#isUrgent = true;
    setImmediate(() => {
      this.#isUrgent = false;
      this.#order('now');
    });
  }

  #receive(message: Progress | 'writable'): void {
    if (message === 'writable') this.#answerProbes(true);
    else this.#advanced(message);
  }

  #advanced(progress: Progress): void {
    this.#index = { file: this.#index?.file ?? new SearchFileReader(this.#work.search), progress };
    for (const { holds, settle } of this.#waiting) if (holds(progress)) settle(true);
    this.#isOrdered = false;
    if (this.#hasMore) {
      this.#hasMore = false;
      this.follow();
    }
  }

  #order(order: Order): void {
    this.#worker.postMessage(order, []);
  }
}
