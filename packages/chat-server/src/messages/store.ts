import { sql } from 'kysely';
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

/** One statement for each combination of filters, so that each finds its rows by an index. */
const pageIn = (direction: 'asc' | 'desc', byTopic: boolean, bySender: boolean) =>
  statement<Page>()((query, value) =>
    query
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', value.conversation_id)
      .where('id', '>', value.after)
      .where('id', '<=', value.up_to)
      .$if(byTopic, (page) => page.where('topic_key', '=', sql<string>`${value.topic_key}`))
      .$if(bySender, (page) => page.where('sender_id', '=', sql<number>`${value.sender_id}`))
      .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`)
      .orderBy('id', direction)
      .limit(value.most),
  );
const pagesIn = (direction: 'asc' | 'desc') => {
  const [all, byTopic] = [pageIn(direction, false, false), pageIn(direction, true, false)];
  const [bySender, byBoth] = [pageIn(direction, false, true), pageIn(direction, true, true)];
  return ({ topic_key, sender_id }: MessageFilter) => {
    if (topic_key === null) return sender_id === null ? all : bySender;
    return sender_id === null ? byTopic : byBoth;
  };
};
const firstPage = pagesIn('asc');
const lastPage = pagesIn('desc');

/** Ids that are read at once when a list is walked. */
const idsPerPage = 100;

const selectLowest = statement<{ [Name in keyof MessageFilter]: MessageFilter[Name] } & { readonly ids: string }>()(
  (query, value) =>
    query
      .selectFrom('message')
      .select((build) => build.fn.min('id').as('id'))
      .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
      .where('conversation_id', '=', value.conversation_id)
      .where('id', '>', value.after)
      .where('id', '<=', value.up_to)
      .where(sql<boolean>`ifnull(topic_key = ${value.topic_key}, 1)`)
      .where(sql<boolean>`ifnull(sender_id = ${value.sender_id}, 1)`)
      .where('deleted', 'is', null),
);

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
const forgetClientMessages = statement<{ before: number; most: number }>()((query, value) =>
  query
    .deleteFrom('client_message')
    .where(
      sql<boolean>`(sender_id, client_message_id) IN (
        SELECT sender_id, client_message_id FROM client_message WHERE sent < ${value.before} LIMIT ${value.most}
      )`,
    ),
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

  /** Every id that a filter lets pass, the oldest first, read page by page as it is asked for. */
  *idsUp(reader: Reader, filter: MessageFilter): Generator<number, undefined> {
    for (let after = filter.after; ; ) {
      const page = reader.all(firstPage(filter), { ...filter, after, most: idsPerPage });
      for (const { id } of page) yield id;
      if (page.length < idsPerPage) return undefined;
      after = page.at(-1)?.id ?? after;
    }
  },
  /** The same, the newest first. */
  *idsDown(reader: Reader, filter: MessageFilter): Generator<number, undefined> {
    for (let up_to = filter.up_to; ; ) {
      const page = reader.all(lastPage(filter), { ...filter, up_to, most: idsPerPage });
      for (const { id } of page) yield id;
      if (page.length < idsPerPage) return undefined;
      up_to = (page.at(-1)?.id ?? 0) - 1;
    }
  },
  /** The lowest of `ids` that a filter lets pass. */
  lowestOf: (reader: Reader, filter: MessageFilter, ids: readonly number[]): number | undefined =>
    reader.get(selectLowest, { ...filter, ids: JSON.stringify(ids) })?.id ?? undefined,

  rememberClientId: (tx: Transaction, sent: Row<'client_message'>) => tx.run(insertClientMessage, sent),
  byClientId: (reader: Reader, senderId: number, clientMessageId: string) =>
    reader.get(selectClientMessage, { sender_id: senderId, client_message_id: clientMessageId })?.message_id,
  /** At most `most` at once. */
  forgetClientIds: (tx: Transaction, before: number, most: number) => tx.run(forgetClientMessages, { before, most }),
};

/** Topics are the same when they differ only in case. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase();
