import { type RawBuilder, sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

/** A message with what its answers show of its sender. */
export type MessageRow = Row<'message'> &
  Pick<Row<'user'>, 'email' | 'full_name' | 'avatar_url'> & { stream_name: string };

type NewMessage = Omit<Row<'message'>, 'id' | 'last_edit_timestamp' | 'deleted'>;

const insertMessage = statement<NewMessage>()((query, value) =>
  query
    .insertInto('message')
    .values({
      last_edit_timestamp: null,
      deleted: null,
      conversation_id: value.conversation_id,
      sender_id: value.sender_id,
      topic: value.topic,
      topic_key: value.topic_key,
      content: value.content,
      client: value.client,
      timestamp: value.timestamp,
    })
    .returning('id'),
);
const blankMessage = statement<{ id: number; deleted: number }>()((query, value) =>
  query.updateTable('message').set({ content: '', deleted: value.deleted }).where('id', '=', value.id),
);

const withSender = statement<{ id: number }>()((query, value) =>
  query
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.sender_id')
    .innerJoin('stream', 'stream.conversation_id', 'message.conversation_id')
    .selectAll('message')
    .select(['user.email', 'user.full_name', 'user.avatar_url', 'stream.name as stream_name'])
    .where('message.id', '=', value.id),
);
const selectPlaces = statement<{ ids: string }>()((query, value) =>
  query
    .selectFrom('message')
    .select(['id', 'conversation_id', 'topic', 'deleted'])
    .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
    .orderBy('id'),
);
const selectNewest = statement<{ conversation_id: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id'))
    .where('conversation_id', '=', value.conversation_id),
);
const selectPrevious = statement<{ conversation_id: number; id: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id'))
    .where('conversation_id', '=', value.conversation_id)
    .where('id', '<', value.id),
);

/** Which messages of one conversation are asked for. A filter that is null lets everything pass. */
export interface MessageFilter {
  readonly conversation_id: number;
  /** Ids above `after`, up to and with `up_to`. */
  readonly after: number;
  readonly up_to: number;
  readonly topic_key: string | null;
  readonly sender_id: number | null;
  readonly include_deleted: number;
}
type Page = { [Name in keyof MessageFilter]: MessageFilter[Name] } & { readonly most: number };

const pageIn = (direction: 'asc' | 'desc') =>
  statement<Page>()((query, value) =>
    query
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', value.conversation_id)
      .where('id', '>', value.after)
      .where('id', '<=', value.up_to)
      .where(either(value.topic_key, sql`topic_key`))
      .where(either(value.sender_id, sql`sender_id`))
      .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`)
      .orderBy('id', direction)
      .limit(value.most),
  );
const selectFirst = pageIn('asc');
const selectLast = pageIn('desc');

function either(wanted: unknown, column: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`ifnull(${column} = ${wanted}, 1)`;
}

const insertClientMessage = statement<Row<'client_message'>>()((query, value) =>
  query.insertInto('client_message').values({
    sender_id: value.sender_id,
    client_message_id: value.client_message_id,
    message_id: value.message_id,
    sent: value.sent,
  }),
);
const selectClientMessage = statement<{ sender_id: number; client_message_id: string }>()((query, value) =>
  query
    .selectFrom('client_message')
    .select('message_id')
    .where('sender_id', '=', value.sender_id)
    .where('client_message_id', '=', value.client_message_id),
);
const forgetClientMessages = statement<{ before: number }>()((query, value) =>
  query.deleteFrom('client_message').where('sent', '<', value.before),
);

export const messages = {
  insert(tx: Transaction, message: Omit<NewMessage, 'topic_key'>): number {
    const inserted = tx.get(insertMessage, { ...message, topic_key: topicKey(message.topic) });
    if (!inserted) throw new Error('an inserted message has an id');
    return inserted.id;
  },
  /** The content goes, the place stays. */
  blank: (tx: Transaction, id: number, now: number) => tx.run(blankMessage, { id, deleted: now }),

  withSender: (reader: Reader, id: number): MessageRow | undefined => reader.get(withSender, { id }),
  /** Where messages stand; ids that name none are left out. */
  places: (reader: Reader, ids: readonly number[]) => reader.all(selectPlaces, { ids: JSON.stringify(ids) }),
  /** 0 when there is none. Deleted messages count. */
  newestId: (reader: Reader, conversationId: number) =>
    reader.get(selectNewest, { conversation_id: conversationId })?.id ?? 0,
  /** The id before `id` in its conversation, 0 when there is none. Deleted messages count. */
  previousId: (reader: Reader, conversationId: number, id: number) =>
    reader.get(selectPrevious, { conversation_id: conversationId, id })?.id ?? 0,

  firstIds: (reader: Reader, filter: MessageFilter, most: number) =>
    reader.all(selectFirst, { ...filter, most }).map(({ id }) => id),
  /** The newest first. */
  lastIds: (reader: Reader, filter: MessageFilter, most: number) =>
    reader.all(selectLast, { ...filter, most }).map(({ id }) => id),

  rememberClientId: (tx: Transaction, sent: Row<'client_message'>) => tx.run(insertClientMessage, sent),
  byClientId: (reader: Reader, senderId: number, clientMessageId: string) =>
    reader.get(selectClientMessage, { sender_id: senderId, client_message_id: clientMessageId })?.message_id,
  forgetClientIds: (tx: Transaction, before: number) => tx.run(forgetClientMessages, { before }),
};

/** Topics are the same when they differ only in case. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase();
