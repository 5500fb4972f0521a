import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { givenBody } from '../http/exchange.ts';
import { noGroups } from '../identity/groups.ts';
import { users } from '../identity/store.ts';
import { profileValues } from '../profileFields/store.ts';
import { countQueries } from '../testing/countQueries.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { resultOf } from '../testing/steps.ts';
import { StepClock, mostTogether } from '../turns.ts';
import { UserLists } from './lists.ts';

const viewers = ['tanaka', 'sato', 'suzuki', 'takahashi', 'ito'];
const newcomer = { email: 'yamada@example.com', password: 'engawa-no-ki', full_name: '山田 葵' };

async function registeredUsers(client: eg.Client): Promise<readonly api.User[]> {
  const { realm_users = [], realm_non_active_users = [] } = await client.ok(api.registerQueue, {
    fetch_event_types: ['realm_user'],
  });
  const all = [
    ...realm_users.map((user) => ({ ...user, is_active: true })),
    ...realm_non_active_users.map((user) => ({ ...user, is_active: false })),
  ];
  return all.toSorted((one, other) => one.user_id - other.user_id);
}

it.each<[string, (server: eg.Server) => Promise<unknown>]>([
  ['a user has a new name', (server) => eg.signIn(server, 'suzuki').ok(api.updateSettings, { full_name: '鈴木 改名' })],
  [
    'a user has a new role',
    (server) => eg.signIn(server, 'tanaka').ok(api.updateUser, { user_id: server.user('ito'), role: api.roles.moderator }),
  ],
  ['a user is deactivated', (server) => eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id: server.user('ito') })],
  ['a user is created', (server) => eg.signIn(server, 'tanaka').ok(api.createUser, newcomer)],
  ['a user has a new picture', (server) => server.setAvatar('suzuki', '/avatars/new.png')],
  [
    'a user hides their picture',
    (server) => eg.signIn(server, 'suzuki').ok(api.updateSettings, { photo_audience: { audience: 'nobody' } }),
  ],
  [
    'the first user shows their picture to one member',
    (server) =>
      eg
        .signIn(server, 'tanaka')
        .ok(api.updateSettings, { photo_audience: { audience: 'selected', user_ids: [server.user('sato')] } }),
  ],
])('POST /register answers the same users as GET /users to members and guests after %s', async (_, change) => {
  const server = await eg.server();
  const stillActive = viewers.map((name) => eg.signIn(server, name));
  for (const client of stillActive) await registeredUsers(client);
  await change(server);
  for (const client of stillActive.slice(0, 4)) {
    expect(await registeredUsers(client)).toEqual((await client.ok(api.getUsers, {})).members);
  }
});

it('POST /register answers a picture again after its user has hidden it and shown it again', async () => {
  const server = await eg.server();
  const [suzuki, sato] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'sato')];
  const pictures: unknown[] = [];
  for (const audience of ['everyone', 'nobody', 'everyone'] as const) {
    await suzuki.ok(api.updateSettings, { photo_audience: { audience } });
    const registered = await registeredUsers(sato);
    pictures.push(registered.find((user) => user.user_id === server.user('suzuki'))?.avatar_url);
  }
  expect(pictures).toEqual(['/avatars/suzuki.png', null, '/avatars/suzuki.png']);
});

it('UserLists reads the users once for all members', async () => {
  const server = await eg.server();
  const { counted, queries } = countQueries(fileOf(server).database.reader);
  const lists = new UserLists(noGroups);
  const seenBy = (name: string) =>
    resultOf(lists.seenBy(counted, { id: server.user(name), role: api.roles.member, ownerId: null }, new StepClock()));
  seenBy('sato');
  const first = queries();
  seenBy('suzuki');
  // The version and the former names.
  expect(queries() - first).toBe(2);
});

it('The answers of POST /register share the bytes of the users if the embedding program writes the rest of an answer', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  await database.write((tx) => {
    for (let number = 0; number < 200; number += 1) {
      users.insert(tx, { ...eg.person(`${number}`, `社員 ${number}`, api.roles.member), is_bot: 0 });
    }
  });
  const registered = async (name: string, takesRest: boolean) => {
    const form = new URLSearchParams({ fetch_event_types: '["realm_user"]' }).toString();
    const { body, rest = [] } = await server.fetch({
      method: 'POST',
      url: '/api/v1/register',
      headers: {
        authorization: eg.basic(eg.emailOf(name), server.key(name)),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: givenBody(Buffer.from(form)),
      address: undefined,
      signal: new AbortController().signal,
      takesRest,
    });
    const whole: unknown = JSON.parse(Buffer.concat([body, ...rest]).toString());
    return { rest, users: api.registerQueue.answer.parse(whole).realm_users };
  };
  const [sato, suzuki] = [await registered('sato', true), await registered('suzuki', true)];
  // Each is a part of one buffer, from the same byte on.
  const isShared = (part: Uint8Array) =>
    suzuki.rest.some((other) => other.buffer === part.buffer && other.byteOffset === part.byteOffset);
  const shared = sato.rest.filter(isShared);
  expect(shared).toHaveLength(1);
  expect(sato.users).toHaveLength(viewers.length + 200);
  const inBody = await registered('sato', false);
  expect(inBody).toEqual({ rest: [], users: sato.users });
});

it('POST /register and GET /users answer the profiles of more users than one step looks up', async () => {
  const server = await eg.server();
  const sato = eg.signIn(server, 'sato');
  const { id: field_id = 0 } = await sato.ok(api.createProfileField, { name: '内線', field_type: 1 });
  const { database } = fileOf(server);
  await database.write((tx) => {
    for (let number = 0; number < 2 * mostTogether; number += 1) {
      const name = `社員 ${number}`;
      const user_id = users.insert(tx, { ...eg.person(`${number}`, name, api.roles.member), is_bot: 0 });
      profileValues.set(tx, { field_id, user_id, value: name });
    }
  });
  const { members } = await sato.ok(api.getUsers, { include_custom_profile_fields: true });
  expect(await registeredUsers(sato)).toEqual(members);
  const added = members.slice(viewers.length);
  expect(added).toHaveLength(2 * mostTogether);
  expect(added.filter((user) => user.profile_data?.[field_id]?.value !== user.full_name)).toEqual([]);
});
