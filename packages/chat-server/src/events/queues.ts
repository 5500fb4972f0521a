import { randomUUID } from 'node:crypto';
import { queueLifespanSeconds } from '@engawa/protocol';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Clock, seconds } from '../clock.ts';
import type { Columns, Database, Transaction, Value } from '../database/index.ts';
import { type ChatError, refused } from '../errors.ts';
import { remembered } from './batch.ts';
import type { EventLog } from './log.ts';
import type { Polls } from './polls.ts';
import { type Row, columns, queries } from '../schema.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';

const queueTerm = z.object({ operator: z.string(), operand: z.string() });
export type QueueTerm = Readonly<z.output<typeof queueTerm>>;

export const queueOptions = z.object({
  /** Undefined means that the queue receives all event types. */
  event_types: z.array(z.string()).optional(),
  apply_markdown: z.boolean(),
  narrow: z.array(queueTerm),
  /** With true, the queue also receives messages of public streams that its member has not joined. */
  all_public_streams: z.boolean().default(false),
  // The options below are capabilities that the client named at its registration.
  bulk_message_deletion: z.boolean().default(false),
  stream_typing_notifications: z.boolean().default(false),
  notification_settings_null: z.boolean().default(false),
  simplified_presence_events: z.boolean().default(false),
  linkifier_url_template: z.boolean().default(false),
  include_deactivated_groups: z.boolean().default(false),
  slim_presence: z.boolean().default(false),
});
export type QueueOptions = z.output<typeof queueOptions>;

/** A client's registration for events. Every poll brings its cursor, so the server need not store it. */
export interface Queue {
  readonly id: string;
  readonly member: Member;
  readonly options: QueueOptions;
  /** The newest event id at the registration. */
  readonly began: number;
  /** Seconds without a poll after which the server deletes the queue. */
  readonly lifespan: number;
}

type NewQueue = Row<'queue'> & { readonly key_id: number };
const insertQueue = queries.run((query, queue: Columns<NewQueue>) =>
  query
    .insertInto('queue')
    .values(columns(queue, ['id', 'user_id', 'key_id', 'epoch', 'options', 'began', 'lifespan', 'contacted'])),
);
const selectQueue = queries.row((query, id: Value<string>, user_id: Value<number>) =>
  query
    .selectFrom('queue')
    .innerJoin('realm', 'realm.epoch', 'queue.epoch')
    .select(['queue.id', 'queue.options', 'queue.began', 'queue.lifespan'])
    .where('queue.id', '=', id)
    .where('queue.user_id', '=', user_id),
);
const selectEpoch = queries.value((query) => query.selectFrom('realm').select('epoch'));
const deleteQueue = queries.run((query, id: Value<string>) => query.deleteFrom('queue').where('id', '=', id));
function deleteQueuesBy(column: 'user_id' | 'key_id') {
  return queries.values((query, id: Value<number>) => query.deleteFrom('queue').where(column, '=', id).returning('id'));
}
const deleteQueuesOfUser = deleteQueuesBy('user_id');
const deleteQueuesOfKey = deleteQueuesBy('key_id');
const saveContact = queries.run((query, id: Value<string>, contacted: Value<number>) =>
  query.updateTable('queue').set({ contacted }).where('id', '=', id),
);
const deleteOldest = queries.values((query, user_id: Value<number>, newest: Value<string>, others: Value<number>) =>
  query
    .deleteFrom('queue')
    .where('user_id', '=', user_id)
    .where('id', '!=', newest)
    .where('id', 'not in', (queues) =>
      queues
        .selectFrom('queue')
        .select('id')
        .where('user_id', '=', user_id)
        .where('id', '!=', newest)
        .orderBy('contacted', 'desc')
        .limit(others),
    )
    .returning('id'),
);
const touchAll = queries.run((query, contacted: Value<number>) => query.updateTable('queue').set({ contacted }));
/** The longest idle come first, because queues whose last poll is not saved yet would otherwise fill the result. */
const selectIdle = queries.values((query, now: Value<number>, most: Value<number>) =>
  query
    .selectFrom('queue')
    .select('id')
    .where(sql<boolean>`contacted + lifespan <= ${now}`)
    .orderBy(sql`contacted + lifespan`)
    .limit(most),
);

/** One sweep saves the last polls of at most this many queues, and deletes at most this many idle queues. */
const mostPerSweep = 1000;

/** A member has at most this many queues. The server deletes the longest idle ones beyond it. */
const mostPerMember = 100;

/** Options that are kept to be shared, and the most characters of the JSON of each, in which a client may name a thousand members. */
const mostShared = { options: 100, length: 2000 };

