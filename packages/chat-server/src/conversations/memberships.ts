import type { Role } from '@engawa/protocol';
import { type Kysely, sql } from 'kysely';
import { type Columns, type Database, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { type Viewer, viewerOf } from '../identity/member.ts';
import { type Row, type Schema, columns, queries } from '../schema.ts';

export type MembershipRow = Row<'membership'>;
type NewMembership = Pick<MembershipRow, 'conversation_id' | 'user_id' | 'began_event' | 'began_message' | 'color'>;

/** The columns of a membership's period. They decide which messages and events its user may read and receives. */
export type Period = Pick<MembershipRow, 'began_event' | 'ended_event' | 'began_message' | 'ended_message'> & {
  readonly shared_history: number;
};
const periodColumns = ['began_event', 'ended_event', 'began_message', 'ended_message', 'conversation.shared_history'] as const;

/** A current member of a conversation. */
export type RecipientRow = Pick<MembershipRow, 'user_id' | 'began_message'> & Pick<Row<'user'>, 'is_active' | 'is_bot'>;

const settingColumns = [
  'color',
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
  'put_away',
] as const;
export type SubscriptionSettings = Pick<MembershipRow, (typeof settingColumns)[number]>;

function periods(query: Kysely<Schema>) {
  return query.selectFrom('membership').innerJoin('conversation', 'conversation.id', 'membership.conversation_id');
}

function currentOf(query: Kysely<Schema>, userId: Value<number>) {
  return query.selectFrom('membership').where('user_id', '=', userId).where('ended_event', 'is', null);
}

function activeMembers(query: Kysely<Schema>) {
  const current = query.selectFrom('membership').where('ended_event', 'is', null);
  return current.innerJoin('user', 'user.id', 'membership.user_id').where('user.is_active', '=', 1);
}

/** The order is that of an index, so that `most` also bounds the rows that SQLite reads. */
const selectPeriodsIn = queries.rows((query, conversationId: Value<number>, most: Value<number>) =>
  periods(query)
    .select(['user_id', ...periodColumns])
    .where('conversation_id', '=', conversationId)
    .orderBy('user_id')
    .orderBy('membership.id')
    .limit(most),
);
const selectPeriodsOf = queries.rows((query, conversationId: Value<number>, userIds: Value<readonly number[]>) =>
  periods(query)
    .select(['user_id', ...periodColumns])
    .where('conversation_id', '=', conversationId)
    .where('user_id', 'in', each(userIds))
    .orderBy('membership.id'),
);
const repeat = queries.run((query, id: Value<number>, event: Value<number>, message: Value<number>) =>
  query
    .insertInto('membership')
    .columns(['conversation_id', 'user_id', 'began_event', 'began_message', ...settingColumns])
    .expression((from) =>
      from
        .selectFrom('membership')
        .select(['conversation_id', 'user_id'])
        .select([sql<number>`${event}`.as('event'), sql<number>`${message}`.as('message')])
        .select(settingColumns)
        .where('id', '=', id),
    ),
);
const selectSubscribers = queries.values((query, conversationId: Value<number>, most: Value<number>) =>
  activeMembers(query).select('user_id').where('conversation_id', '=', conversationId).orderBy('user_id').limit(most),
);
const countSubscribers = queries.rows((query, ids: Value<readonly number[]>) =>
  activeMembers(query)
    .select((build) => ['conversation_id', build.fn.countAll<number>().as('members')])
    .where('conversation_id', 'in', each(ids))
    .groupBy('conversation_id'),
);

const selectCurrentUsers = queries.rows((query, conversationId: Value<number>, role: Value<number | null>) =>
  query
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select(['user.id', 'role', 'bot_owner_id'])
    .where('conversation_id', '=', conversationId)
    .where('ended_event', 'is', null)
    .where(sql<boolean>`(${role} IS NULL OR role = ${role})`)
    .orderBy('membership.user_id'),
);

/** The returned function returns the same object until a change of the columns of any `Period`. */
export function membershipStates(database: Database): () => object {
  const stateOf = database.untilChange(['membership', 'conversation'], 1, () => ({}));
  return () => stateOf(undefined);
}

/** One row is one membership period. A membership is current while its `ended_event` is null. */
export const memberships = {
  insert: queries.run((query, membership: Columns<NewMembership>) =>
    query.insertInto('membership').values({
      ended_event: null,
      ended_message: null,
      is_muted: 0,
      pin_to_top: 0,
      ...columns(membership, ['conversation_id', 'user_id', 'began_event', 'began_message', 'color']),
    }),
  ),
  /** @param event the last one of the conversation that the former member receives. */
  end: queries.run((query, conversationId: Value<number>, userId: Value<number>, event: Value<number>, message: Value<number>) =>
    query
      .updateTable('membership')
      .set({ ended_event: event, ended_message: message })
      .where('conversation_id', '=', conversationId)
      .where('user_id', '=', userId)
      .where('ended_event', 'is', null),
  ),
  endAll: queries.run((query, conversationId: Value<number>, event: Value<number>, message: Value<number>) =>
    query
      .updateTable('membership')
      .set({ ended_event: event, ended_message: message })
      .where('conversation_id', '=', conversationId)
      .where('ended_event', 'is', null),
  ),
  /** Ends a membership and starts another with the same settings. @param event the last event of the ended membership. */
  divide(tx: Transaction, { id, conversation_id, user_id }: MembershipRow, event: number, message: number): void {
    memberships.end(tx, conversation_id, user_id, event, message);
    repeat(tx, id, event, message);
  },
  moveBeginning: queries.run((query, id: Value<number>, event: Value<number>, message: Value<number>) =>
    query.updateTable('membership').set({ began_event: event, began_message: message }).where('id', '=', id),
  ),
  deleteEnded: queries.run((query, conversationId: Value<number>, userId: Value<number>, kept: Value<number>) =>
    query
      .deleteFrom('membership')
      .where('conversation_id', '=', conversationId)
      .where('user_id', '=', userId)
      .where('ended_event', 'is not', null)
      .where('id', 'not in', (newest) =>
        newest
          .selectFrom('membership')
          .select('id')
          .where('conversation_id', '=', conversationId)
          .where('user_id', '=', userId)
          .orderBy('id', 'desc')
          .limit(kept),
      ),
  ),
  setSettings: queries.run((query, id: Value<number>, settings: Columns<SubscriptionSettings>) =>
    query.updateTable('membership').set(columns(settings, settingColumns)).where('id', '=', id),
  ),
  /** @param userIds null: all members. @returns users who had put it away. Conditions as in the index `membership_put_away`. */
  restorePutAway: queries.values(
    (query, conversationId: Value<number>, exceptUserId: Value<number>, userIds: Value<readonly number[] | null>) =>
      query
        .updateTable('membership')
        .set({ put_away: 0 })
        .where('conversation_id', '=', conversationId)
        .where('put_away', '=', sql.lit(1))
        .where('ended_event', 'is', null)
        .where('user_id', '!=', exceptUserId)
        .where(sql<boolean>`(${userIds} IS NULL OR user_id IN ${each(userIds)})`)
        .returning('user_id'),
  ),

  of: queries.rows((query, conversationId: Value<number>, userId: Value<number>) =>
    periods(query)
      .selectAll('membership')
      .select('conversation.shared_history')
      .where('conversation_id', '=', conversationId)
      .where('user_id', '=', userId)
      .orderBy('membership.id'),
  ),
  /** All periods, the oldest of a user first; undefined if there are more than `most`. */
  allPeriods(reader: Reader, conversationId: number, most: number) {
    const rows = selectPeriodsIn(reader, conversationId, most + 1);
    return rows.length > most ? undefined : rows;
  },
  /** The periods of these users, oldest first. */
  periodsOf: selectPeriodsOf,
  periodsOfUser: queries.rows((query, userId: Value<number>) =>
    periods(query)
      .select(['conversation_id', ...periodColumns])
      .where('user_id', '=', userId)
      .orderBy('membership.id'),
  ),
  current: queries.row((query, conversationId: Value<number>, userId: Value<number>) =>
    currentOf(query, userId).selectAll().where('conversation_id', '=', conversationId),
  ),
  currentOf: queries.rows((query, userId: Value<number>) => currentOf(query, userId).selectAll().orderBy('conversation_id')),
  subscriptions: queries.rows((query, userId: Value<number>) =>
    currentOf(query, userId)
      .innerJoin('stream', 'stream.conversation_id', 'membership.conversation_id')
      .selectAll('membership')
      .where('is_archived', '=', 0)
      .orderBy('membership.conversation_id'),
  ),
  colors: queries.values((query, userId: Value<number>, most: Value<number>) =>
    currentOf(query, userId).select('color').orderBy('conversation_id', 'desc').limit(most),
  ),
  /** Includes inactive users. The plus stops SQLite from using an index on conversations, which may have thousands of members. */
  currentAmong: queries.rows((query, ids: Value<readonly number[]>, userIds: Value<readonly number[]>) =>
    query
      .selectFrom('membership')
      .select(['conversation_id', 'user_id'])
      .where('user_id', 'in', each(userIds))
      .where(sql<number>`+conversation_id`, 'in', each(ids))
      .where('ended_event', 'is', null),
  ),
  membersAmong: queries.values((query, conversationId: Value<number>, userIds: Value<readonly number[]>) =>
    activeMembers(query).select('user_id').where('conversation_id', '=', conversationId).where('user_id', 'in', each(userIds)),
  ),
  /** Includes inactive members: callers page by user id and leave them out themselves. */
  recipients: queries.rows((query, conversationId: Value<number>, after: Value<number>, most: Value<number>) =>
    query
      .selectFrom('membership')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .select(['membership.user_id', 'began_message', 'is_active', 'is_bot'])
      .where('membership.conversation_id', '=', conversationId)
      .where('ended_event', 'is', null)
      .where('membership.user_id', '>', after)
      .orderBy('membership.user_id')
      .limit(most),
  ),
  /** Includes inactive users. The work grows with the members of the conversation, also for one role. @param role default: all. */
  currentUsers: (reader: Reader, conversationId: number, role: Role | null = null): Viewer[] =>
    selectCurrentUsers(reader, conversationId, role).map(viewerOf),
  /** The default -1 returns all subscribers, because SQLite ignores a negative limit. */
  subscribers: (reader: Reader, conversationId: number, most = -1): number[] => selectSubscribers(reader, conversationId, most),
  /** Active subscribers who are no bots. */
  people: queries.values((query, conversationId: Value<number>, most: Value<number>) =>
    activeMembers(query)
      .select('user_id')
      .where('conversation_id', '=', conversationId)
      .where('user.is_bot', '=', 0)
      .orderBy('user_id')
      .limit(most),
  ),
  /** The map has no entry for a conversation without active members. */
  subscriberCounts: (reader: Reader, ids: readonly number[]): ReadonlyMap<number, number> =>
    new Map(countSubscribers(reader, ids).map(({ conversation_id, members }) => [conversation_id, members])),
};
