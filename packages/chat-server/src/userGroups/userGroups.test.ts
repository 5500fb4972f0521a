import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { DeliveryBatch } from '../events/batch.ts';
import { type EmbedderGroup, noGroups } from '../identity/groups.ts';
import { users } from '../identity/store.ts';
import { createChatServer } from '../chatServer.ts';
import { fakeClock, settled } from '../testing/clock.ts';
import { countQueries } from '../testing/countQueries.ts';
import { eventRow, plainQueue } from '../testing/delivery.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { mostTogether } from '../turns.ts';
import { copyEmbedderGroups } from './embedderGroups.ts';
import { userGroupEvents } from './events.ts';
import { GroupLists } from './view.ts';

async function setup() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const ids = (...names: readonly string[]) => names.map((name) => server.user(name)).toSorted((one, other) => one - other);
  const create = async (name: string, members: readonly string[], subgroups: number[] = [], by = 'suzuki') => {
    const asked = { name, description: `${name}の説明`, members: ids(...members), subgroups };
    return (await as(by).ok(api.createUserGroup, asked)).group_id ?? 0;
  };
  const members = async (user_group_id: number, direct_member_only = false) =>
    (await as('ito').ok(api.getUserGroupMembers, { user_group_id, direct_member_only })).members;
  const group = async (id: number, name = 'ito') =>
    (await as(name).ok(api.getUserGroups, { include_deactivated_groups: true })).user_groups.find((each) => each.id === id);
  return { server, as, ids, create, members, group };
}

it('[R7.6] The system groups have the active users of each role, and each contains the groups with more rights', async () => {
  const { as, ids, members } = await setup();
  const { user_groups } = await as('suzuki').ok(api.getUserGroups, {});
  const byName = Object.fromEntries(user_groups.map((each) => [each.name, each.members]));
  expect(byName).toEqual({
    'role:nobody': [],
    'role:owners': ids('tanaka'),
    'role:administrators': ids('sato'),
    'role:moderators': [],
    'role:fullmembers': ids('suzuki', 'ito'),
    'role:members': ids('suzuki', 'ito'),
    'role:everyone': ids('takahashi'),
    'role:internet': [],
  });
  expect(user_groups.every((each) => each.is_system_group)).toBe(true);
  expect(await members(api.systemGroups.everyone)).toEqual(ids('tanaka', 'sato', 'suzuki', 'takahashi', 'ito'));
  expect(await members(api.systemGroups.administrators)).toEqual(ids('tanaka', 'sato'));
  const all = { user_group_id: api.systemGroups.members };
  expect((await as('ito').ok(api.getUserGroupSubgroups, all)).subgroups).toEqual([10, 11, 12, 13]);
  expect((await as('ito').ok(api.getUserGroupSubgroups, { ...all, direct_subgroup_only: true })).subgroups).toEqual([13]);
});

it('[R7.6] A member makes, changes and deactivates a group, and a restart keeps it', async () => {
  const { server, as, ids, create, group } = await setup();
  const id = await create('登山部', ['suzuki', 'ito']);
  await as('suzuki').ok(api.updateUserGroup, { user_group_id: id, name: ' 山の会 ', description: '月に一度' });
  await as('suzuki').ok(api.updateUserGroupMembers, { user_group_id: id, add: ids('tanaka'), delete: ids('ito') });
  await server.restart();
  expect(await group(id)).toMatchObject({
    name: '山の会',
    description: '月に一度',
    members: ids('tanaka', 'suzuki'),
    creator_id: server.user('suzuki'),
    deactivated: false,
  });
  await as('sato').ok(api.deactivateUserGroup, { user_group_id: id });
  expect(await group(id)).toMatchObject({ deactivated: true });
  expect((await as('ito').ok(api.getUserGroups, {})).user_groups.map((each) => each.name)).not.toContain('山の会');
  const change = { user_group_id: id, description: '終わりました' };
  expect((await as('sato').refused(api.updateUserGroup, change)).msg).toBe('User group is deactivated.');
  // The name is free again.
  expect(await create('山の会', [])).not.toBe(id);
});

