import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { company, inside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';

const added = (userIds: readonly number[]) => ({ kind: 'added', user_ids: userIds });
const created = { kind: 'created' };

/** The newest messages that the member reads in a stream: notices, or contents. */
async function read(client: eg.Client, stream: string, count = 5) {
  const narrow = [{ operator: 'stream', operand: stream }];
  const request = { anchor: 'newest', num_before: count, num_after: 0, narrow, apply_markdown: false };
  return (await client.ok(api.getMessages, request)).messages;
}

async function unreadIn(client: eg.Client): Promise<readonly number[]> {
  const { unread_msgs } = await client.ok(api.registerQueue, { fetch_event_types: ['message', 'update_message_flags'] });
  return unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids) ?? [];
}

it('[R2.7.2] A new group begins with a line that its members have not read and its creator has', async () => {
  const server = await company();
  const [suzuki, ito] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'ito')];
  await suzuki.ok(api.subscribe, { subscriptions: [{ name: '企画' }], principals: ['suzuki', 'ito'].map(server.user) });
  const [line, ...rest] = await read(ito, '企画');
  expect(rest).toEqual([]);
  expect(line).toMatchObject({ sender_id: server.user('suzuki'), content: 'グループを作りました。', notice: created, flags: [] });
  expect(await unreadIn(ito)).toEqual([line?.id]);
  expect(await unreadIn(suzuki)).toEqual([]);
});

it('[R2.7.2] Members who are added to a stream have not read the line about it, and the others have', async () => {
  const server = await company();
  const [ito, mori, sato] = [eg.signIn(server, 'ito'), eg.signIn(server, inside.guest), eg.signIn(server, 'sato')];
  const before = await unreadIn(mori);
  await ito.ok(api.subscribe, { subscriptions: [{ name: sales }], principals: ['ito', 'sato'].map(server.user) });
  const line = (await read(sato, sales)).at(-1);
  expect(line).toMatchObject({
    sender_id: server.user('ito'),
    content: `@_**佐藤 花子|${server.user('sato')}**さんを追加しました。`,
    notice: added([server.user('sato')]),
  });
  expect(await unreadIn(sato)).toEqual([line?.id]);
  expect(await unreadIn(mori)).toEqual(before);
  expect((await read(mori, sales)).at(-1)?.flags).toEqual(['read']);
});

it('A line about many new members names three of them and counts the others', async () => {
  const server = await company();
  const ito = eg.signIn(server, 'ito');
  const people = ['tanaka', 'sato', 'suzuki', 'kato', 'takahashi'].map(server.user);
  await ito.ok(api.subscribe, { subscriptions: [{ name: sales }], principals: people });
  expect((await read(ito, sales)).at(-1)?.content).toMatch(/^(@_\*\*[^*]+\*\*さん、?){3}ほか 2 人を追加しました。$/);
});

it('No line is written if members join a public stream by themselves, or if everyone named is in the stream', async () => {
  const server = await company();
  const suzuki = eg.signIn(server, 'suzuki');
  await suzuki.ok(api.subscribe, { subscriptions: [{ name: square }] });
  await eg.signIn(server, 'ito').ok(api.subscribe, { subscriptions: [{ name: square }], principals: [server.user('suzuki')] });
  expect((await read(suzuki, square)).filter(({ notice }) => notice)).toEqual([]);
});

it('The sender of a line can neither edit nor delete it, but an administrator can delete it', async () => {
  const server = await company();
  const [suzuki, sato] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'sato')];
  await suzuki.ok(api.subscribe, { subscriptions: [{ name: '企画' }], principals: ['suzuki', 'sato'].map(server.user) });
  const message_id = (await read(suzuki, '企画'))[0]?.id ?? 0;
  await suzuki.refused(api.editMessage, { message_id, content: '佐藤さんがグループを作りました。' });
  await suzuki.refused(api.deleteMessage, { message_id });
  await sato.ok(api.deleteMessage, { message_id });
  expect(await read(suzuki, '企画')).toEqual([]);
});

it('A client cannot make its own message look like a line of the server', async () => {
  const server = await company();
  const ito = eg.signIn(server, 'ito');
  const forged = {
    type: 'stream',
    to: sales,
    topic: 't',
    content: 'グループを作りました。',
    client: 'Internal',
    notice: created,
  };
  await ito.ok(api.sendMessage, forged);
  expect((await read(ito, sales)).at(-1)?.notice).toBeUndefined();
});

it('[R2.11.3] Only the newcomers of a small plan are announced, by the administrator who made it', async () => {
  const server = await company();
  const plan = (id: string, by: number | 'console', joins: readonly number[]) =>
    server
      .running()
      .reorganise({ id, by, made: [], changed: [], streams: [{ streamId: server.stream(sales), joins, leaves: [] }] });
  const ito = eg.signIn(server, 'ito');
  const notices = async () =>
    (await read(ito, sales)).flatMap(({ notice, sender_id }) => (notice ? [{ notice, sender_id }] : []));
  await plan('1', 'console', [server.user('kato')]);
  expect(await notices()).toEqual([]);
  await plan('2', server.user('sato'), [server.user('suzuki')]);
  expect(await notices()).toEqual([{ notice: added([server.user('suzuki')]), sender_id: server.user('sato') }]);
  expect(await unreadIn(eg.signIn(server, 'suzuki'))).toHaveLength(1);
});

it('A plan that adds more than twenty members announces nobody', async () => {
  const server = await company();
  const made = Array.from({ length: 21 }, (_, index) => ({
    email: `new${index}@example.com`,
    fullName: `新人 ${index}`,
    role: api.roles.member,
    isActive: true,
    password: '',
  }));
  const joins = made.map(({ email }) => email);
  const streams = [{ streamId: server.stream(sales), joins, leaves: [] }];
  await server.running().reorganise({ id: '1', by: server.user('sato'), made, changed: [], streams });
  expect((await read(eg.signIn(server, 'ito'), sales)).filter(({ notice }) => notice)).toEqual([]);
});
