import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { EmbedderGroup, Groups } from '../identity/groups.ts';
import { users } from '../identity/store.ts';
import { type Steps, slicesOf } from '../turns.ts';
import { changeMembers, changeSubgroups } from './changes.ts';
import { publishGroup } from './events.ts';
import { type UserGroupRow, groupMembers, subgroups, userGroups } from './store.ts';

/**
 * Makes the stored copies equal to the groups of the embedding program, and publishes the differences. The work grows with the
 * number of groups and their members, so it is done in steps.
 */
export function* copyEmbedderGroups(tx: Transaction, log: EventLog, groups: Groups): Steps<void> {
  const wanted = groups.all();
  const stored = new Map(userGroups.all(tx).flatMap((row) => (row.code === null ? [] : [[row.code, row]])));
  const codes = new Set(wanted.map(({ code }) => code));
  for (const [code, { id }] of stored) {
    if (codes.has(code)) continue;
    for (const parent of subgroups.parentsOf(tx, id)) changeSubgroups(tx, log, parent, { removed: [id] });
    // A guest sees a group while they are its member, so for a guest the group ends with this event.
    yield* removeMembers(tx, log, id, groupMembers.of(tx, id));
    userGroups.delete(tx, id);
    publishGroup(tx, log, { op: 'remove', group_id: id });
    stored.delete(code);
    yield;
  }
  const known = new Set(users.ids(tx));
  const ids = new Map<string, number>();
  for (const group of wanted) {
    ids.set(group.code, yield* copyGroup(tx, log, stored.get(group.code), group, known));
    yield;
  }
  for (const { code, children } of wanted) {
    const id = ids.get(code);
    if (id === undefined) continue;
    const below = new Set(children.flatMap((child) => ids.get(child) ?? []));
    const before = new Set(subgroups.of(tx, id));
    changeSubgroups(tx, log, id, { added: [...below.difference(before)], removed: [...before.difference(below)] });
    yield;
  }
}

/** @param known the ids of all users: the embedding program may be ahead or behind by one interrupted change. */
function* copyGroup(
  tx: Transaction,
  log: EventLog,
  row: UserGroupRow | undefined,
  { code, name, memberIds }: EmbedderGroup,
  known: ReadonlySet<number>,
): Steps<number> {
  const wanted = new Set(memberIds.filter((id) => known.has(id)));
  if (!row) {
    const id = userGroups.insert(tx, { name, description: '', code, creator_id: null, created: null });
    for (const userId of wanted) {
      groupMembers.insert(tx, id, userId);
      yield;
    }
    publishGroup(tx, log, { op: 'add', group_id: id });
    return id;
  }
  if (row.name !== name) {
    userGroups.setTexts(tx, row.id, name, row.description);
    publishGroup(tx, log, { op: 'update', group_id: row.id, data: { name } });
  }
  const before = new Set(groupMembers.of(tx, row.id));
  for (const added of slicesOf([...wanted.difference(before)])) {
    changeMembers(tx, log, row.id, { added });
    yield;
  }
  yield* removeMembers(tx, log, row.id, [...before.difference(wanted)]);
  return row.id;
}

function* removeMembers(tx: Transaction, log: EventLog, groupId: number, userIds: readonly number[]): Steps<void> {
  for (const removed of slicesOf(userIds)) {
    changeMembers(tx, log, groupId, { removed });
    yield;
  }
}
