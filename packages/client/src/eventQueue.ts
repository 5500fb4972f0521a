import { longPollTimeoutSeconds, type AnswerOut, type ParametersIn, type ServerEvent } from '@engawa/protocol';
import type * as endpoints from '@engawa/protocol';
import { backoff } from './backoff.ts';
import { getEvents, registerQueue } from './calls.ts';
import { sleep, systemClock, type Clock } from './clock.ts';
import { noRetry, type Connection } from './connection.ts';
import { ApiError, CallError, NetworkError, RateLimitedError, ServerError, TimeoutError } from './errors.ts';

/** Milliseconds between two polls. */
export const pollDelay = 1000;
/** Milliseconds after which a failed registration or poll is tried again. */
export const retryDelay = 1000;

/** Milliseconds in which a poll that is to be answered at once must be. */
const probeTimeout = 10_000;

export type Registration = AnswerOut<typeof endpoints.registerQueue>;

/** A place in a queue: everything up to `lastEventId` has been passed on. */
export interface Cursor {
  readonly queueId: string;
  readonly lastEventId: number;
}

/** What one poll brought, each event once and in order; empty when it brought nothing new. */
export interface Batch {
  readonly queueId: string;
  /** The cursor before and after these events. */
  readonly after: number;
  readonly lastEventId: number;
  readonly events: readonly ServerEvent[];
}

export interface EventQueueOptions {
  /** The types of events to hear of; all when absent. */
  readonly eventTypes?: readonly string[] | undefined;
  /** What register is given beside the event types. */
  readonly registration?: Omit<ParametersIn<typeof endpoints.registerQueue>, 'event_types'> | undefined;
  /** A queue that is there already, to go on with instead of registering one. */
  readonly resume?: Cursor | undefined;
  /** When to wait between two polls: `always` unless said otherwise. */
  readonly pause?: 'always' | 'after-empty-or-failed' | undefined;
  /**
   * Off: every error is logged and the same is tried again after a second, as the chat API's oldest clients do.
   * On: a lost queue is replaced, a rate limit kept, an outage waited out ever more patiently; a sign-out ends it.
   */
  readonly recover?: boolean | undefined;
  /** Each new queue with the state at its beginning. The first poll waits for what this returns. */
  readonly onRegister?: ((registration: Registration) => void | Promise<void>) | undefined;
  /** Recovering only: a registration or poll failed and will be tried again. The next batch says that it is over. */
  readonly onFailure?: ((error: CallError) => void) | undefined;
  /** Recovering only: the server no longer knows us. The loop has ended. */
  readonly onSignedOut?: ((error: ApiError) => void) | undefined;
  /** Where errors are told; the console unless said otherwise. */
  readonly log?: ((message: string, error: unknown) => void) | undefined;
  /** Ends the loop and the request that waits. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** 0 to 1, for the spread of retries. */
  readonly random?: (() => number) | undefined;
}

export interface EventLoop {
  /** Asks again now, instead of waiting on: the network is said to be back. */
  wake(): void;
  /** Resolves when the loop has ended; rejects when a callback of `callOnEachBatch` threw. */
  readonly ended: Promise<void>;
}

/** Registers a queue and passes each of its events on, until the signal is aborted. */
export function callOnEachEvent(
  connection: Connection,
  callback: (event: ServerEvent) => void,
  options: EventQueueOptions = {},
): EventLoop {
  const { log = logToConsole } = options;
  const passOn = (event: ServerEvent) => {
    try {
      callback(event);
    } catch (error) {
      // One event that the caller could not take must not cost it the others.
      log('event callback failed', error);
    }
  };
  return callOnEachBatch(connection, ({ events }) => events.forEach(passOn), options);
}

/** The same for those who take together what came together. Called after every poll, also when it brought nothing. */
export function callOnEachBatch(
  connection: Connection,
  callback: (batch: Batch) => void,
  options: EventQueueOptions = {},
): EventLoop {
  const poller = new Poller(connection, callback, options);
  return { wake: () => poller.wake(), ended: poller.run() };
}