export class Queues {
  readonly #database: Database;
  readonly #log: EventLog;
  readonly #polls: Polls;
  readonly #clock: Clock;
  readonly #contacted = new Map<string, number>();
  /** Queues in use, because each poll names one, and its row never changes. */
  readonly #known = new Map<string, Queue>();
  /** By their JSON. Most clients of an organisation register with the same options, and their queues then share one object. */
  readonly #options = new Map<string, QueueOptions>();

  constructor(database: Database, log: EventLog, polls: Polls, clock: Clock) {
    this.#database = database;
    this.#log = log;
    this.#polls = polls;
    this.#clock = clock;
  }

  /** Counts all queues as contacted now, because clients could not poll while the server was down. */
  async resume(): Promise<void> {
    await this.#database.write((tx) => void touchAll(tx, seconds(this.#clock)));
  }

  register(caller: Member, options: QueueOptions, lifespan: number): Promise<Queue> {
    return this.#database.write((tx) => {
      const member = memberNow(tx, caller);
      const epoch = selectEpoch(tx);
      if (epoch === undefined) throw new Error('there is no organisation yet');
      const began = this.#log.bounds(tx).newest;
      const queue = { id: randomUUID(), member, options, began, lifespan: lifespan || queueLifespanSeconds.default };
      insertQueue(tx, {
        id: queue.id,
        user_id: member.id,
        key_id: member.keyId,
        epoch,
        options: JSON.stringify(options),
        began,
        lifespan: queue.lifespan,
        contacted: seconds(this.#clock),
      });
      const dropped = deleteOldest(tx, member.id, queue.id, mostPerMember - 1);
      this.#ended(tx, dropped, refused.badEventQueue);
      return queue;
    });
  }

  /** @throws ChatError the same BAD_EVENT_QUEUE_ID for a missing queue and for one of another member, to reveal no difference. */
  of(member: Member, id: string): Queue {
    const known = this.#known.get(id);
    const queue =
      known?.member === member ? known : known?.member.id === member.id ? { ...known, member } : this.#stored(member, id);
    if (queue !== known) this.#known.set(queue.id, queue);
    // Only now: a map of the ids that clients invent would grow without limit.
    this.#contacted.set(queue.id, seconds(this.#clock));
    return queue;
  }

  #stored(member: Member, id: string): Queue {
    const row = selectQueue(this.#database.reader, id, member.id);
    if (!row) throw refused.badEventQueue(id);
    // The id of the row, because that of the call may be a part of a longer text, all of which would stay in memory.
    return { ...row, member, options: this.#optionsOf(row.options) };
  }

  #optionsOf(json: string): QueueOptions {
    const parse = () => queueOptions.parse(JSON.parse(json));
    if (json.length > mostShared.length) return parse();
    return remembered(this.#options, json, () => {
      if (this.#options.size === mostShared.options) this.#options.clear();
      return parse();
    });
  }

  async delete(queue: Queue): Promise<void> {
    await this.#database.write((tx) => {
      deleteQueue(tx, queue.id);
      tx.afterCommit(() => this.#forget(queue.id));
    });
    this.#polls.release(queue.id);
  }

  /** Call it within a change after which the state of these queues is wrong, such as a new role. Waiting polls are refused. */
  endOfUser(tx: Transaction, userId: number, because: (queueId: string) => ChatError): void {
    this.#ended(tx, deleteQueuesOfUser(tx, userId), because);
  }

  endOfKey(tx: Transaction, keyId: number, because: (queueId: string) => ChatError): void {
    this.#ended(tx, deleteQueuesOfKey(tx, keyId), because);
  }

  #ended(tx: Transaction, queueIds: readonly string[], because: (queueId: string) => ChatError): void {
    tx.afterCommit(() => {
      for (const id of queueIds) {
        this.#forget(id);
        this.#polls.refuse(id, because(id));
      }
    });
  }

  #forget(id: string): void {
    this.#contacted.delete(id);
    this.#known.delete(id);
  }

  /** Saves the times of the last polls, and deletes idle queues. A queue with a waiting poll is not idle. */
  async sweep(): Promise<void> {
    const now = seconds(this.#clock);
    for (const id of this.#polls.queueIds()) this.#contacted.set(id, now);
    const contacted = [...this.#contacted].slice(0, mostPerSweep);
    await this.#database.write((tx) => {
      for (const [id, time] of contacted) saveContact(tx, id, time);
      for (const id of selectIdle(tx, now, mostPerSweep)) {
        if (this.#contacted.has(id)) continue;
        deleteQueue(tx, id);
        tx.afterCommit(() => this.#forget(id));
      }
    });
    for (const [id] of contacted) this.#contacted.delete(id);
  }
}
