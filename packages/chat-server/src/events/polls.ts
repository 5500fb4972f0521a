import { heartbeatSeconds } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { type Database, DatabaseClosedError } from '../database/index.ts';
import type { ChatError } from '../errors.ts';
import { deliver, heartbeat, mostExamined } from './delivery.ts';
import type { Fleeting, FleetingEvent } from './ephemeral.ts';
import type { Groups } from '../identity/groups.ts';
import type { EventLog, EventRow } from './log.ts';
import { Views } from './payload.ts';
import type { Queue } from './queues.ts';

interface Poll {
  readonly queue: Queue;
  /** The newest event id that had been looked at for this queue when it began to wait, or when it was looked at last. */
  cursor: number;
  answer(events: readonly string[]): void;
  fail(error: unknown): void;
}

export interface PollRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly fleeting: Fleeting;
  readonly clock: Clock;
  readonly groups: Groups;
}

/** The requests that wait for an event, at most one per queue. */
export class Polls {
  readonly #database: Database;
  readonly #log: EventLog;
  readonly #fleeting: Fleeting;
  readonly #clock: Clock;
  readonly #groups: Groups;
  readonly #waiting = new Map<string, Poll>();
  /** The same by member, so that what is told to few looks at few. */
  readonly #ofMember = new Map<number, Set<Poll>>();
  /** Those that hear of streams which their members are not in. */
  readonly #wide = new Set<Poll>();
  /** The newest event of which everyone has been told who waits and whom it is for. */
  #told: number;
  /** One coarse timer for all: the polls whose heartbeat is due in a second. */
  readonly #due = new Map<number, Set<Poll>>();
  #lastBeat: number;
  readonly #stop: () => void;
  #isClosed = false;