it.each([
  ['', "User group name can't be empty!"],
  ['\u200B', "User group name can't be empty!"],
  ['role:owners', "User group name cannot start with 'role:'."],
  ['@みんな', "User group name cannot start with '@'."],
  ['a'.repeat(101), 'User group name cannot exceed 100 characters.'],
  ['星*印', 'Invalid character in user group name.'],
  ['ＨＲ', "User group 'ＨＲ' already exists."],
])('The name %j of a group is refused with “%s”', async (name, msg) => {
  const { as, create } = await setup();
  await create('hr', []);
  const refusal = await as('suzuki').refused(api.createUserGroup, { name, description: '', members: [] });
  expect(refusal).toMatchObject({ code: 'BAD_REQUEST', msg });
});

it('A change of members that contradicts the group is refused and changes nothing', async () => {
  const { server, as, ids, create, members } = await setup();
  const user_group_id = await create('登山部', ['ito']);
  const [ito = 0, sato = 0] = [server.user('ito'), server.user('sato')];
  const refused = async (change: Partial<api.ParametersIn<typeof api.updateUserGroupMembers>>) =>
    (await as('suzuki').refused(api.updateUserGroupMembers, { user_group_id, ...change })).msg;
  expect(await refused({})).toBe('Nothing to do. Specify at least one of "add" or "delete".');
  expect(await refused({ add: [sato, ito] })).toBe(`User ${ito} is already a member of this group`);
  expect(await refused({ add: [sato], delete: [sato] })).toBe(`There is no member '${sato}' in this user group`);
  expect(await refused({ add: [987_654] })).toBe('Invalid user ID: 987654');
  await as('tanaka').ok(api.deactivateUser, { user_id: sato });
  expect(await refused({ add: [sato] })).toBe(`Invalid user ID: ${sato}`);
  expect(await members(user_group_id)).toEqual(ids('ito'));
});

it('Members of a group may leave it, and only its creator and administrators may change it otherwise', async () => {
  const { server, as, ids, create, members } = await setup();
  const user_group_id = await create('登山部', ['ito', 'takahashi', 'sato']);
  const ito = server.user('ito');
  const permission = { code: 'BAD_REQUEST', msg: 'Insufficient permission' };
  const removal = { user_group_id, delete: ids('sato') };
  expect(await as('ito').refused(api.updateUserGroupMembers, removal)).toMatchObject(permission);
  expect(await as('takahashi').refused(api.updateUserGroupMembers, removal)).toMatchObject(permission);
  await as('ito').ok(api.updateUserGroupMembers, { user_group_id, delete: [ito] });
  await as('takahashi').ok(api.updateUserGroupMembers, { user_group_id, delete: ids('takahashi') });
  expect(await as('ito').refused(api.updateUserGroupMembers, { user_group_id, add: [ito] })).toMatchObject(permission);
  expect(await members(user_group_id)).toEqual(ids('sato'));
});

it('A member can create 100 groups, deactivated ones included, and others can still create groups', async () => {
  const { as, create } = await setup();
  for (let number = 0; number < api.maxUserGroupsOfMember; number += 1) {
    const user_group_id = await create(`班 ${number}`, []);
    await as('suzuki').ok(api.deactivateUserGroup, { user_group_id });
  }
  const refusal = await as('suzuki').refused(api.createUserGroup, { name: '班', description: '', members: [] });
  expect(refusal).toMatchObject({ msg: 'Too many user groups.' });
  await create('班', [], [], 'ito');
});

