import { type Database, DatabaseClosedError, type Transaction } from '@engawa/chat-server/database';
import { callLimits } from '@engawa/protocol/calls';
import type { Log } from '../log/log.ts';
import { type Call, callOf, keyOf, secondsOf } from './call.ts';
import { callRows } from './store.ts';

const daySeconds = 24 * 60 * 60;
/** A sweep runs every minute, so that a backlog is removed soon. */
const mostRemoved = 100;

export type AnnouncedCall = Pick<Call, 'id' | 'kind'> & { readonly messageId: number };

/** The records of calls in the database. A call goes on if a change cannot be stored; only its start must be. */
export class CallRecords {
  readonly #database: Database;
  readonly #log: Log;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  find(id: string): Call | undefined {
    const { reader } = this.#database;
    const row = callRows.byId(reader, id);
    return row && callOf(row, callRows.members(reader, id));
  }

  ofMessages(messageIds: readonly number[]): readonly AnnouncedCall[] {
    const rows = callRows.ofMessages(this.#database.reader, messageIds);
    return rows.flatMap(({ id, kind, message_id }) => (message_id === null ? [] : [{ id, kind, messageId: message_id }]));
  }

  ongoing(): Call[] {
    const { reader } = this.#database;
    return callRows.ongoing(reader).map((row) => callOf(row, callRows.members(reader, row.id)));
  }

  /** When a call that a stop of the server has cut was last known to go on, in seconds. */
  lastAlive(id: string): number | undefined {
    return callRows.byId(this.#database.reader, id)?.alive;
  }

  start({ id, conversation, kind, startedBy, started }: Call): Promise<void> {
    const since = secondsOf(started);
    const row = { id, conversation: keyOf(conversation), kind, started_by: startedBy, started: since, alive: since };
    return this.#database.write((tx) => void callRows.insert(tx, row));
  }

  setMessage(id: string, messageId: number): void {
    this.#write((tx) => void callRows.setMessage(tx, id, messageId));
  }

  remove(id: string): void {
    this.#write((tx) => void callRows.remove(tx, id));
  }

  /** Stores what the given members did. */
  putPeople({ id, people }: Call, userIds: Iterable<number>): void {
    const rows = [...userIds].flatMap((user_id) => {
      const person = people.get(user_id);
      if (!person) return [];
      return [{ call_id: id, user_id, answer: person.answer, first_joined: person.firstJoined, last_left: person.lastLeft }];
    });
    if (rows.length === 0) return;
    this.#write((tx) => {
      for (const row of rows) callRows.putMember(tx, row);
    });
  }

  end({ id, end }: Call): void {
    if (end) this.#write((tx) => void callRows.end(tx, id, secondsOf(end.at), end.reason));
  }

  /** Notes that calls go on, and removes calls older than `callLimits.keptDays`. @param now seconds since 1970. */
  sweep(ongoing: readonly string[], now: number): void {
    this.#write((tx) => {
      for (const id of ongoing) callRows.setAlive(tx, id, now);
      callRows.removeOld(tx, now - callLimits.keptDays * daySeconds, mostRemoved);
    });
  }

  /** Resolves when all changes so far are stored, or have failed. */
  settled(): Promise<unknown> {
    return this.#writing;
  }

  #write(change: (tx: Transaction) => void): void {
    const written = this.#database.write(change).catch((error: unknown) => {
      if (!(error instanceof DatabaseClosedError)) this.#log({ event: 'call_not_stored', error });
    });
    this.#writing = Promise.all([this.#writing, written]);
  }
}
