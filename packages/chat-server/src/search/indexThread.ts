import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { type Progress, SearchFileReader } from './searchFile.ts';

/** An order for the thread: follow the log soon, follow it now, or end. */
export type Order = 'soon' | 'now' | 'end';

export interface Work {
  readonly chat: string;
  readonly search: string;
  readonly rebuild: boolean;
}

/** Bundled also for a server that runs from sources: with Node's type stripping (WebAssembly), short threads may crash V8. */
const built = import.meta.url.endsWith('.ts') ? '../../../../dist/searchWorker.mjs' : './searchWorker.mjs';
const program = new URL(built, import.meta.url);

export interface Index {
  readonly file: SearchFileReader;
  readonly progress: Progress;
}

/** Milliseconds that the thread has to end. The file is consistent whenever it is stopped. */
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
  readonly #ended: Promise<void>;
  #index: Index | undefined;
  /** Whether an order to follow is unanswered, and whether there were more events since. */
  #isOrdered = false;
  #hasMore = false;
  /** Whether a search of this turn has ordered to follow now. */
  #isUrgent = false;

  /** @param onEnd called with the error, if any, after the file was closed. */
  constructor(work: Work, clock: Clock, onEnd: (error: unknown) => void) {
    this.#work = work;
    this.#clock = clock;
    this.#worker = new Worker(program, { workerData: work, name: 'search' });
    // The thread, like timers, must not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (progress: Progress) => this.#receive(progress));
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

  /** Orders the thread to follow new events, once until it has answered. */
  follow(): void {
    if (this.#isOrdered) this.#hasMore = true;
    else this.#order('soon');
    this.#isOrdered = true;
  }

  /** Waits for a progress. Resolves to false when the thread ends, the time is over, or the signal is aborted. */
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

  /** Ends the thread, by force after `longestEnd`. Waiting searches fail at once. */
  async end(): Promise<void> {
    this.#refuseAll();
    // The last connection deletes the WAL, so it must be the writer's.
    this.#index?.file.close();
    // The process must not end before the file is closed.
    this.#worker.ref();
    this.#order('end');
    const stop = this.#clock.every(longestEnd, () => void this.#worker.terminate());
    await this.#ended;
    stop();
  }

  #refuseAll(): void {
    for (const { settle } of this.#waiting) settle(false);
  }

  /** One order for all searches of a turn, after the turn's commit. */
  #hurry(): void {
    if (this.#isUrgent) return;
    this.#isUrgent = true;
    setImmediate(() => {
      this.#isUrgent = false;
      this.#order('now');
    });
  }

  #receive(progress: Progress): void {
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
