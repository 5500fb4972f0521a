import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { users } from '../identity/store.ts';
import { publishGroup } from './events.ts';
import { groupMembers, subgroups } from './store.ts';

interface Difference {
  readonly added?: readonly number[];
  readonly removed?: readonly number[];
}

/** Inactive users are not shown as members, so that no event names them. */
export function changeMembers(tx: Transaction, log: EventLog, group_id: number, { added = [], removed = [] }: Difference): void {
  for (const userId of added) groupMembers.insert(tx, group_id, userId);
  for (const userId of removed) groupMembers.delete(tx, group_id, userId);
  const active = new Set(users.byIds(tx, [...added, ...removed]).flatMap((user) => (user.is_active ? [user.id] : [])));
  publishDifference(
    tx,
    log,
    group_id,
    'add_members',
    added.filter((id) => active.has(id)),
  );
  publishDifference(
    tx,
    log,
    group_id,
    'remove_members',
    removed.filter((id) => active.has(id)),
  );
}

function publishDifference(
  tx: Transaction,
  log: EventLog,
  group_id: number,
  op: 'add_members' | 'remove_members',
  user_ids: number[],
): void {
  if (user_ids.length > 0) publishGroup(tx, log, { op, group_id, user_ids });
}

export function changeSubgroups(
  tx: Transaction,
  log: EventLog,
  group_id: number,
  { added = [], removed = [] }: Difference,
): void {
  for (const id of added) subgroups.insert(tx, group_id, id);
  for (const id of removed) subgroups.delete(tx, group_id, id);
  if (added.length > 0) publishGroup(tx, log, { op: 'add_subgroups', group_id, direct_subgroup_ids: [...added] });
  if (removed.length > 0) publishGroup(tx, log, { op: 'remove_subgroups', group_id, direct_subgroup_ids: [...removed] });
}
