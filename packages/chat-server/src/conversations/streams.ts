import { streamNameKey } from '@engawa/protocol';
import { type Kysely, sql } from 'kysely';
import { type Columns, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { type Row, type Schema, queries } from '../schema.ts';
import { conversations } from './store.ts';

export type StreamRow = Row<'stream'> & Pick<Row<'conversation'>, 'shared_history'>;
type NewStream = Omit<Row<'stream'>, 'is_archived' | 'first_message_id' | 'picture_url'>;

/** `index` holds only these rows. It must be named, and its conditions repeated, because SQLite would choose another one. */
const streamsIn = (query: Kysely<Schema>, index: string) =>
  query
    .selectFrom(sql<Row<'stream'>>`stream`.as<'stream'>(sql`stream INDEXED BY ${sql.ref(index)}`))
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history');

const insertStream = queries.run((query, stream: Columns<NewStream>) =>
  query.insertInto('stream').values({
    is_archived: 0,
    first_message_id: null,
    conversation_id: stream.conversation_id,
    name: stream.name,
    name_key: stream.name_key,
    description: stream.description,
    invite_only: stream.invite_only,
    creator_id: stream.creator_id,
    created: stream.created,
  }),
);
const selectByNameKey = queries.row((query, nameKey: Value<string>) =>
  query
    .selectFrom('stream')
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history')
    .where('name_key', '=', nameKey),
);
const setName = queries.run((query, id: Value<number>, name: Value<string>, nameKey: Value<string>) =>
  query.updateTable('stream').set({ name, name_key: nameKey }).where('conversation_id', '=', id),
);
const setNameKey = queries.run((query, id: Value<number>, nameKey: Value<string>) =>
  query.updateTable('stream').set({ name_key: nameKey }).where('conversation_id', '=', id),
);
const setArchived = queries.run((query, id: Value<number>, nameKey: Value<string>) =>
  query.updateTable('stream').set({ is_archived: 1, name_key: nameKey }).where('conversation_id', '=', id),
);

export const streams = {
  /** @returns the id of the stream's conversation. */
  insert(tx: Transaction, stream: Omit<NewStream, 'conversation_id' | 'name_key'>, sharedHistory: boolean): number {
    const id = conversations.insert(tx, 'stream', sharedHistory);
    insertStream(tx, { ...stream, conversation_id: id, name_key: streamNameKey(stream.name) });
    return id;
  },
  byId: queries.row((query, id: Value<number>) =>
    query
      .selectFrom('stream')
      .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
      .selectAll('stream')
      .select('conversation.shared_history')
      .where('conversation.id', '=', id),
  ),
  byName: (reader: Reader, name: string) => selectByNameKey(reader, streamNameKey(name)),
  byIds: queries.rows((query, ids: Value<readonly number[]>) =>
    query.selectFrom('stream').select(['conversation_id', 'name', 'is_archived']).where('conversation_id', 'in', each(ids)),
  ),
  byNameKeys: queries.rows((query, nameKeys: Value<readonly string[]>) =>
    query.selectFrom('stream').select(['conversation_id', 'name_key']).where('name_key', 'in', each(nameKeys)),
  ),
  /** Also archived ones. The work grows with the streams. */
  all: queries.rows((query) =>
    query
      .selectFrom('stream')
      .select(['conversation_id', 'name', 'name_key', 'description', 'invite_only', 'is_archived', 'creator_id', 'created']),
  ),
  open: queries.rows((query, most: Value<number>) =>
    streamsIn(query, 'stream_open').where('is_archived', '=', sql.lit(0)).orderBy('name_key').limit(most),
  ),
  public: queries.rows((query, most: Value<number>) =>
    streamsIn(query, 'stream_public')
      .where('invite_only', '=', sql.lit(0))
      .where('is_archived', '=', sql.lit(0))
      .orderBy('name_key')
      .limit(most),
  ),

  /** Archives a stream and frees its name. */
  archive: (tx: Transaction, id: number) => setArchived(tx, id, `\0archived ${id}`),
  rename: (tx: Transaction, id: number, name: string) => setName(tx, id, name, streamNameKey(name)),
  /** Frees a stream's name until the stream gets another one. */
  releaseName: (tx: Transaction, id: number) => setNameKey(tx, id, `\0nameless ${id}`),
  setDescription: queries.run((query, id: Value<number>, description: Value<string>) =>
    query.updateTable('stream').set({ description }).where('conversation_id', '=', id),
  ),
  setPicture: queries.run((query, id: Value<number>, url: Value<string | null>) =>
    query.updateTable('stream').set({ picture_url: url }).where('conversation_id', '=', id),
  ),
  setFirstMessage: queries.run((query, id: Value<number>, messageId: Value<number | null>) =>
    query.updateTable('stream').set({ first_message_id: messageId }).where('conversation_id', '=', id),
  ),
  noteFirstMessage: queries.run((query, id: Value<number>, messageId: Value<number>) =>
    query
      .updateTable('stream')
      .set({ first_message_id: messageId })
      .where('conversation_id', '=', id)
      .where('first_message_id', 'is', null),
  ),
};
