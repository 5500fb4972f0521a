import type { Columns, Value } from '@engawa/chat-server/database';
import type { OffReason, PostError } from '@engawa/protocol/outgoing-hooks';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Schema, queries } from '../../database/schema.ts';

export type OutgoingHookRow = Schema['outgoing_hook'];
export type Destination = Pick<OutgoingHookRow, 'address' | 'stream_ids'>;

interface Failure {
  readonly error: PostError;
  readonly error_status: number | null;
  readonly time: number;
}

/** The stored cursor before a post, and the cursor after its message. */
interface Move {
  readonly from: number;
  readonly to: number;
}

interface Retry {
  /** The stored cursor before the post. */
  readonly from: number;
  readonly message_id: number;
  readonly attempts: number;
  readonly first_attempt: number;
  readonly next_attempt: number;
}

const storedIds = z.array(z.int());
/** At most `maxHookStreams`. */
export function streamIdsOf({ stream_ids }: Pick<OutgoingHookRow, 'stream_ids'>): number[] {
  return storedIds.parse(JSON.parse(stream_ids));
}

const noRetry = { message_id: null, attempts: 0, first_attempt: null, next_attempt: null } as const;

const turnOff = (query: Kysely<Schema>, botId: Value<number>, off: Value<OffReason>) =>
  query
    .updateTable('outgoing_hook')
    .set({ off, ...noRetry })
    .where('bot_id', '=', botId);

export const outgoingHooks = {
  of: queries.row((query, botId: Value<number>) => query.selectFrom('outgoing_hook').selectAll().where('bot_id', '=', botId)),
  /** At most `maxOutgoingHooks`. */
  all: queries.rows((query) => query.selectFrom('outgoing_hook').selectAll().orderBy('bot_id')),
  count: queries.value((query) => query.selectFrom('outgoing_hook').select((build) => build.fn.countAll<number>().as('count'))),
  insert: queries.run(
    (query, hook: Columns<Pick<OutgoingHookRow, 'bot_id' | 'owner_id' | 'secret' | 'created' | 'cursor'> & Destination>) =>
      query.insertInto('outgoing_hook').values({
        bot_id: hook.bot_id,
        owner_id: hook.owner_id,
        address: hook.address,
        stream_ids: hook.stream_ids,
        secret: hook.secret,
        created: hook.created,
        cursor: hook.cursor,
        off: null,
        last_success: null,
        failing_since: null,
        error: null,
        error_status: null,
        error_time: null,
        dropped: 0,
        ...noRetry,
      }),
  ),
  setDestination: queries.run((query, botId: Value<number>, destination: Columns<Destination>) =>
    query
      .updateTable('outgoing_hook')
      .set({ address: destination.address, stream_ids: destination.stream_ids })
      .where('bot_id', '=', botId),
  ),
  setSecret: queries.run((query, botId: Value<number>, ownerId: Value<number>, secret: Value<string>) =>
    query.updateTable('outgoing_hook').set({ secret, owner_id: ownerId }).where('bot_id', '=', botId),
  ),
  turnOff: queries.run((query, botId: Value<number>, off: Value<OffReason>) => turnOff(query, botId, off)),
  turnOffIfOn: queries.run((query, botId: Value<number>, off: Value<OffReason>) =>
    turnOff(query, botId, off).where('off', 'is', null),
  ),
  turnOn: queries.run((query, botId: Value<number>, cursor: Value<number>) =>
    query
      .updateTable('outgoing_hook')
      .set({ off: null, cursor, failing_since: null, ...noRetry })
      .where('bot_id', '=', botId),
  ),
  /** No member has the id 0, so every owner renews the secret before the hook is turned on. */
  endAllSecrets: queries.run((query) =>
    query.updateTable('outgoing_hook').set((build) => ({
      owner_id: 0,
      off: build
        .case()
        .when('off', '=', 'administrator')
        .then(build.ref('off'))
        .else('owner_changed' as const)
        .end(),
      ...noRetry,
    })),
  ),
  remove: queries.run((query, botId: Value<number>) => query.deleteFrom('outgoing_hook').where('bot_id', '=', botId)),

  retryNow: queries.run((query, botId: Value<number>) =>
    query.updateTable('outgoing_hook').set({ next_attempt: 0 }).where('bot_id', '=', botId).where('message_id', 'is not', null),
  ),
  /** Does nothing if the cursor was set meanwhile, because the hook was turned on. */
  moveCursor: queries.run((query, botId: Value<number>, { from, to }: Columns<Move>) =>
    query.updateTable('outgoing_hook').set({ cursor: to }).where('bot_id', '=', botId).where('cursor', '=', from),
  ),
  /** The message needs no post any more. Does nothing if the hook was turned off meanwhile, even if it is on again. */
  pass: queries.run((query, botId: Value<number>, { from, to }: Columns<Move>) =>
    query
      .updateTable('outgoing_hook')
      .set({ cursor: to, ...noRetry })
      .where('bot_id', '=', botId)
      .where('cursor', '=', from)
      .where('off', 'is', null),
  ),
  noteSuccess: queries.run((query, botId: Value<number>, time: Value<number>) =>
    query.updateTable('outgoing_hook').set({ last_success: time, failing_since: null }).where('bot_id', '=', botId),
  ),
  noteError: queries.run((query, botId: Value<number>, { error, error_status, time }: Columns<Failure>) =>
    query.updateTable('outgoing_hook').set({ error, error_status, error_time: time }).where('bot_id', '=', botId),
  ),
  noteFailingSince: queries.run((query, botId: Value<number>, time: Value<number>) =>
    query
      .updateTable('outgoing_hook')
      .set({ failing_since: time })
      .where('bot_id', '=', botId)
      .where('failing_since', 'is', null),
  ),
  /** Does nothing if the hook was turned off meanwhile, even if it is on again. */
  setRetry: queries.run((query, botId: Value<number>, retry: Columns<Retry>) =>
    query
      .updateTable('outgoing_hook')
      .set({
        message_id: retry.message_id,
        attempts: retry.attempts,
        first_attempt: retry.first_attempt,
        next_attempt: retry.next_attempt,
      })
      .where('bot_id', '=', botId)
      .where('cursor', '=', retry.from)
      .where('off', 'is', null),
  ),
  countDropped: queries.run((query, botId: Value<number>) =>
    query
      .updateTable('outgoing_hook')
      .set((build) => ({ dropped: build('dropped', '+', 1) }))
      .where('bot_id', '=', botId),
  ),
};

export const hookOrigins = {
  of: queries.row((query, origin: Value<string>) => query.selectFrom('hook_origin').selectAll().where('origin', '=', origin)),
  /** At most `maxHookOrigins`. */
  all: queries.rows((query) => query.selectFrom('hook_origin').selectAll().orderBy('origin')),
  put: queries.run((query, origin: Value<string>, isPrivate: Value<number>) =>
    query
      .insertInto('hook_origin')
      .values({ origin, is_private: isPrivate })
      .onConflict((conflict) => conflict.column('origin').doUpdateSet({ is_private: isPrivate })),
  ),
  remove: queries.run((query, origin: Value<string>) => query.deleteFrom('hook_origin').where('origin', '=', origin)),
};