/** R4.3 asks for the console, and this is the one place that writes to it. */
export function logToConsole(message: string, error: unknown): void {
  globalThis.console.error(message, error);
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
  /** In a row. */
  #failures = 0;
  /** Whether the next poll is to answer at once, because nothing else would say that the server is there again. */
  #probe = false;
  /** Aborted by `wake`, replaced by the next wait or poll. */
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
    const answer = await registerQueue(this.#connection, parameters, { signal: this.#stop, retry: noRetry });
    await onRegister?.(answer);
    this.#probe = false;
    const { event_queue_longpoll_timeout_seconds: seconds = longPollTimeoutSeconds } = answer;
    this.#timeoutMilliseconds = seconds * 1000;
    return { queueId: answer.queue_id, lastEventId: answer.last_event_id };
  }

  async #poll(cursor: Cursor): Promise<void> {
    const arrived = await this.#ask(cursor);
    if (arrived === 'nobody answered' || this.#stop.aborted) return;
    const batch = unseen(arrived, cursor);
    this.#failures = 0;
    this.#probe = false;
    this.#callback(batch);
    this.#cursor = { queueId: cursor.queueId, lastEventId: batch.lastEventId };
    if (this.#options.pause !== 'after-empty-or-failed' || batch.events.length === 0) await this.#wait(pollDelay);
  }

  async #ask({ queueId, lastEventId }: Cursor): Promise<readonly ServerEvent[] | 'nobody answered'> {
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
      // A connection that went silent, perhaps while the machine slept: the same question again, but now for an answer
      // at once. Where that does not come either, nobody is there.
      const silent = error instanceof TimeoutError && !probe;
      if (!woken.aborted && !silent) throw error;
      this.#probe = this.#options.recover ?? false;
      return 'nobody answered';
    }
  }

  async #handle(error: unknown): Promise<void> {
    if (this.#stop.aborted) return;
    // Not a failed call but a mistake in a callback: not ours to judge.
    if (!(error instanceof CallError)) throw error;
    this.#log(error);
    if (!this.#options.recover) return this.#wait(retryDelay);

    this.#failures += 1;
    this.#probe = true;
    if (error instanceof ApiError && error.status === 401) {
      this.#endSignedOut(error);
      return;
    }
    this.#options.onFailure?.(error);
    if (error instanceof RateLimitedError) return this.#waitAsTold(error);
    if (error instanceof NetworkError || error instanceof ServerError) return this.#waitOutage();
    return this.#replaceQueue();
  }

  #log(error: CallError): void {
    const { log = logToConsole } = this.#options;
    log(this.#cursor ? 'polling for events failed' : 'registering an event queue failed', error);
  }

  #endSignedOut(error: ApiError): void {
    this.#end.abort();
    this.#options.onSignedOut?.(error);
  }

  #waitAsTold({ retryAfterSeconds }: RateLimitedError): Promise<void> {
    return sleep(this.#clock, retryAfterSeconds * 1000, this.#stop);
  }

  #waitOutage(): Promise<void> {
    return this.#wait(backoff(this.#failures, this.#options.random ?? Math.random));
  }

  /**
   * The queue is gone (BAD_EVENT_QUEUE_ID), or the server speaks of its cursor in a way that only a new queue cures. A
   * server that refuses the new one as well is given time.
   */
  async #replaceQueue(): Promise<void> {
    const lost = this.#cursor !== undefined;
    this.#cursor = undefined;
    if (!lost || this.#failures > 1) await this.#waitOutage();
  }

  #wait(milliseconds: number): Promise<void> {
    return sleep(this.#clock, milliseconds, AbortSignal.any([this.#stop, this.#renewInterruption()]));
  }

  #renewInterruption(): AbortSignal {
    this.#interruption = new AbortController();
    return this.#interruption.signal;
  }
}

/** What a queue delivers it may deliver again, until it is acknowledged by the next poll. */
function unseen(arrived: readonly ServerEvent[], { queueId, lastEventId: after }: Cursor): Batch {
  let lastEventId = after;
  const events = arrived.filter((event) => {
    if (event.id <= lastEventId) return isFleeting(event);
    lastEventId = event.id;
    return true;
  });
  return { queueId, after, lastEventId, events };
}

/**
 * What is told to those who are there and written down nowhere. Zulip gives it an id of its own; Engawa the id of the
 * newest event that the queue was looked at for, which may have been acknowledged long ago.
 */
function isFleeting({ type }: ServerEvent): boolean {
  return type === 'typing' || type === 'presence';
}
