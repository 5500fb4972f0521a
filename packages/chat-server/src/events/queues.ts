import { randomUUID } from 'node:crypto';
import { queueLifespanSeconds } from '@engawa/protocol';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Clock, seconds } from '../clock.ts';
import type { Columns, Database, Transaction, Value } from '../database/index.ts';
import { type ChatError, refused } from '../errors.ts';
import type { EventLog } from './log.ts';
import type { Polls } from './polls.ts';
import { type Row, queries } from '../schema.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';

/** A term of a queue's narrow: its operator needs only a message and its flags. */
const queueTerm = z.object({ operator: z.string(), operand: z.string() });
export type QueueTerm = Readonly<z.output<typeof queueTerm>>;

const queueOptions = z.object({
  /** Undefined means every type. */
  event_types: z.array(z.string()).optional(),
  apply_markdown: z.boolean(),
  narrow: z.array(queueTerm),
  /** The messages of every public stream, subscribed or not. */
  all_public_streams: z.boolean().default(false),
  // what the client said to understand
  bulk_message_deletion: z.boolean().default(false),
  stream_typing_notifications: z.boolean().default(false),
  notification_settings_null: z.boolean().default(false),
  simplified_presence_events: z.boolean().default(false),
  slim_presence: z.boolean().default(false),
});
export type QueueOptions = z.output<typeof queueOptions>;

/** A registration. What it has seen is the cursor that its client sends, so nothing is written per poll. */
export interface Queue {
  readonly id: string;
  readonly member: Member;
  readonly options: QueueOptions;
  /** The newest event at its registration. */
  readonly began: number;
  /** Seconds without contact after which it is dropped. */
  readonly lifespan: number;
}

type NewQueue = Row<'queue'> & { readonly key_id: number };
const insertQueue = queries.run((query, queue: Columns<NewQueue>) =>
  query.insertInto('queue').values({
    id: queue.id,
    user_id: queue.user_id,
    key_id: queue.key_id,
    epoch: queue.epoch,
    options: queue.options,
    began: queue.began,
    lifespan: queue.lifespan,
    contacted: queue.contacted,
  }),
);
const selectQueue = queries.row((query, id: Value<string>, user_id: Value<number>) =>
  query
    .selectFrom('queue')
    .innerJoin('realm', 'realm.epoch', 'queue.epoch')
    .select(['queue.options', 'queue.began', 'queue.lifespan'])
    .where('queue.id', '=', id)
    .where('queue.user_id', '=', user_id),
);
const selectEpoch = queries.value((query) => query.selectFrom('realm').select('epoch'));
const deleteQueue = queries.run((query, id: Value<string>) => query.deleteFrom('queue').where('id', '=', id));
const deleteQueuesOfUser = queries.values((query, user_id: Value<number>) =>
  query.deleteFrom('queue').where('user_id', '=', user_id).returning('id'),
);
const deleteQueuesOfKey = queries.values((query, key_id: Value<number>) =>
  query.deleteFrom('queue').where('key_id', '=', key_id).returning('id'),
);
const noteContact = queries.run((query, id: Value<string>, contacted: Value<number>) =>
  query.updateTable('queue').set({ contacted }).where('id', '=', id),
);
const dropOldest = queries.values((query, user_id: Value<number>, newest: Value<string>, others: Value<number>) =>
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
const welcomeBack = queries.run((query, contacted: Value<number>) => query.updateTable('queue').set({ contacted }));
/** The longest silent first, so that those whose contact has yet to be written down do not stand in their way. */
const selectIdle = queries.values((query, now: Value<number>, most: Value<number>) =>
  query
    .selectFrom('queue')
    .select('id')
    .where(sql<boolean>`contacted + lifespan <= ${now}`)
    .orderBy(sql`contacted + lifespan`)
    .limit(most),
);

/** Most contacts that one sweep writes down, and most queues that it finds idle; the rest waits for the next. */
const mostPerSweep = 1000;

/** A member's queues beyond this number are dropped, the ones that were silent longest first. */
const mostPerMember = 100;

/** The registrations of clients. A registration is a row, so it outlives a crash. */
export class Queues {
  readonly #database: Database;
  readonly #log: EventLog;
  readonly #polls: Polls;
  readonly #clock: Clock;
  /** Contacts since the last sweep: written then, so that a poll writes nothing. */
  readonly #contacted = new Map<string, number>();

  constructor(database: Database, log: EventLog, polls: Polls, clock: Clock) {
    this.#database = database;
    this.#log = log;
    this.#polls = polls;
    this.#clock = clock;
  }

  /** Nobody could reach the server while it was down, so that time does not count as silence. */
  async resume(): Promise<void> {
    await this.#database.write((tx) => void welcomeBack(tx, seconds(this.#clock)));
  }

  /** The queue's member is the one who asks as they are at its beginning. */
  register(asking: Member, options: QueueOptions, lifespan: number): Promise<Queue> {
    return this.#database.write((tx) => {
      const member = memberNow(tx, asking);
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
      const dropped = dropOldest(tx, member.id, queue.id, mostPerMember - 1);
      this.#ended(tx, dropped, refused.badEventQueue);
      return queue;
    });
  }

  /** @throws ChatError BAD_EVENT_QUEUE_ID alike for a queue that is gone and one of somebody else. */
  of(member: Member, id: string): Queue {
    const row = selectQueue(this.#database.reader, id, member.id);
    if (!row) throw refused.badEventQueue(id);
    this.#contacted.set(id, seconds(this.#clock));
    const { began, lifespan } = row;
    return { id, member, options: queueOptions.parse(JSON.parse(row.options)), began, lifespan };
  }

  async delete(queue: Queue): Promise<void> {
    this.#contacted.delete(queue.id);
    await this.#database.write((tx) => void deleteQueue(tx, queue.id));
    this.#polls.release(queue.id);
  }

  /** Ends every queue of a member as part of a change: what they knew no longer holds. Polls that wait are refused. */
  endOfUser(tx: Transaction, userId: number, because: (queueId: string) => ChatError): void {
    this.#ended(tx, deleteQueuesOfUser(tx, userId), because);
  }

  /** The same for those that were registered with one key. */
  endOfKey(tx: Transaction, keyId: number, because: (queueId: string) => ChatError): void {
    this.#ended(tx, deleteQueuesOfKey(tx, keyId), because);
  }

  #ended(tx: Transaction, queueIds: readonly string[], because: (queueId: string) => ChatError): void {
    tx.afterCommit(() => {
      for (const id of queueIds) {
        this.#contacted.delete(id);
        this.#polls.refuse(id, because(id));
      }
    });
  }

  /** Writes the contacts down and drops the queues that nobody asks for any more. Where a poll waits is contact. */
  async sweep(): Promise<void> {
    const now = seconds(this.#clock);
    for (const id of this.#polls.waiting()) this.#contacted.set(id, now);
    const contacted = [...this.#contacted].slice(0, mostPerSweep);
    await this.#database.write((tx) => {
      for (const [id, time] of contacted) noteContact(tx, id, time);
      for (const id of selectIdle(tx, now, mostPerSweep)) {
        if (!this.#contacted.has(id)) deleteQueue(tx, id);
      }
    });
    for (const [id] of contacted) this.#contacted.delete(id);
  }
}
