import { streamNameKey } from '@engawa/protocol';
import { type Kysely, sql } from 'kysely';
import { type Columns, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { type Row, type Schema, columns, queries } from '../schema.ts';
import { conversations } from './store.ts';

export type StreamRow = Row<'stream'> & Pick<Row<'conversation'>, 'shared_history'>;
type NewStream = Omit<Row<'stream'>, 'is_archived' | 'first_message_id' | 'picture_url' | 'is_default'>;

function streamRows(query: Kysely<Schema>, index = sql``) {
  return query
    .selectFrom(sql<Row<'stream'>>`stream`.as<'stream'>(sql`stream ${index}`))
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history');
}
/** Names the index, because SQLite would choose another one. The query must repeat the conditions of the index. */
const indexedBy = (index: string) => sql`INDEXED BY ${sql.ref(index)}`;

const insertStream = queries.run((query, stream: Columns<NewStream>) =>
  query.insertInto('stream').values({
    is_archived: 0,
    first_message_id: null,
    ...columns(stream, ['conversation_id', 'name', 'name_key', 'description', 'invite_only', 'creator_id', 'created']),
  }),
);
const selectByNameKey = queries.row((query, nameKey: Value<string>) => streamRows(query).where('name_key', '=', nameKey));
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
  insert(tx: Transaction, stream: Omit<NewStream, 'conversation_id' | 'name_key'>, sharedHistory: boolean): number {
    const id = conversations.insert(tx, 'stream', sharedHistory);
    insertStream(tx, { ...stream, conversation_id: id, name_key: streamNameKey(stream.name) });
    return id;
  },
  byId: queries.row((query, id: Value<number>) => streamRows(query).where('conversation.id', '=', id)),
  byName: (reader: Reader, name: string) => selectByNameKey(reader, streamNameKey(name)),
  byIds: queries.rows((query, ids: Value<readonly number[]>) =>
    query.selectFrom('stream').select(['conversation_id', 'name', 'is_archived']).where('conversation_id', 'in', each(ids)),
  ),
  byNameKeys: queries.rows((query, nameKeys: Value<readonly string[]>) =>
    query.selectFrom('stream').select(['conversation_id', 'name_key']).where('name_key', 'in', each(nameKeys)),
  ),
  /** Includes archived streams. The work grows with the number of streams. */
  all: queries.rows((query) =>
    query
      .selectFrom('stream')
      .select(['conversation_id', 'name', 'name_key', 'description', 'invite_only', 'is_archived', 'creator_id', 'created']),
  ),
  open: queries.rows((query, most: Value<number>) =>
    streamRows(query, indexedBy('stream_open')).where('is_archived', '=', sql.lit(0)).orderBy('name_key').limit(most),
  ),
  public: queries.rows((query, most: Value<number>) =>
    streamRows(query, indexedBy('stream_public'))
      .where('invite_only', '=', sql.lit(0))
      .where('is_archived', '=', sql.lit(0))
      .orderBy('name_key')
      .limit(most),
  ),

  archive: (tx: Transaction, id: number) => setArchived(tx, id, `\0archived ${id}`),
  rename: (tx: Transaction, id: number, name: string) => setName(tx, id, name, streamNameKey(name)),
  /** Gives a stream a name key that no name has, so that another stream can take its name before it gets a new one. */
  releaseName: (tx: Transaction, id: number) => setNameKey(tx, id, `\0nameless ${id}`),
  setDescription: queries.run((query, id: Value<number>, description: Value<string>) =>
    query.updateTable('stream').set({ description }).where('conversation_id', '=', id),
  ),
  setDefault: queries.run((query, id: Value<number>, isDefault: Value<number>) =>
    query.updateTable('stream').set({ is_default: isDefault }).where('conversation_id', '=', id),
  ),
  /** Ordered by name. At most `maxDefaultStreams`. */
  defaults: queries.rows((query) =>
    streamRows(query, indexedBy('stream_default'))
      .where('is_default', '=', sql.lit(1))
      .where('is_archived', '=', sql.lit(0))
      .orderBy('name_key'),
  ),
  defaultIds: (reader: Reader): number[] => streams.defaults(reader).map(({ conversation_id }) => conversation_id),
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
