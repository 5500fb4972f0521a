import { isEphemeral, longPollTimeoutSeconds, type AnswerOut, type ParametersIn, type ServerEvent } from '@engawa/protocol';
import type * as endpoints from '@engawa/protocol';
import { backoff } from './backoff.ts';
import type { registerQueue } from './calls/registerQueue.ts';
import type { getEvents as GetEvents } from './calls/getEvents.ts';
import { sleep, systemClock, type Clock } from './clock.ts';
import { noRetry, type Connection } from './connection.ts';
import { ApiError, CallError, NetworkError, RateLimitedError, ServerError, TimeoutError } from './errors.ts';

/** Milliseconds: the pause between two polls, before a retry, and the time-out of a poll that does not wait for events. */
export const pollDelay = 1000;
export const retryDelay = 1000;
const probeTimeout = 10_000;

export type Registration = AnswerOut<typeof endpoints.registerQueue>;

/** The callback has received all events up to `lastEventId`. */
export interface Cursor {
  readonly queueId: string;
  readonly lastEventId: number;
}

/** The events of one poll that the callback has not received yet, perhaps none. `after` is the cursor before them. */
export interface Batch {
  readonly queueId: string;
  readonly after: number;
  readonly lastEventId: number;
  readonly events: readonly ServerEvent[];
}

type Register = (...input: Parameters<typeof registerQueue>) => Promise<Registration>;

export interface EventQueueOptions {
  readonly eventTypes?: readonly string[] | undefined;
  readonly registration?: Omit<ParametersIn<typeof endpoints.registerQueue>, 'event_types'> | undefined;
  /** Registers instead of `registerQueue`, for a client that reads only some of the answer. */
  readonly register?: Register | undefined;
  readonly resume?: Cursor | undefined;
  /** When to wait between two polls; default `always`. */
  readonly pause?: 'always' | 'after-empty-or-failed' | undefined;
  /**
   * False (default): the loop logs every error and repeats the call after a second.
   * True: the loop replaces an expired queue, obeys rate limits, backs off in an outage and ends on a sign-out.
   */
  readonly recover?: boolean | undefined;
  /** Called with the snapshot of each new queue. The loop polls only after the returned promise has resolved. */
  readonly onRegister?: ((registration: Registration) => void | Promise<void>) | undefined;
  /** Awaited before each poll. A `CallError` counts as a failed poll. */
  readonly ready?: (() => Promise<void>) | undefined;
  /** Only with `recover`: a registration or poll failed and will be repeated. The next batch shows that it works again. */
  readonly onFailure?: ((error: CallError) => void) | undefined;
  /** Only with `recover`: the server rejected the credentials, and the loop has ended. */
  readonly onSignedOut?: ((error: ApiError) => void) | undefined;
  /** Default: the console. */
  readonly log?: ((message: string, error: unknown) => void) | undefined;
  /** Ends the loop and the pending request. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** Returns 0 to 1, for the random part of waits. */
  readonly random?: (() => number) | undefined;
}

export interface EventLoop {
  wake(): void;
  /** Resolves when the loop has ended; rejects when a callback of `callOnEachBatch` threw. */
  readonly ended: Promise<void>;
}

export function callOnEachEvent(
  connection: Connection,
  callback: (event: ServerEvent) => void,
  options: EventQueueOptions = {},
): EventLoop {
  const { log = logToConsole } = options;
  const deliver = (event: ServerEvent) => {
    try {
      callback(event);
    } catch (error) {
      // An error of the callback must not keep it from receiving the other events.
      log('event callback failed', error);
    }
  };
  return callOnEachBatch(connection, ({ events }) => events.forEach(deliver), options);
}

/** Registers a queue and calls the callback after every poll, even if the poll had no events. */
export function callOnEachBatch(
  connection: Connection,
  callback: (batch: Batch) => void,
  options: EventQueueOptions = {},
): EventLoop {
  const poller = new Poller(connection, callback, options);
  return { wake: () => poller.wake(), ended: poller.run() };
}

export function logToConsole(message: string, error: unknown): void {
  globalThis.console.error(message, error);
}

/** A failed dynamic import throws a `TypeError`, which would end the loop. A `NetworkError` counts as a failed poll. */
function loaded<Code>(loading: Promise<Code>): Promise<Code> {
  return loading.catch((error: unknown) => {
    throw new NetworkError('code', error);
  });
}

class Poller {
  readonly #connection: Connection;
  readonly #callback: (batch: Batch) => void;
  readonly #options: EventQueueOptions;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #stop: AbortSignal;

  #cursor: Cursor | undefined;
  #timeoutMilliseconds = longPollTimeoutSeconds * 1000;
  /** Consecutive failures of one kind: the server does not work, or it answers and refuses. Any other answer ends them. */
  #failures: { readonly kind: 'outage' | 'refusal'; readonly count: number } | undefined;
  /** Whether the next poll must not wait for events: after an outage only an answer shows that the server works again. */
  #probe = false;
  /** Ends the current wait or poll when `wake` is called. Each wait and poll gets a new one. */
  #interruption = new AbortController();

