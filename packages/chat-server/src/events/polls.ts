import { heartbeatSeconds } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { type Database, DatabaseClosedError } from '../database/index.ts';
import type { ChatError } from '../errors.ts';
import { DeliveryBatch, remembered } from './batch.ts';
import { type DeliveryRules, deliver, heartbeat, mostExamined } from './delivery.ts';
import type { EphemeralEvent, EphemeralEvents } from './ephemeral.ts';
import type { EventLog, EventRow } from './log.ts';
import type { Queue } from './queues.ts';

interface Poll {
  readonly queue: Queue;
  /** The newest event id that was examined for the queue of this poll. */
  cursor: number;
  /** `end` must follow in the same turn of the event loop. */
  answer(events: readonly string[]): void;
  end(): void;
  fail(error: unknown): void;
}

export interface PollDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly ephemeral: EphemeralEvents;
  readonly clock: Clock;
  readonly rules: DeliveryRules;
  /** For `DeliveryBatch`. */
  readonly memberships: () => object;
}

/** The polls that wait for an event, at most one per queue. */
export class Polls {
  readonly #dependencies: PollDependencies;
  readonly #waiting = new Map<string, Poll>();
  /** Polls by member id, because an event for few members then examines few polls. */
  readonly #ofMember = new Map<number, Set<Poll>>();
  readonly #ofPublicStreams = new Set<Poll>();
  /** The newest event id that was delivered to all waiting polls. */
  #delivered: number;
  /** Polls by the second of their next heartbeat, because one timer per poll would cost too much. */
  readonly #due = new Map<number, Set<Poll>>();
  #lastBeat: number;
  readonly #stop: () => void;
  #isClosed = false;