it('A group contains the members of its subgroups, and cannot contain itself', async () => {
  const { as, ids, create, members } = await setup();
  const inner = await create('内', ['ito'], [api.systemGroups.owners]);
  const outer = await create('外', ['suzuki'], [inner]);
  expect(await members(outer)).toEqual(ids('tanaka', 'suzuki', 'ito'));
  expect(await members(outer, true)).toEqual(ids('suzuki'));
  const cycle = { user_group_id: inner, add: [outer] };
  expect((await as('suzuki').refused(api.updateUserGroupSubgroups, cycle)).msg).toBe(`User group ${outer} contains this group.`);
  expect((await as('suzuki').refused(api.updateUserGroupSubgroups, { user_group_id: inner, add: [inner] })).msg).toBe(
    `User group ${inner} contains this group.`,
  );
  const inUse = { user_group_id: inner };
  expect((await as('suzuki').refused(api.deactivateUserGroup, inUse)).msg).toBe('Another user group contains this group.');
  await as('suzuki').ok(api.updateUserGroupSubgroups, { user_group_id: outer, delete: [inner] });
  expect(await members(outer)).toEqual(ids('suzuki'));
  await as('suzuki').ok(api.deactivateUserGroup, inUse);
});

it('[R4.8.2] A mention of a group notifies its members and those of its subgroups who are in the conversation', async () => {
  const { as, create } = await setup();
  const inner = await create('内', ['tanaka']);
  // 伊藤 is in the group but not in the stream.
  const id = await create('登山部', ['suzuki', 'ito'], [inner]);
  const send = async (content: string, by = 'sato') => (await as(by).ok(api.sendMessage, eg.streamMessage(content))).id;
  const flags = async (message_id: number, name: string) =>
    (await as(name).ok(api.getMessage, { message_id })).message.flags?.filter((flag) => flag === 'mentioned');
  const loud = await send('@*登山部* 集合');
  expect(await Promise.all(['suzuki', 'tanaka', 'takahashi'].map((name) => flags(loud, name)))).toEqual([
    ['mentioned'],
    ['mentioned'],
    [],
  ]);
  const silent = await send('@_*登山部* の予定');
  expect(await flags(silent, 'suzuki')).toEqual([]);
  const html = async (message_id: number, name: string) => (await as(name).ok(api.getMessage, { message_id })).message.content;
  expect(await html(loud, 'suzuki')).toBe(
    `<p><span class="user-group-mention" data-user-group-id="${id}">@登山部</span> 集合</p>`,
  );
  expect(await html(silent, 'suzuki')).toBe(
    `<p><span class="user-group-mention silent" data-user-group-id="${id}">登山部</span> の予定</p>`,
  );
  // Guests do not see the group, neither as readers nor as authors.
  expect(await html(loud, 'takahashi')).toBe('<p>@*登山部* 集合</p>');
  expect(await flags(await send('@*登山部*', 'takahashi'), 'suzuki')).toEqual([]);
  await as('suzuki').ok(api.deactivateUserGroup, { user_group_id: id });
  expect(await flags(await send('@*登山部*'), 'suzuki')).toEqual([]);
  expect(await html(loud, 'suzuki')).toBe('<p>@*登山部* 集合</p>');
});

it('A mention of a system group notifies nobody', async () => {
  const { as } = await setup();
  const { id: message_id } = await as('sato').ok(api.sendMessage, eg.streamMessage('@*role:members*'));
  expect((await as('suzuki').ok(api.getMessage, { message_id })).message.flags).toEqual([]);
});

it('[R6.1] A guest sees only the groups that they are in, and of all groups no other member', async () => {
  const { server, as, ids, create } = await setup();
  const own = await create('登山部', ['suzuki', 'takahashi'], [api.systemGroups.owners]);
  const other = await create('極秘の会', ['suzuki']);
  const guest = as('takahashi');
  const { user_groups } = await guest.ok(api.getUserGroups, {});
  const made = user_groups.filter((each) => !each.is_system_group);
  expect(made).toMatchObject([{ id: own, members: ids('takahashi'), direct_subgroup_ids: [], creator_id: null }]);
  expect(new Set(user_groups.flatMap((each) => each.members))).toEqual(new Set(ids('takahashi')));
  expect((await guest.ok(api.registerQueue, {})).realm_user_groups).toEqual(user_groups);
  expect(await guest.refused(api.getUserGroupMembers, { user_group_id: other })).toMatchObject({ msg: 'Invalid user group' });
  const asked = { user_group_id: own, user_id: server.user('suzuki') };
  expect(await guest.ok(api.getIsUserGroupMember, asked)).toEqual({ is_user_group_member: false });
});

