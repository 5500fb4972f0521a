import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { type Progress, SearchFileReader } from './searchFile.ts';

// Both ends are one build of one program, so that what arrives is what the other end was typed to send.

/** What the thread is to do: follow the log when some more has come together, or at once, or end. */
export type Order = 'soon' | 'now' | 'end';

/** What the thread works on. */
export interface Work {
  /** The paths of `chat.db` and `search.db`. */
  readonly chat: string;
  readonly search: string;
  /** What is in `search.db` is not to be trusted. */
  readonly anew: boolean;
}

/**
 * `worker.ts` as `scripts/build.mjs` bundles it, also for what runs from sources: Node takes the types away in
 * WebAssembly, and where many threads come and go doing so, V8 brings the process down now and then.
 */
const built = import.meta.url.endsWith('.ts') ? '../../../../dist/searchWorker.mjs' : './searchWorker.mjs';
const program = new URL(built, import.meta.url);

/** The index as the thread last told of it. */
export interface Index {
  readonly file: SearchFileReader;
  readonly progress: Progress;
}

/** Milliseconds that the thread has to end. What it wrote is whole whenever it is stopped. */
const longestEnd = 2000;

interface Waiting {
  readonly holds: (progress: Progress) => boolean;
  readonly settle: (isReached: boolean) => void;
}

/** The thread that writes `search.db`, while it runs, as the server sees it. */
export class IndexThread {
  readonly #worker: Worker;
  readonly #work: Work;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  readonly #ended: Promise<void>;
  #index: Index | undefined;
  /** It was told to follow and has not answered yet; and since then there was more. */
  #isTold = false;
  #hasMissed = false;
  /** Somebody of this turn cannot wait. */
  #isUrgent = false;

  /** @param onEnd with what it failed of, unless it was to end. The file is closed then. */
  constructor(work: Work, clock: Clock, onEnd: (error: unknown) => void) {
    this.#work = work;
    this.#clock = clock;
    this.#worker = new Worker(program, { workerData: work, name: 'search' });
    // A server that nobody closes keeps no process alive, as its timers do not.
    this.#worker.unref();
    this.#worker.on('message', (progress: Progress) => this.#hear(progress));
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

  /** Undefined until it has opened the file. */
  get index(): Index | undefined {
    return this.#index;
  }

  /** That there is more to follow. It is told once, until it has answered. */
  tell(): void {
    if (this.#isTold) this.#hasMissed = true;
    else this.#order('soon');
    this.#isTold = true;
  }

  /** Whether the index comes so far before the thread ends, the time is over, or nobody listens any more. */
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

  /** It is given `longestEnd`, then it is stopped wherever it is. Who waits is refused at once. */
  async end(): Promise<void> {
    this.#refuseAll();
    // Whoever has the file open last cleans up beside it, and must be one who may write.
    this.#index?.file.close();
    // Else the process might end before the file is closed.
    this.#worker.ref();
    this.#order('end');
    const stop = this.#clock.every(longestEnd, () => void this.#worker.terminate());
    await this.#ended;
    stop();
  }

  #refuseAll(): void {
    for (const { settle } of this.#waiting) settle(false);
  }

  /** One order for all searches of a turn, behind whatever the turn has committed. */
  #hurry(): void {
    if (this.#isUrgent) return;
    this.#isUrgent = true;
    setImmediate(() => {
      this.#isUrgent = false;
      this.#order('now');
    });
  }

  #hear(progress: Progress): void {
    this.#index = { file: this.#index?.file ?? new SearchFileReader(this.#work.search), progress };
    for (const { holds, settle } of this.#waiting) if (holds(progress)) settle(true);
    this.#isTold = false;
    if (this.#hasMissed) {
      this.#hasMissed = false;
      this.tell();
    }
  }

  #order(order: Order): void {
    this.#worker.postMessage(order, []);
  }
}