  constructor(dependencies: PollDependencies) {
    const { database, log, ephemeral, clock } = dependencies;
    this.#dependencies = dependencies;
    this.#delivered = log.bounds(database.reader).newest;
    this.#lastBeat = seconds(clock);
    this.#stop = clock.every(1000, () => this.#beat());
    log.onCommit(() => this.#wake());
    ephemeral.onPublish((event) => this.#deliverEphemeral(event));
  }

  /**
   * Waits until an event after `cursor`, a heartbeat, or a second poll on this queue ends the poll.
   * @param deliver makes the answer. It is called in the turn of the event loop in which the events are delivered.
   */
  wait<Answer>(
    queue: Queue,
    cursor: number,
    signal: AbortSignal,
    deliver: (events: readonly string[]) => Answer,
  ): Promise<Answer> {
    if (this.#isClosed) throw new DatabaseClosedError('the server is closing');
    this.release(queue.id);
    return new Promise((resolve, reject) => {
      const due = seconds(this.#dependencies.clock) + heartbeatAfter();
      // The client has disconnected. Its queue remains for the next poll.
      const abandon = () => finish(poll, []);
      const poll: Poll = {
        queue,
        cursor,
        answer: (events) => resolve(deliver(events)),
        end: () => {
          signal.removeEventListener('abort', abandon);
          this.#remove(poll, due);
        },
        fail: (error) => {
          poll.end();
          reject(error);
        },
      };
      // Without another waiting poll, nobody needs the events up to this cursor.
      if (this.#waiting.size === 0) this.#delivered = Math.max(this.#delivered, cursor);
      this.#waiting.set(queue.id, poll);
      addTo(this.#ofMember, queue.member.id, poll);
      if (queue.options.all_public_streams) this.#ofPublicStreams.add(poll);
      addTo(this.#due, due, poll);
      signal.addEventListener('abort', abandon);
      if (signal.aborted) abandon();
    });
  }

  release(queueId: string): void {
    const poll = this.#waiting.get(queueId);
    if (poll) finish(poll, []);
  }

  refuse(queueId: string, because: ChatError): void {
    this.#waiting.get(queueId)?.fail(because);
  }

  get size(): number {
    return this.#waiting.size;
  }

  waiting(): Iterable<string> {
    return this.#waiting.keys();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    for (const poll of this.#waiting.values()) finish(poll, []);
  }

  #wake(): void {
    try {
      while (this.#waiting.size > 0 && this.#deliverNext());
    } catch (error) {
      // An unreadable log fails all waiting polls, because new polls would fail too.
      for (const poll of this.#waiting.values()) poll.fail(error);
    }
  }

  #deliverNext(): boolean {
    const { log, database, memberships } = this.#dependencies;
    const range = log.rangeAfter(database.reader, this.#delivered, mostExamined);
    if (range.rows.length === 0) return false;
    const batch = new DeliveryBatch(database.reader, [...this.#ofMember.keys()], undefined, memberships());
    batch.rangeAfter(this.#delivered, () => range);
    this.#answerEach(this.#pollsFor(range.rows, batch), (poll) => this.#eventsFor(poll, batch));
    this.#delivered = range.upTo;
    return !range.isAll;
  }

  #pollsFor(rows: readonly EventRow[], batch: DeliveryBatch): Iterable<Poll> {
    const polls = new Set(this.#ofPublicStreams);
    const add = (userId: number) => {
      for (const poll of this.#ofMember.get(userId) ?? []) polls.add(poll);
    };
    const conversationIds = new Set<number>();
    for (const { reach, reach_id: id } of rows) {
      if (id !== null && reach === 'self') add(id);
      else if (id !== null && reach === 'members') conversationIds.add(id);
      else return [...this.#waiting.values()];
    }
    for (const id of conversationIds) for (const userId of this.#dependencies.rules.possibleMembers(id, batch)) add(userId);
    return polls;
  }

  #eventsFor(poll: Poll, batch: DeliveryBatch): readonly string[] {
    const { rules, log } = this.#dependencies;
    const cursor = this.#cursorOf(poll);
    const range = batch.rangeAfter(cursor, () => log.rangeAfter(batch.reader, cursor, mostExamined));
    const { events, examined } = deliver(rules, poll.queue, cursor, range, batch);
    poll.cursor = examined;
    return events;
  }

  /** Events that were delivered to other polls while this poll waited count as examined for this poll. */
  #cursorOf({ cursor }: Poll): number {
    return Math.max(cursor, this.#delivered);
  }

  #deliverEphemeral({ userIds }: EphemeralEvent): void {
    const { ephemeral, database } = this.#dependencies;
    const polls =
      userIds === 'everyone' ? this.#waiting.values() : [...userIds].flatMap((id) => [...(this.#ofMember.get(id) ?? [])]);
    this.#answerEach(polls, (poll) => ephemeral.take(database.reader, poll.queue, this.#cursorOf(poll)));
  }

  /** Ends the polls after all have their answers, because a recipient waits for the work on all before it. */
  #answerEach(polls: Iterable<Poll>, take: (poll: Poll) => readonly string[]): void {
    const answered: Poll[] = [];
    for (const poll of polls) {
      try {
        const events = take(poll);
        if (events.length === 0) continue;
        poll.answer(events);
        answered.push(poll);
      } catch (error) {
        // Only this poll fails, and its call reports the error. All other polls still get their events.
        poll.fail(error);
      }
    }
    for (const poll of answered) poll.end();
  }

  #beat(): void {
    const now = seconds(this.#dependencies.clock);
    // After the clock was set back, the due seconds would come too late. All polls get their heartbeat now.
    const due = now < this.#lastBeat ? [...this.#due.values()] : this.#dueUpTo(now);
    for (const polls of due) for (const poll of polls) finish(poll, [heartbeat(this.#cursorOf(poll))]);
    this.#lastBeat = now;
  }

  #dueUpTo(now: number): Set<Poll>[] {
    return [...this.#due].flatMap(([second, polls]) => (second <= now ? [polls] : []));
  }

  #remove(poll: Poll, due: number): void {
    const { id, member } = poll.queue;
    if (this.#waiting.get(id) === poll) this.#waiting.delete(id);
    this.#ofPublicStreams.delete(poll);
    removeFrom(this.#due, due, poll);
    removeFrom(this.#ofMember, member.id, poll);
  }
}

function finish(poll: Poll, events: readonly string[]): void {
  poll.answer(events);
  poll.end();
}

function addTo(polls: Map<number, Set<Poll>>, key: number, poll: Poll): void {
  remembered(polls, key, () => new Set()).add(poll);
}

function removeFrom(polls: Map<number, Set<Poll>>, key: number, poll: Poll): void {
  const left = polls.get(key);
  left?.delete(poll);
  if (left?.size === 0) polls.delete(key);
}

/** Random, so that polls which began together do not all return together. */
function heartbeatAfter(): number {
  const { least, most } = heartbeatSeconds;
  return least + Math.floor(Math.random() * (most - least + 1));
}