it('[R7.6] Departments are groups that nobody can change, with an id that stays when they are renamed', async () => {
  const server = await eg.server({ departments: { 開発: ['suzuki', 'ito'] } });
  await settled();
  const suzuki = eg.signIn(server, 'suzuki');
  const { realm_user_groups = [] } = await suzuki.ok(api.registerQueue, { fetch_event_types: ['realm_user_groups'] });
  const group = realm_user_groups.find((each) => each.department_code !== undefined);
  expect(group).toMatchObject({
    id: 101,
    name: '開発',
    members: [server.user('suzuki'), server.user('ito')],
    department_code: '開発',
    can_manage_group: api.systemGroups.nobody,
  });
  const change = { user_group_id: 101, description: '別の説明' };
  expect((await eg.signIn(server, 'tanaka').refused(api.updateUserGroup, change)).msg).toBe('Insufficient permission');
  const leave = { user_group_id: 101, delete: [server.user('suzuki')] };
  expect((await suzuki.refused(api.updateUserGroupMembers, leave)).msg).toBe('Insufficient permission');
});

it('Changes of departments become events of their groups, in the transaction of the event of the directory', async () => {
  const first = await eg.server();
  const { directory } = first;
  const [tanaka, suzuki, ito] = ['tanaka', 'suzuki', 'ito'].map((name) => first.user(name));
  const key = first.key('suzuki');
  await first.close();
  let all = [
    { code: '1', name: '本社', memberIds: [tanaka ?? 0], children: ['2'] },
    { code: '2', name: '開発', memberIds: [suzuki ?? 0], children: [] as string[] },
  ];
  const chat = createChatServer({
    directory,
    realm: eg.realm,
    clock: fakeClock(),
    rateLimits: 'none',
    groups: { ...noGroups, all: () => all },
  });
  await settled();
  const client = eg.withKey(chat, eg.emailOf('suzuki'), key);
  const queue = await queueOf(client, { event_types: ['user_group'] });
  all = [
    { code: '2', name: '技術', memberIds: [ito ?? 0, 987_654], children: ['3'] },
    { code: '3', name: '品質', memberIds: [], children: [] },
  ];
  await chat.publishDirectory({ people: [], departments: true });
  const events = await queue.take();
  const type = 'user_group';
  expect(events).toMatchObject([
    { type, op: 'remove_members', group_id: 101, user_ids: [tanaka] },
    { type, op: 'remove', group_id: 101 },
    { type, op: 'update', group_id: 102, data: { name: '技術' } },
    { type, op: 'add_members', group_id: 102, user_ids: [ito] },
    { type, op: 'remove_members', group_id: 102, user_ids: [suzuki] },
    { type, op: 'add', group: { id: 103, name: '品質', members: [] } },
    { type, op: 'add_subgroups', group_id: 102, direct_subgroup_ids: [103] },
  ]);
  // An unchanged directory changes nothing.
  await chat.publishDirectory({ people: [], departments: true });
  expect(await queue.take()).toEqual([]);
  await chat.close();
});

