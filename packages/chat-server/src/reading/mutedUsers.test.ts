import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { inShort, queueOf } from '../testing/queue.ts';

const state = { fetch_event_types: ['message', 'update_message_flags', 'muted_users'] };

const send = async (client: eg.Client, content: string) => (await client.ok(api.sendMessage, eg.streamMessage(content))).id;
const unread = async (client: eg.Client) => {
  const { unread_msgs } = await client.ok(api.registerQueue, state);
  return unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids);
};

async function setup() {
  const server = await eg.server();
  const [sato, tanaka, suzuki] = ['sato', 'tanaka', 'suzuki'].map((name) => eg.signIn(server, name));
  if (!sato || !tanaka || !suzuki) throw new TypeError('there are three members');
  return { server, sato, tanaka, suzuki, muted_user_id: server.user('suzuki') };
}

it('Muting a user marks their earlier messages as read, and later ones are read when they arrive, only for the member who muted', async () => {
  const { sato, tanaka, suzuki, muted_user_id } = await setup();
  const earlier = await send(suzuki, '一');
  const others = await send(tanaka, '二');
  const queue = await queueOf(sato);
  await sato.ok(api.muteUser, { muted_user_id });
  expect((await queue.take()).map(inShort)).toEqual(['muted_users', `add read ${earlier}`]);
  const later = await send(suzuki, '@**佐藤 花子** 三');
  expect(await queue.take()).toMatchObject([{ type: 'message', message: { id: later }, flags: ['read', 'mentioned'] }]);
  expect(await unread(sato)).toEqual([others]);
  expect(await unread(tanaka)).toEqual([earlier, later]);
  await sato.ok(api.unmuteUser, { muted_user_id });
  expect((await queue.take()).map(inShort)).toEqual(['muted_users']);
  const again = await send(suzuki, '四');
  expect(await unread(sato)).toEqual([others, again]);
});

it('If the client disconnects before the earlier messages are read, the next call that mutes the user marks them and then refuses', async () => {
  const { sato, suzuki, muted_user_id } = await setup();
  const earlier = await send(suzuki, '一');
  await sato.reply(api.muteUser, { muted_user_id }, AbortSignal.abort());
  expect(await unread(sato)).toEqual([earlier]);
  expect(await sato.refused(api.muteUser, { muted_user_id })).toMatchObject({ msg: 'User already muted' });
  expect(await unread(sato)).toEqual([]);
});

it('A member who has muted the author of a message is no reader of it, and is withheld if they send no read receipts', async () => {
  const { server, sato, tanaka, suzuki, muted_user_id } = await setup();
  await tanaka.ok(api.updateSettings, { send_read_receipts: false });
  for (const client of [sato, tanaka]) await client.ok(api.muteUser, { muted_user_id });
  const message_id = await send(suzuki, '一');
  const receipts = await suzuki.ok(api.getReadReceipts, { message_id });
  expect(receipts).toMatchObject({ user_ids: [], withheld_user_ids: [server.user('tanaka')] });
  expect(receipts.unread_user_ids).toContain(server.user('sato'));
  expect((await suzuki.ok(api.countReadReceipts, { messages: [message_id] })).read_counts).toEqual([{ message_id, count: 0 }]);
});

it('POST /register lists the muted users, also after a restart, and only to the member who muted them', async () => {
  const { server, sato, suzuki, muted_user_id } = await setup();
  await sato.ok(api.muteUser, { muted_user_id });
  await server.restart();
  const timestamp = Math.floor(server.clock.now() / 1000);
  expect((await sato.ok(api.registerQueue, state)).muted_users).toEqual([{ id: muted_user_id, timestamp }]);
  expect((await suzuki.ok(api.registerQueue, state)).muted_users).toEqual([]);
});

it('The calls that mute and unmute refuse what is done already, the caller and unknown users', async () => {
  const { server, sato, muted_user_id } = await setup();
  const refused = async (call: typeof api.muteUser | typeof api.unmuteUser, id: number) =>
    (await sato.refused(call, { muted_user_id: id })).msg;
  expect(await refused(api.unmuteUser, muted_user_id)).toBe('User is not muted');
  await sato.ok(api.muteUser, { muted_user_id });
  expect(await refused(api.muteUser, muted_user_id)).toBe('User already muted');
  expect(await refused(api.muteUser, server.user('sato'))).toBe('Cannot mute self');
  expect(await refused(api.muteUser, 987_654)).toBe('No such user');
  expect(await refused(api.unmuteUser, 987_654)).toBe('No such user');
});
