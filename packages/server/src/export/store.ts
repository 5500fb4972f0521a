import type { Value } from '@engawa/chat-server/database';
import { queries } from '../database/schema.ts';

export const exported = {
  files: queries.rows((query, after: Value<string>, most: Value<number>) =>
    query.selectFrom('file').selectAll().where('stored_name', '>', after).orderBy('stored_name').limit(most),
  ),
  profiles: queries.rows((query) => query.selectFrom('profile').selectAll().orderBy('user_id')),
  departments: queries.value((query) =>
    query.selectFrom('department').select((build) => build.fn.countAll<number>().as('departments')),
  ),
  streamPictures: queries.value((query) =>
    query.selectFrom('stream_picture').select((build) => build.fn.countAll<number>().as('pictures')),
  ),
};
