import { z } from 'zod';
import type { Transaction } from '../database/index.ts';
import { perEvent, perEventOfBatch } from '../events/batch.ts';
import { type EventSerializer, type EventSerializers, serializeAsLogged } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { isGuest } from '../identity/member.ts';
import { groupMembers, userGroups } from './store.ts';
import { systemGroup, systemGroupsOfRole } from './systemGroups.ts';
import { groupViewFor, seesGroup } from './view.ts';

const group_id = z.int();
const payload = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), group_id }),
  z.object({ op: z.literal('update'), group_id, data: z.record(z.string(), z.unknown()) }),
  z.object({ op: z.literal('remove'), group_id }),
  z.object({ op: z.enum(['add_members', 'remove_members']), group_id, user_ids: z.array(z.int()) }),
  z.object({ op: z.enum(['add_subgroups', 'remove_subgroups']), group_id, direct_subgroup_ids: z.array(z.int()) }),
]);
type GroupChange = z.output<typeof payload>;

export function publishGroup(tx: Transaction, log: EventLog, change: GroupChange): void {
  log.append(tx, { type: 'user_group', reach: 'everyone', payload: change });
}

type MemberChange = 'add_members' | 'remove_members';

/** Publishes that the system groups of a role gain or lose an active user. */
export function publishRoleMember(tx: Transaction, log: EventLog, op: MemberChange, userId: number, role: number): void {
  for (const { id } of systemGroupsOfRole(role)) publishGroup(tx, log, { op, group_id: id, user_ids: [userId] });
}

/** Publishes that all groups of a user gain or lose them, because the user was reactivated or deactivated. */
export function publishActivity(tx: Transaction, log: EventLog, op: MemberChange, userId: number, role: number): void {
  publishRoleMember(tx, log, op, userId, role);
  for (const id of groupMembers.groupsOf(tx, userId)) publishGroup(tx, log, { op, group_id: id, user_ids: [userId] });
}

const changeOf = perEvent((event) => payload.parse(JSON.parse(event.payload)));
/** Undefined if the group was removed after the event. */
const groupOf = perEventOfBatch((event, batch) => userGroups.byId(batch.reader, changeOf(event, batch).group_id));

const serialize: EventSerializer = (event, queue, batch) => {
  const change = changeOf(event, batch);
  const { member, options } = queue;
  const write = (content: Readonly<Record<string, unknown>>) => JSON.stringify({ type: event.type, ...content, id: event.id });
  const row = groupOf(event, batch);
  if (isGuest(member)) {
    if (systemGroup(change.group_id)) return undefined;
    const isSeen = row && seesGroup(batch.reader, member, row);
    if (change.op === 'remove_members' && change.user_ids.includes(member.id)) {
      return isSeen ? undefined : write({ op: 'remove', group_id: change.group_id });
    }
    const begins = change.op === 'add_members' && change.user_ids.includes(member.id);
    if (change.op === 'add' || begins)
      return isSeen ? write({ op: 'add', group: groupViewFor(batch.reader, member, row) }) : undefined;
    if (change.op !== 'update' || !isSeen) return undefined;
  }
  if (change.op === 'add') {
    if (!row) return undefined;
    return batch.shared(`${event.id}`, () => write({ op: 'add', group: groupViewFor(batch.reader, member, row) }));
  }
  // Clients that do not know deactivated groups lose the group.
  if (row?.deactivated && !options.include_deactivated_groups) {
    const ends = change.op === 'update' && change.data['deactivated'] === true;
    return ends ? batch.shared(`${event.id} removed`, () => write({ op: 'remove', group_id: change.group_id })) : undefined;
  }
  return serializeAsLogged(event, queue, batch);
};

export const userGroupEvents: EventSerializers = [['user_group', serialize]];
