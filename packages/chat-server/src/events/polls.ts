import { heartbeatSeconds } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { type Database, DatabaseClosedError } from '../database/index.ts';
import { type ChatError, refused } from '../errors.ts';
import type { Waiter } from '../http/exchange.ts';
import { createAnswers } from './answers.ts';
import { DeliveryBatch } from './batch.ts';
import { type DeliveryRules, type WrittenEvent, deliver, heartbeat, mostExamined } from './delivery.ts';
import type { EphemeralEvent, EphemeralEvents } from './ephemeral.ts';
import type { EventLog, EventRow } from './log.ts';
import type { Queue } from './queues.ts';
import { Rest } from './rest.ts';
import { longestTurn } from '../turns.ts';

interface Poll {
  readonly queue: Queue;
  /** The newest event id that was examined for the queue of this poll. */
  cursor: number;
  /** The second of its heartbeat. */
  readonly due: number;
  /** Undefined after the poll has ended, because the maps of polls may keep what they had (see `Turns`). */
  waiter: Waiter | undefined;
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

/** Polls, and events that they missed, which are examined together. The work of a turn grows with both. */
const mostTogether = { polls: 200, missed: 5000 };

/** A rest ends early when so many deliveries may be due, counted as events times polls. They take some 0.1 s. */
const mostDue = 100_000;

/** The polls that wait for an event, at most one per queue. */
export class Polls {
  readonly #dependencies: PollDependencies;
  readonly #byQueue = new Map<string, Poll>();
  /** By member id, because an event for few members then examines few polls. */
  readonly #waiting = new Map<number, readonly Poll[]>();
  readonly #ofPublicStreams = new Set<Poll>();
  /** By member id, polls that may have events to receive now. They are examined together, so that they share look-ups. */
  readonly #late = new Map<number, readonly Poll[]>();
  #isLateScheduled = false;
  /** Polls that missed events and wait for the end of a rest, when they are examined together. */
  readonly #held = new Set<Poll>();
  /** The sum of the events that held polls missed. Not reduced when a held poll ends. */
  #heldEvents = 0;
  /** The newest event id that was delivered to all waiting polls. */
  #delivered: number;
  readonly #rest = new Rest(() => this.#wake());
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
   * @returns a function that ends the poll, for a client that has left. The queue remains for the next poll.
   */
  wait(queue: Queue, cursor: number, waiter: Waiter): () => void {
    if (this.#isClosed) throw new DatabaseClosedError('the server is closing');
    this.release(queue.id);
    const due = seconds(this.#dependencies.clock) + heartbeatAfter();
    const poll: Poll = { queue, cursor, due, waiter };
    this.#byQueue.set(queue.id, poll);
    this.#begin(poll);
    return () => this.#finish(poll, []);
  }

  release(queueId: string): void {
    const poll = this.#byQueue.get(queueId);
    if (poll) this.#finish(poll, []);
  }

  refuse(queueId: string, because: ChatError): void {
    const poll = this.#byQueue.get(queueId);
    if (poll) this.#fail(poll, because);
  }

  get size(): number {
    return this.#byQueue.size;
  }

  queueIds(): Iterable<string> {
    return this.#byQueue.keys();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.#rest.end();
    for (const poll of this.#byQueue.values()) this.#finish(poll, []);
  }

  #begin(poll: Poll): void {
    const { log, ephemeral } = this.#dependencies;
    const missed = log.missed(poll.cursor) ?? Infinity;
    const isInTime = missed === 0 || (this.#rest.isOn && poll.cursor >= this.#rest.from);
    if (isInTime && !ephemeral.mayHaveFor(poll.queue)) this.#place(poll);
    else if (this.#rest.isOn && this.#heldEvents + missed <= mostDue) {
      this.#held.add(poll);
      this.#heldEvents += missed;
    } else {
      add(this.#late, poll);
      this.#scheduleLate();
    }
  }

  /** From now on, the poll is examined for each new event. */
  #place(poll: Poll): void {
    // Without another waiting poll, nobody needs the events up to this cursor.
    if (this.#waiting.size === 0) this.#delivered = Math.max(this.#delivered, poll.cursor);
    add(this.#waiting, poll);
    if (poll.queue.options.all_public_streams) this.#ofPublicStreams.add(poll);
  }

  #scheduleLate(): void {
    if (this.#isLateScheduled || this.#late.size === 0) return;
    this.#isLateScheduled = true;
    setImmediate(() => {
      this.#isLateScheduled = false;
      const [began, before] = [performance.now(), this.size];
      while (this.#late.size > 0 && performance.now() - began < longestTurn) this.#examine(this.#nextLate());
      this.#rest.afterAnswers(before - this.size, this.#newest());
      this.#scheduleLate();
    });
  }

  /** Takes one poll of each member. Others of these members come after those of all others. */
  #nextLate(): Poll[] {
    const polls: Poll[] = [];
    let missed = 0;
    for (const [poll] of this.#late.values()) {
      if (!poll) continue;
      missed += this.#dependencies.log.missed(poll.cursor) ?? 0;
      if (polls.length === mostTogether.polls || (polls.length > 0 && missed > mostTogether.missed)) break;
      polls.push(poll);
    }
    for (const poll of polls) remove(this.#late, poll);
    return polls;
  }

  #examine(polls: readonly Poll[]): void {
    const { log, database, memberships, ephemeral } = this.#dependencies;
    const unexamined = new Set(polls);
    try {
      database.snapshot((reader) => {
        const { pruned } = log.bounds(reader);
        const userIds = polls.map(({ queue }) => queue.member.id);
        const batch = new DeliveryBatch(reader, userIds, log.lookups(reader), memberships());
        this.#answerEach(polls, (poll) => {
          unexamined.delete(poll);
          if (poll.cursor < pruned) throw refused.badEventQueue(poll.queue.id);
          const logged = this.#eventsFor(poll, poll.cursor, batch);
          const events = [...logged, ...ephemeral.take(reader, poll.queue, poll.cursor)];
          if (events.length === 0) this.#place(poll);
          return events;
        });
      });
    } catch (error) {
      for (const poll of unexamined) this.#fail(poll, error);
    }
  }

  #wake(): void {
    if (this.#rest.isOn && !this.#hasMuchDue()) return;
    this.#rest.end();
    const before = this.size;
    try {
      this.#examineHeld();
      while (this.#waiting.size > 0 && this.#deliverNext());
    } catch (error) {
      // An unreadable log fails all waiting polls, because new polls would fail too.
      for (const poll of this.#allWaiting()) this.#fail(poll, error);
    }
    this.#rest.afterAnswers(before - this.size, this.#newest());
  }

  #hasMuchDue(): boolean {
    return (this.#newest() - this.#rest.from) * this.size + this.#heldEvents >= mostDue;
  }

  #examineHeld(): void {
    const polls = [...this.#held];
    this.#held.clear();
    this.#heldEvents = 0;
    if (polls.length > 0) this.#examine(polls);
  }

  /** The newest event id of which this server knows. */
  #newest(): number {
    return Math.max(this.#delivered, this.#dependencies.log.missed(0) ?? 0);
  }

  #deliverNext(): boolean {
    const { log, database, memberships } = this.#dependencies;
    const range = log.rangeAfter(database.reader, this.#delivered, mostExamined);
    if (range.rows.length === 0) return false;
    const batch = new DeliveryBatch(database.reader, [...this.#waiting.keys()], log.lookups(database.reader), memberships());
    batch.rangeAfter(this.#delivered, () => range);
    this.#answerEach(this.#pollsFor(range.rows, batch), (poll) => this.#eventsFor(poll, this.#cursorOf(poll), batch));
    this.#delivered = range.upTo;
    return !range.isAll;
  }

  /** At least the polls that may receive one of the events, each once. */
  #pollsFor(rows: readonly EventRow[], batch: DeliveryBatch): readonly Poll[] {
    const userIds: Iterable<number>[] = [];
    const conversationIds = new Set<number>();
    for (const { reach, reach_id: id } of rows) {
      if (id !== null && reach === 'self') userIds.push([id]);
      else if (id !== null && reach === 'members') conversationIds.add(id);
      else return this.#allWaiting();
    }
    for (const id of conversationIds) userIds.push(this.#dependencies.rules.possibleMembers(id, batch));
    if (this.#ofPublicStreams.size > 0) userIds.push([...this.#ofPublicStreams].map(({ queue }) => queue.member.id));
    const [only, ...others] = userIds;
    // One conversation names each member once, so no set delays the first recipient.
    return this.#pollsOf(only && others.length === 0 ? only : new Set(userIds.flatMap((ids) => [...ids])));
  }

  #pollsOf(userIds: Iterable<number>): Poll[] {
    const polls: Poll[] = [];
    for (const id of userIds) for (const poll of this.#waiting.get(id) ?? []) polls.push(poll);
    return polls;
  }

  #eventsFor(poll: Poll, cursor: number, batch: DeliveryBatch): readonly WrittenEvent[] {
    const { rules, log } = this.#dependencies;
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
    const polls = userIds === 'everyone' ? this.#allWaiting() : this.#pollsOf(userIds);
    this.#answerEach(polls, (poll) => ephemeral.take(database.reader, poll.queue, this.#cursorOf(poll)));
  }

  /** Ends the polls after all have their answers, because a recipient waits for the work on all before it. */
  #answerEach(polls: Iterable<Poll>, take: (poll: Poll) => readonly WrittenEvent[]): void {
    const answerOf = createAnswers();
    const answered: Poll[] = [];
    for (const poll of polls) {
      try {
        const events = take(poll);
        if (events.length === 0) continue;
        poll.waiter?.deliver(answerOf(poll.queue.id, events));
        answered.push(poll);
      } catch (error) {
        // Only this poll fails, and its call reports the error. All other polls still get their events.
        this.#fail(poll, error);
      }
    }
    for (const poll of answered) this.#end(poll);
  }

  #finish(poll: Poll, events: readonly WrittenEvent[]): void {
    poll.waiter?.deliver(createAnswers()(poll.queue.id, events));
    this.#end(poll);
  }

  #end(poll: Poll): void {
    this.#remove(poll)?.end();
  }

  #fail(poll: Poll, error: unknown): void {
    this.#remove(poll)?.fail(error);
  }

  #beat(): void {
    const now = seconds(this.#dependencies.clock);
    // After the clock was set back, the due seconds would come too late. All polls get their heartbeat now.
    const isSetBack = now < this.#lastBeat;
    for (const poll of this.#allWaiting()) {
      if (isSetBack || poll.due <= now) this.#finish(poll, [heartbeat(this.#cursorOf(poll))]);
    }
    this.#lastBeat = now;
  }

  /** @returns the waiter of the poll, which is to be told; undefined if the poll has ended before. */
  #remove(poll: Poll): Waiter | undefined {
    const { queue, waiter } = poll;
    poll.waiter = undefined;
    if (this.#byQueue.get(queue.id) === poll) this.#byQueue.delete(queue.id);
    if (queue.options.all_public_streams) this.#ofPublicStreams.delete(poll);
    remove(this.#waiting, poll);
    remove(this.#late, poll);
    this.#held.delete(poll);
    return waiter;
  }

  #allWaiting(): Poll[] {
    return [...this.#waiting.values()].flat();
  }
}

type PollsByMember = Map<number, readonly Poll[]>;

function add(polls: PollsByMember, poll: Poll): void {
  const { id } = poll.queue.member;
  const others = polls.get(id);
  polls.set(id, others ? [...others, poll] : [poll]);
}

/** Other polls of the member come last. */
function remove(polls: PollsByMember, poll: Poll): void {
  const { id } = poll.queue.member;
  const left = polls.get(id)?.filter((each) => each !== poll);
  if (!left) return;
  polls.delete(id);
  if (left.length > 0) polls.set(id, left);
}

/** Random, so that polls which began together do not all return together. */
function heartbeatAfter(): number {
  const { least, most } = heartbeatSeconds;
  return least + Math.floor(Math.random() * (most - least + 1));
}
