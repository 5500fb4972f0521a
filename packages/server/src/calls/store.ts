import type { CallAnswer, CallEndReason, CallKind } from '@engawa/protocol/calls';
import { type Columns, type Transaction, type Value, each } from '@engawa/chat-server/database';
import { queries } from '../database/schema.ts';

export interface CallRow {
  readonly id: string;
  readonly conversation: string;
  readonly kind: CallKind;
  readonly started_by: number;
  readonly started: number;
  readonly alive: number;
  readonly ended: number | null;
  readonly reason: CallEndReason | null;
  readonly message_id: number | null;
}

type NewCall = Omit<CallRow, 'ended' | 'reason' | 'message_id'>;

export interface CallMemberRow {
  readonly call_id: string;
  readonly user_id: number;
  readonly answer: CallAnswer;
  readonly first_joined: number | null;
  readonly last_left: number | null;
}

const oldIds = queries.values((query, before: Value<number>, most: Value<number>) =>
  query.selectFrom('call').select('id').where('started', '<', before).orderBy('started').limit(most),
);
const removeMembers = queries.run((query, id: Value<string>) => query.deleteFrom('call_member').where('call_id', '=', id));
const remove = queries.run((query, id: Value<string>) => query.deleteFrom('call').where('id', '=', id));

export const callRows = {
  byId: queries.row((query, id: Value<string>) => query.selectFrom('call').selectAll().where('id', '=', id)),
  ongoing: queries.rows((query) => query.selectFrom('call').selectAll().where('ended', 'is', null)),
  ofMessages: queries.rows((query, messageIds: Value<readonly number[]>) =>
    query.selectFrom('call').select(['id', 'kind', 'message_id']).where('message_id', 'in', each(messageIds)),
  ),
  members: queries.rows((query, id: Value<string>) =>
    query.selectFrom('call_member').selectAll().where('call_id', '=', id).orderBy('user_id'),
  ),
  insert: queries.run((query, { id, conversation, kind, started_by, started, alive }: Columns<NewCall>) =>
    query
      .insertInto('call')
      .values({ id, conversation, kind, started_by, started, alive, ended: null, reason: null, message_id: null }),
  ),
  setMessage: queries.run((query, id: Value<string>, message_id: Value<number>) =>
    query.updateTable('call').set({ message_id }).where('id', '=', id),
  ),
  setAlive: queries.run((query, id: Value<string>, alive: Value<number>) =>
    query.updateTable('call').set({ alive }).where('id', '=', id).where('ended', 'is', null),
  ),
  end: queries.run((query, id: Value<string>, ended: Value<number>, reason: Value<CallEndReason>) =>
    query.updateTable('call').set({ ended, reason }).where('id', '=', id),
  ),
  putMember: queries.run((query, { call_id, user_id, answer, first_joined, last_left }: Columns<CallMemberRow>) =>
    query
      .insertInto('call_member')
      .values({ call_id, user_id, answer, first_joined, last_left })
      .onConflict((conflict) => conflict.columns(['call_id', 'user_id']).doUpdateSet({ answer, first_joined, last_left })),
  ),
  remove(tx: Transaction, id: string): void {
    removeMembers(tx, id);
    remove(tx, id);
  },
  /** @param most bounds the work of one transaction. */
  removeOld(tx: Transaction, before: number, most: number): void {
    for (const id of oldIds(tx, before, most)) callRows.remove(tx, id);
  },
};
