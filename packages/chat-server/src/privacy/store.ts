import type { Expression, Kysely } from 'kysely';
import { type Value, each } from '../database/index.ts';
import { type Schema, queries } from '../schema.ts';

/** The users who are current members of a conversation of this user. A deactivated user keeps their memberships. */
const sharingWith = (query: Kysely<Schema>, userId: Expression<number>) =>
  query
    .selectFrom('membership as own')
    .innerJoin('membership as other', 'other.conversation_id', 'own.conversation_id')
    .select('other.user_id')
    .distinct()
    .where('own.user_id', '=', userId)
    .where('own.ended_event', 'is', null)
    .where('other.ended_event', 'is', null);

export const sharedConversations = {
  /** The work grows with the members of the user's conversations. */
  users: queries.values((query, userId: Value<number>) => sharingWith(query, userId)),
  /** The work grows with the user's conversations times the number of `ids`. */
  usersAmong: queries.values((query, userId: Value<number>, ids: Value<readonly number[]>) =>
    sharingWith(query, userId).where('other.user_id', 'in', each(ids)),
  ),
};
