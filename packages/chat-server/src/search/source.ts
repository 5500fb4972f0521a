import { sql } from 'kysely';
import { each, type Value } from '../database/index.ts';
import { queries } from '../schema.ts';

const searched = ['id', 'conversation_id', 'topic', 'content', 'client', 'deleted'] as const;

/** Of other events, which may name the whole organisation, no payload is read. */
const changes = sql<string | null>`CASE type WHEN 'update_message' THEN payload END`;

export const source = {
  eventsAfter: queries.rows((query, id: Value<number>, most: Value<number>) =>
    query
      .selectFrom('event')
      .select(['id', 'type', 'message_id', changes.as('payload')])
      .where('id', '>', id)
      .orderBy('id')
      .limit(most),
  ),
  these: queries.rows((query, ids: Value<readonly number[]>) =>
    query.selectFrom('message').select(searched).where('id', 'in', each(ids)),
  ),
  below: queries.rows((query, id: Value<number>, most: Value<number>) =>
    query.selectFrom('message').select(searched).where('id', '<', id).orderBy('id', 'desc').limit(most),
  ),
};
