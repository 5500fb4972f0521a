import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which tasks run in one turn of the event loop. A longer step is not interrupted. */
export const longestTurn = 5;
/** Milliseconds for which later turns can make up, so that a pause of the whole machine does not delay tasks further. */
const mostMadeUp = 10 * longestTurn;

/** A long task. Others have their turn at each `yield`. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs a long task to its end. For tasks that are short here. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs a long task in short turns of the event loop, so that polls and messages do not wait for it. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    // The first turn is new as well, because one task often follows another.
    await nextTurn();
    const began = performance.now();
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - began < longestTurn);
  }
}

/** Items that one step of a long task looks up together. */
export const mostTogether = 500;

/** Divides a list into the parts of a long task. */
export function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += mostTogether) yield items.slice(start, start + mostTogether);
}

/** Plain data without cycles as JSON. A part has at most `mostTogether` items of a list, because a long text takes a whole turn. */
export function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let separator = '[';
    for (const slice of slicesOf(value)) {
      yield separator + JSON.stringify(slice).slice(1, -1);
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let separator = '{';
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* jsonParts(each);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(value);
  }
}

/** Milliseconds after which a long task ends its step. */
const longestStep = 2;

/** Measures the current step of a long task. */
export class StepClock {
  #began = performance.now();

  /** Ends the step if it has lasted long enough. */
  *pause(): Steps<void> {
    if (performance.now() - this.#began < longestStep) return;
    yield;
    this.#began = performance.now();
  }
}

/** Runs the next step. @returns whether the task has ended. */
type Task = () => boolean;

/** At most this many changes of a member are in progress, so that they do not fill the next transactions. */
export const mostBegun = 3;

interface MemberTasks {
  /** Whether it is among those who have something to run. */
  isReady: boolean;
  begun: number;
  /** Changes that have not begun. */
  readonly changes: Task[];
  /** Reads, and the work of calls that have begun. */
  readonly steps: Task[];
}

/**
 * Divides the main thread fairly: members with waiting tasks take turns, one step each, so that many expensive calls of one
 * member delay the calls of others by only a few steps.
 */
export class Turns {
  /**
   * All members who have called. Nobody is removed: V8 replaces the table of a `Map` after many removals, and each old table refers
   * to the next. Once one of them is among the old objects of the heap, all later ones and what they hold stay in memory until the
   * next full garbage collection.
   */
  readonly #members = new Map<number, MemberTasks>();
  /** The members who have something to run, in the order of their next turns. */
  readonly #ready: MemberTasks[] = [];
  /** Milliseconds that tasks have used in this turn of the event loop, and what earlier turns took too long. */
  #used = 0;
  #isRunning = false;
  #isScheduled = false;

  /** Runs a call when fewer than `mostBegun` changes of the member are in progress, even if its client has disconnected. */
  async change<Result>(memberId: number, call: () => Result | Promise<Result>): Promise<Result> {
    const tasks = this.#of(memberId);
    try {
      return await this.#queue(memberId, 'changes', (resolve) => {
        tasks.begun += 1;
        resolve(call());
        return true;
      });
    } finally {
      tasks.begun -= 1;
      this.#wake(tasks);
    }
  }

  /** Runs a call that changes nothing. It may wait for a long time, for an event or for the search index. */
  read<Result>(memberId: number, call: () => Result | Promise<Result>, signal: AbortSignal): Result | Promise<Result> {
    if (this.#ready.length === 0 && !this.#isRunning && this.#used < longestTurn) return this.#atOnce(call, signal);
    return this.#queue(memberId, 'steps', (resolve) => {
      signal.throwIfAborted();
      resolve(call());
      return true;
    });
  }

  /** Without others who wait for their turn. */
  #atOnce<Result>(call: () => Result, signal: AbortSignal): Result {
    signal.throwIfAborted();
    this.#isRunning = true;
    const began = performance.now();
    try {
      return call();
    } finally {
      this.#used += performance.now() - began;
      this.#isRunning = false;
      this.#run();
    }
  }

  /** Runs long work of a call in steps. Rejects with the signal's reason if it is aborted before one of them. */
  steps<Result>(memberId: number, begin: () => Steps<Result>, signal: AbortSignal): Promise<Result> {
    let steps: Steps<Result> | undefined;
    return this.#queue(memberId, 'steps', (resolve) => {
      // Lets the work release what it holds.
      if (signal.aborted) steps?.throw(signal.reason);
      signal.throwIfAborted();
      const step = (steps ??= begin()).next();
      if (step.done) resolve(step.value);
      return step.done ?? false;
    });
  }

  #of(memberId: number): MemberTasks {
    const known = this.#members.get(memberId);
    if (known) return known;
    const tasks = { isReady: false, begun: 0, changes: [], steps: [] };
    this.#members.set(memberId, tasks);
    return tasks;
  }

  #queue<Result>(
    memberId: number,
    kind: 'changes' | 'steps',
    step: (resolve: (result: Result | Promise<Result>) => void) => boolean,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const tasks = this.#of(memberId);
      tasks[kind].push(() => {
        try {
          return step(resolve);
        } catch (error) {
          reject(error);
          return true;
        }
      });
      this.#wake(tasks);
    });
  }

  #wake(tasks: MemberTasks): void {
    this.#place(tasks);
    this.#run();
  }

  #place(tasks: MemberTasks): void {
    if (tasks.isReady || !nextIn(tasks)) return;
    tasks.isReady = true;
    this.#ready.push(tasks);
  }

  #run(): void {
    // A step may add a task.
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#used < longestTurn) {
      const tasks = this.#ready.shift();
      if (!tasks) break;
      const began = performance.now();
      const next = nextIn(tasks);
      if (next?.[0]?.()) next.shift();
      this.#used += performance.now() - began;
      // A member with more to run goes to the end, where this loop meets them again.
      tasks.isReady = false;
      this.#place(tasks);
    }
    this.#isRunning = false;
    this.#schedule();
  }

  /**
   * After a turn with too long a task, the next ones run no task until they have made up for it, by `longestTurn` or by the time that
   * other work took in them. Otherwise two such tasks would run with only the rest of one turn between them.
   */
  #schedule(): void {
    if (this.#isScheduled || this.#used === 0) return;
    this.#isScheduled = true;
    const ended = performance.now();
    setImmediate(() => {
      this.#isScheduled = false;
      this.#used = Math.max(0, Math.min(this.#used, mostMadeUp) - Math.max(longestTurn, performance.now() - ended));
      this.#run();
    });
  }
}

/** @returns the tasks of which the first runs next. */
function nextIn({ begun, changes, steps }: MemberTasks): Task[] | undefined {
  if (steps.length > 0) return steps;
  return changes.length > 0 && begun < mostBegun ? changes : undefined;
}
