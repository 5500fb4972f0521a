import type { Value } from '@engawa/chat-server/database';
import { queries } from '../database/schema.ts';

export const firstStepNotes = {
  names: queries.values((query) => query.selectFrom('first_step').select('name')),
  add: queries.run((query, name: Value<'dismissed' | 'mail'>) =>
    query
      .insertInto('first_step')
      .values({ name })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  ),
  remove: queries.run((query, name: Value<'dismissed' | 'mail'>) => query.deleteFrom('first_step').where('name', '=', name)),
};
