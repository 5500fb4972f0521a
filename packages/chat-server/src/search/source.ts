import { each, type Value } from '../database/index.ts';
import { queries } from '../schema.ts';

const searched = ['id', 'conversation_id', 'topic', 'content', 'client', 'deleted'] as const;

export const source = {
  these: queries.rows((query, ids: Value<readonly number[]>) =>
    query.selectFrom('message').select(searched).where('id', 'in', each(ids)),
  ),
  below: queries.rows((query, id: Value<number>, most: Value<number>) =>
    query.selectFrom('message').select(searched).where('id', '<', id).orderBy('id', 'desc').limit(most),
  ),
};
