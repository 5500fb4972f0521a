import type { Columns, Value } from '@engawa/chat-server/database';
import type { HookError } from '@engawa/protocol/hooks';
import { sql } from 'kysely';
import { type Schema, queries } from '../database/schema.ts';

export type HookRow = Schema['hook'];
type Place = Pick<HookRow, 'stream_id' | 'topic'>;

export const hooks = {
  byTokenHash: queries.row((query, hash: Value<Uint8Array>) =>
    query.selectFrom('hook').selectAll().where('token_hash', '=', hash),
  ),
  ofBot: queries.row((query, botId: Value<number>) => query.selectFrom('hook').selectAll().where('bot_id', '=', botId)),
  /** The work grows with the number of hooks. */
  all: queries.rows((query) => query.selectFrom('hook').selectAll().orderBy('bot_id')),
  insert: queries.run((query, hook: Columns<Pick<HookRow, 'bot_id' | 'owner_id' | 'token_hash' | 'created'> & Place>) =>
    query.insertInto('hook').values({
      bot_id: hook.bot_id,
      owner_id: hook.owner_id,
      token_hash: hook.token_hash,
      stream_id: hook.stream_id,
      topic: hook.topic,
      created: hook.created,
      used: null,
      error: null,
      error_time: null,
    }),
  ),
  setPlace: queries.run((query, botId: Value<number>, place: Columns<Place>) =>
    query.updateTable('hook').set({ stream_id: place.stream_id, topic: place.topic }).where('bot_id', '=', botId),
  ),
  setToken: queries.run((query, botId: Value<number>, owner_id: Value<number>, token_hash: Value<Uint8Array>) =>
    query.updateTable('hook').set({ owner_id, token_hash }).where('bot_id', '=', botId),
  ),
  noteUse: queries.run((query, botId: Value<number>, time: Value<number>) =>
    query.updateTable('hook').set({ used: time }).where('bot_id', '=', botId),
  ),
  noteError: queries.run((query, botId: Value<number>, error: Value<HookError>, time: Value<number>) =>
    query.updateTable('hook').set({ error, error_time: time }).where('bot_id', '=', botId),
  ),
  /** No token has the new hash, so every address must be renewed. */
  endAllTokens: queries.run((query) => query.updateTable('hook').set({ token_hash: sql<Uint8Array>`randomblob(32)` })),
  remove: queries.run((query, botId: Value<number>) => query.deleteFrom('hook').where('bot_id', '=', botId)),
};
