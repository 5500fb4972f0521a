import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { countQueries } from '../testing/countQueries.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { SharedMessages } from './sharedMessages.ts';

const content = '縁側';

async function setup() {
  const server = await eg.server({ organisation: eg.organisation({ messages: [eg.pastMessage(content)] }) });
  const [id = 0] = server.messages;
  return { server, id, tanaka: eg.signIn(server, 'tanaka') };
}

it('SharedMessages reads a message once for all fetches', async () => {
  const { server, id } = await setup();
  const { counted, queries } = countQueries(fileOf(server).database.reader);
  const shared = new SharedMessages();
  const first = shared.in(counted)(id);
  const before = queries();
  expect(shared.in(counted)(id)).toBe(first);
  // The versions of users and messages.
  expect(queries() - before).toBe(2);
});

it.each<[string, (setting: Awaited<ReturnType<typeof setup>>) => Promise<unknown>]>([
  ['is moved', ({ tanaka, id }) => tanaka.ok(api.editMessage, { message_id: id, topic: '庭' })],
  ['is deleted', ({ tanaka, id }) => tanaka.ok(api.deleteMessage, { message_id: id })],
  ['has a sender with a new name', ({ tanaka }) => tanaka.ok(api.updateSettings, { full_name: '田中 改名' })],
  ['has a sender with a new picture', ({ server }) => server.setAvatar('tanaka', '/avatars/new.png')],
  [
    'is in a stream with a new name',
    ({ server, tanaka }) => tanaka.ok(api.updateStream, { stream_id: server.stream(eg.general), new_name: '改名' }),
  ],
])('GET /messages answers to a member who has fetched a message before what it has become when it %s', async (_, change) => {
  const setting = await setup();
  const sato = eg.signIn(setting.server, 'sato');
  const fetched = () =>
    sato.ok(api.getMessages, { anchor: 'newest', num_before: 5, num_after: 0, include_deleted: true, apply_markdown: false });
  const before = await fetched();
  expect(before.messages).toMatchObject([{ id: setting.id, content }]);
  await change(setting);
  const after = await fetched();
  expect(after.messages).not.toEqual(before.messages);
  await setting.server.restart();
  expect((await fetched()).messages).toEqual(after.messages);
});