  constructor(connection: Connection, callback: (batch: Batch) => void, options: EventQueueOptions) {
    this.#connection = connection;
    this.#callback = callback;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#stop = options.signal ? AbortSignal.any([options.signal, this.#end.signal]) : this.#end.signal;
    this.#cursor = options.resume;
  }

  async run(): Promise<void> {
    while (!this.#stop.aborted) {
      try {
        this.#cursor ??= await this.#register();
        await this.#poll(this.#cursor);
      } catch (error) {
        await this.#handle(error);
      }
    }
  }

  wake(): void {
    this.#interruption.abort();
  }

  async #register(): Promise<Cursor> {
    const { eventTypes, registration, onRegister } = this.#options;
    const parameters = { ...registration, event_types: eventTypes && [...eventTypes] };
    const register = this.#options.register ?? (await loaded(import('./calls/registerQueue.ts'))).registerQueue;
    const answer = await register(this.#connection, parameters, { signal: this.#stop, retry: noRetry });
    await onRegister?.(answer);
    this.#probe = false;
    if (this.#failures?.kind === 'outage') this.#failures = undefined;
    const { event_queue_longpoll_timeout_seconds: seconds = longPollTimeoutSeconds } = answer;
    this.#timeoutMilliseconds = seconds * 1000;
    return { queueId: answer.queue_id, lastEventId: answer.last_event_id };
  }

  async #poll(cursor: Cursor): Promise<void> {
    await this.#options.ready?.();
    const { getEvents } = await loaded(import('./calls/getEvents.ts'));
    if (this.#stop.aborted) return;
    const arrived = await this.#fetchEvents(cursor, getEvents);
    if (arrived === 'no answer' || this.#stop.aborted) return;
    const batch = unseen(arrived, cursor);
    this.#failures = undefined;
    this.#probe = false;
    this.#callback(batch);
    this.#cursor = { queueId: cursor.queueId, lastEventId: batch.lastEventId };
    if (this.#options.pause !== 'after-empty-or-failed' || batch.events.length === 0) await this.#wait(pollDelay);
  }

  async #fetchEvents(
    { queueId, lastEventId }: Cursor,
    getEvents: typeof GetEvents,
  ): Promise<readonly ServerEvent[] | 'no answer'> {
    const woken = this.#renewInterruption();
    const probe = this.#probe;
    const signal = AbortSignal.any([this.#stop, woken]);
    try {
      const answer = await getEvents(
        this.#connection,
        { queue_id: queueId, last_event_id: lastEventId, dont_block: probe },
        { signal, timeoutMilliseconds: probe ? probeTimeout : this.#timeoutMilliseconds, retry: noRetry },
      );
      return answer.events;
    } catch (error) {
      // A connection can die unnoticed while the machine sleeps. A poll that does not wait for events tests it.
      const silent = error instanceof TimeoutError && !probe;
      if (!woken.aborted && !silent) throw error;
      this.#probe = this.#options.recover ?? false;
      return 'no answer';
    }
  }

  async #handle(error: unknown): Promise<void> {
    if (this.#stop.aborted) return;
    // Only a callback throws other errors. They end the loop.
    if (!(error instanceof CallError)) throw error;
    const { log = logToConsole, recover, onFailure, onSignedOut } = this.#options;
    log(this.#cursor ? 'polling for events failed' : 'registering an event queue failed', error);
    if (!recover) return this.#wait(retryDelay);

    this.#probe = true;
    if (error instanceof ApiError && error.status === 401) {
      this.#end.abort();
      return onSignedOut?.(error);
    }
    onFailure?.(error);
    if (error instanceof RateLimitedError) return sleep(this.#clock, error.retryAfterSeconds * 1000, this.#stop);
    if (error instanceof NetworkError || error instanceof ServerError) return this.#waitAfter(this.#count('outage'));
    return this.#replaceQueue();
  }

  #count(kind: 'outage' | 'refusal'): number {
    const count = this.#failures?.kind === kind ? this.#failures.count + 1 : 1;
    this.#failures = { kind, count };
    return count;
  }

  #waitAfter(failures: number): Promise<void> {
    return this.#wait(backoff(failures, this.#options.random ?? Math.random));
  }

  /** Called when the queue has ended or the server refuses the cursor. Waits if the server also ended a queue that was new. */
  async #replaceQueue(): Promise<void> {
    const refusals = this.#count('refusal');
    const lost = this.#cursor !== undefined;
    this.#cursor = undefined;
    if (!lost || refusals > 1) await this.#waitAfter(refusals);
  }

  #wait(milliseconds: number): Promise<void> {
    return sleep(this.#clock, milliseconds, AbortSignal.any([this.#stop, this.#renewInterruption()]));
  }

  #renewInterruption(): AbortSignal {
    this.#interruption = new AbortController();
    return this.#interruption.signal;
  }
}

/** The events that the callback has not received: a server repeats events until a poll acknowledges them. */
function unseen(arrived: readonly ServerEvent[], { queueId, lastEventId: after }: Cursor): Batch {
  let lastEventId = after;
  const events = arrived.filter((event) => {
    // Zulip gives ephemeral events separate ids, Engawa the id of the newest stored event, which may be acknowledged already.
    if (event.id <= lastEventId) return isEphemeral(event.type);
    lastEventId = event.id;
    return true;
  });
  return { queueId, after, lastEventId, events };
}