it('A department with many members is copied, changed and removed in steps, and its events name each of them', async () => {
  const server = await eg.server();
  const queue = await queueOf(eg.signIn(server, 'tanaka'), { event_types: ['user_group'] });
  const { database, log } = fileOf(server);
  const memberIds = await database.write((tx) =>
    Array.from({ length: 4 * mostTogether }, (_, number) =>
      users.insert(tx, { ...eg.person(`${number}`, `社員 ${number}`, api.roles.member), is_bot: 0 }),
    ),
  );
  const copy = (...all: EmbedderGroup[]) =>
    database.write((tx) => [...copyEmbedderGroups(tx, log, { ...noGroups, all: () => all })].length);
  const group = { code: '1', name: '本社', children: [] };
  const named = async () =>
    (await queue.take()).flatMap((event) => {
      if (event.type !== 'user_group') return [];
      return event.op === 'add' ? event.group.members : 'user_ids' in event ? event.user_ids : [];
    });
  for (const members of [memberIds, [], memberIds]) {
    expect(await copy({ ...group, memberIds: members })).toBeGreaterThanOrEqual(4);
    expect(await named()).toEqual(memberIds);
  }
  expect(await copy()).toBeGreaterThanOrEqual(4);
  expect(await named()).toEqual(memberIds);
});

it('A guest in the group of a department loses it when the department is removed', async () => {
  const departments: Record<string, readonly string[]> = { 開発: ['suzuki', 'takahashi'] };
  const server = await eg.server({ departments });
  await settled();
  const queue = await queueOf(eg.signIn(server, 'takahashi'), { event_types: ['user_group'] });
  delete departments['開発'];
  await server.running().publishDirectory({ people: [], departments: true });
  expect(await queue.take()).toMatchObject([{ type: 'user_group', op: 'remove', group_id: 101 }]);
});

const groupsOf = (events: readonly api.ServerEvent[]) =>
  events.map((event) => event.type === 'user_group' && event.op !== 'add' && event.group_id).toSorted();

it('A client that does not know deactivated groups receives no event of one', async () => {
  const { server, as, create } = await setup();
  const user_group_id = await create('登山部', ['ito']);
  await as('suzuki').ok(api.deactivateUserGroup, { user_group_id });
  const register = (client_capabilities: Readonly<Record<string, boolean>>) =>
    queueOf(as('sato'), { event_types: ['user_group'], client_capabilities });
  const [unaware, aware] = [await register({}), await register({ include_deactivated_groups: true })];
  await as('tanaka').ok(api.deactivateUser, { user_id: server.user('ito') });
  const roleGroups = [api.systemGroups.fullmembers, api.systemGroups.members];
  expect(groupsOf(await unaware.take())).toEqual(roleGroups.toSorted());
  expect(groupsOf(await aware.take())).toEqual([...roleGroups, user_group_id].toSorted());
});

it('A delivery of an event reads the group once for all its recipients', async () => {
  const { server, create } = await setup();
  const group_id = await create('登山部', ['takahashi']);
  const { counted, queries } = countQueries(fileOf(server).database.reader);
  const serialize = new Map(userGroupEvents).get('user_group');
  const members = ['suzuki', 'ito', 'sato'].map((name) => eg.memberOf(server, name, api.roles.member));
  const batch = new DeliveryBatch(
    counted,
    members.map(({ id }) => id),
  );
  const event = eventRow('user_group', { op: 'update', group_id, data: { name: '山の会' } });
  for (const member of members) expect(serialize?.(event, plainQueue(member), batch)).toContain('山の会');
  expect(queries()).toBe(1);
});

it('A second registration takes the serialised groups, and a change of a role or a group makes new ones', async () => {
  const { server, as, create } = await setup();
  const { database } = fileOf(server);
  const { counted, queries } = countQueries(database.reader);
  const lists = new GroupLists();
  const viewer = { id: server.user('suzuki'), role: api.roles.member, ownerId: null };
  const read = () => {
    const before = queries();
    lists.seenBy(counted, viewer, false);
    return queries() - before;
  };
  expect(read()).toBeGreaterThan(2);
  expect(read()).toBe(2);
  await create('登山部', []);
  expect(read()).toBeGreaterThan(2);
  await as('tanaka').ok(api.updateUser, { user_id: server.user('ito'), role: api.roles.moderator });
  expect(read()).toBeGreaterThan(2);
});
