import type { Columns } from '@engawa/chat-server/database';
import { type Schema, queries } from '../database/schema.ts';

export const demoMembers = {
  all: queries.rows((query) => query.selectFrom('demo_member').selectAll()),
  insert: queries.run((query, { email, user_id }: Columns<Schema['demo_member']>) =>
    query.insertInto('demo_member').values({ email, user_id }),
  ),
};

export const seedings = {
  get: queries.row((query) => query.selectFrom('seeding').selectAll()),
  begin: queries.run((query) =>
    query
      .insertInto('seeding')
      .values({ id: 1, finished: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  remove: queries.run((query) => query.deleteFrom('seeding')),
  finish: queries.run((query) => query.updateTable('seeding').set({ finished: 1 })),
};
