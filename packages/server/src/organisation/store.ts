import type { Value } from '@engawa/chat-server/database';
import { queries } from '../database/schema.ts';

/** The stored change; at most one, because plans run one at a time. */
export const pendingChange = {
  get: queries.row((query) => query.selectFrom('organisation_change').selectAll()),
  insert: queries.run((query, id: Value<string>, change: Value<string>) =>
    query.insertInto('organisation_change').values({ id, change, made: 0 }),
  ),
  noteMade: queries.run((query, id: Value<string>) =>
    query.updateTable('organisation_change').set({ made: 1 }).where('id', '=', id),
  ),
  remove: queries.run((query, id: Value<string>) => query.deleteFrom('organisation_change').where('id', '=', id)),
};
