import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type PresenceRow = Row<'presence'>;

const selectSince = statement<{ since: number }>()((query, value) =>
  query
    .selectFrom('presence')
    .innerJoin('user', 'user.id', 'presence.user_id')
    .selectAll('presence')
    .where('presence.idle', '>', value.since)
    .where('user.is_active', '=', 1),
);
const put = statement<PresenceRow>()((query, value) =>
  query
    .insertInto('presence')
    .values({ user_id: value.user_id, active: value.active, idle: value.idle })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ active: value.active, idle: value.idle })),
);
const remove = statement<{ user_id: number }>()((query, value) =>
  query.deleteFrom('presence').where('user_id', '=', value.user_id),
);

/** When members were last there, as far as it outlives the process. */
export const presences = {
  /** Of active users, from a time on. */
  since: (reader: Reader, since: number): PresenceRow[] => reader.all(selectSince, { since }),
  put: (tx: Transaction, row: PresenceRow) => tx.run(put, { ...row }),
  remove: (tx: Transaction, userId: number) => tx.run(remove, { user_id: userId }),
};