  constructor({ database, log, fleeting, clock, groups }: PollRooms) {
    this.#database = database;
    this.#log = log;
    this.#fleeting = fleeting;
    this.#clock = clock;
    this.#groups = groups;
    this.#told = log.bounds(database.reader).newest;
    this.#lastBeat = seconds(clock);
    this.#stop = clock.every(1000, () => this.#beat());
    log.onCommit(() => this.#wake());
    fleeting.onTell((event) => this.#tell(event));
  }

  /** Waits for the first event after `cursor`, a heartbeat, or a second poll on the same queue. */
  wait(queue: Queue, cursor: number, signal: AbortSignal): Promise<readonly string[]> {
    if (this.#isClosed) throw new DatabaseClosedError('the server is being closed');
    this.release(queue.id);
    return new Promise((resolve, reject) => {
      const due = seconds(this.#clock) + heartbeatAfter();
      // Nobody listens any more; the queue stays for the next poll.
      const abandon = () => poll.answer([]);
      const poll: Poll = {
        queue,
        cursor,
        answer: (events) => {
          end();
          resolve(events);
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      const end = () => {
        signal.removeEventListener('abort', abandon);
        this.#leave(poll, due);
      };
      // Nobody else waits, so nobody else is to be told of what came before.
      if (this.#waiting.size === 0) this.#told = Math.max(this.#told, cursor);
      this.#waiting.set(queue.id, poll);
      const ofMember = this.#ofMember.get(queue.member.id);
      if (ofMember) ofMember.add(poll);
      else this.#ofMember.set(queue.member.id, new Set([poll]));
      if (queue.options.all_public_streams) this.#wide.add(poll);
      const slot = this.#due.get(due);
      if (slot) slot.add(poll);
      else this.#due.set(due, new Set([poll]));
      signal.addEventListener('abort', abandon);
      if (signal.aborted) abandon();
    });
  }

  /** Answers the poll that waits on a queue, if any, with nothing. */
  release(queueId: string): void {
    this.#waiting.get(queueId)?.answer([]);
  }

  /** Refuses the poll that waits on a queue, if any. */
  refuse(queueId: string, because: ChatError): void {
    this.#waiting.get(queueId)?.fail(because);
  }

  waiting(): Iterable<string> {
    return this.#waiting.keys();
  }

  /** Answers everyone who waits, and lets nobody wait from then on. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
    for (const poll of this.#waiting.values()) poll.answer([]);
  }

  #wake(): void {
    try {
      while (this.#waiting.size > 0 && this.#tellNext());
    } catch (error) {
      // What cannot be read is a fault for everyone who waits for it, as it would be if they asked.
      for (const poll of this.#waiting.values()) poll.fail(error);
    }
  }

  /**
   * One look at what is new for each whom it may be for; those who see the same share one text.
   * @returns whether there may be more.
   */
  #tellNext(): boolean {
    const rows = this.#log.after(this.#database.reader, this.#told, mostExamined);
    const newest = rows.at(-1)?.id;
    if (newest === undefined) return false;
    const views = new Views(this.#database.reader, this.#groups, [...this.#ofMember.keys()]);
    views.after(this.#told, () => rows);
    for (const poll of this.#pollsFor(rows, views)) this.#look(poll, views);
    this.#told = newest;
    return rows.length === mostExamined;
  }

  /** Who waits and may hear of one of these; who does is for `hears` to say. */
  #pollsFor(rows: readonly EventRow[], { crowd }: Views): Iterable<Poll> {
    const found = new Set(this.#wide);
    const add = (userId: number) => {
      for (const poll of this.#ofMember.get(userId) ?? []) found.add(poll);
    };
    const places = new Set<number>();
    for (const { reach, reach_id: id } of rows) {
      if (id !== null && reach === 'self') add(id);
      else if (id !== null && reach === 'members') places.add(id);
      else return [...this.#waiting.values()];
    }
    for (const id of places) for (const userId of crowd.staysIn(id).keys()) add(userId);
    return found;
  }

  #look(poll: Poll, views: Views): void {
    this.#answer(poll, () => {
      const { events, examined } = deliver(this.#database.reader, this.#log, poll.queue, this.#cursorOf(poll), views);
      poll.cursor = examined;
      return events;
    });
  }

  /** What came since it began to wait, and was for others, has been looked at for it as well. */
  #cursorOf({ cursor }: Poll): number {
    return Math.max(cursor, this.#told);
  }

  /** A look at the polls of those who hear of it, and at no others. */
  #tell({ userIds }: FleetingEvent): void {
    const look = (poll: Poll) =>
      this.#answer(poll, () => this.#fleeting.take(this.#database.reader, poll.queue, this.#cursorOf(poll)));
    if (userIds === 'everyone') {
      for (const poll of this.#waiting.values()) look(poll);
      return;
    }
    for (const userId of userIds) for (const poll of this.#ofMember.get(userId) ?? []) look(poll);
  }

  #answer(poll: Poll, look: () => readonly string[]): void {
    try {
      const events = look();
      if (events.length > 0) poll.answer(events);
    } catch (error) {
      // One who cannot be told is answered with the fault, which is reported there; the others are still told.
      poll.fail(error);
    }
  }

  #beat(): void {
    const now = seconds(this.#clock);
    // When the clock was set back those who wait would have to wait for it; so they begin anew.
    const due = now < this.#lastBeat ? [...this.#due.values()] : this.#dueUpTo(now);
    for (const polls of due) for (const poll of polls) poll.answer([heartbeat(this.#cursorOf(poll))]);
    this.#lastBeat = now;
  }

  #dueUpTo(now: number): Set<Poll>[] {
    return [...this.#due].flatMap(([second, polls]) => (second <= now ? [polls] : []));
  }

  #leave(poll: Poll, due: number): void {
    if (this.#waiting.get(poll.queue.id) === poll) this.#waiting.delete(poll.queue.id);
    this.#wide.delete(poll);
    const slot = this.#due.get(due);
    slot?.delete(poll);
    if (slot?.size === 0) this.#due.delete(due);
    const ofMember = this.#ofMember.get(poll.queue.member.id);
    ofMember?.delete(poll);
    if (ofMember?.size === 0) this.#ofMember.delete(poll.queue.member.id);
  }
}

/** Spread out, so that those who began to wait together do not all come back together. */
function heartbeatAfter(): number {
  const { least, most } = heartbeatSeconds;
  return least + Math.floor(Math.random() * (most - least + 1));
}
