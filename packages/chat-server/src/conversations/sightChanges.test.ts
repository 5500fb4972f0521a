import { sendMessage, subscribe, updateUser } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { company, inside, outside, sales } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

it('A guest who polls together with another guest gets no change of a user before the event that adds the user', async () => {
  const server = await company();
  const owner = eg.signIn(server, outside.owner);
  const options = { event_types: ['realm_user'] };
  const queue = await queueOf(eg.signIn(server, outside.guest), options);
  const rename = (full_name: string) => owner.ok(updateUser, { user_id: server.user(inside.member), full_name });
  await rename('旧姓 誠');
  const principals = [server.user(outside.guest)];
  await eg.signIn(server, inside.member).ok(subscribe, { subscriptions: [{ name: sales }], principals });
  const later = await queueOf(eg.signIn(server, inside.guest), options);
  await rename('伊藤 誠二');
  const alone = await queue.peek();
  const [, together] = await Promise.all([later.wait(), queue.wait()]);
  expect(together).toEqual(alone);
});

it('A guest whose queue has a narrow gets a change of a user whom another guest began to see before', async () => {
  const server = await company();
  const guest = eg.signIn(server, inside.guest);
  const options = { event_types: ['realm_user'] };
  const [plain, narrowed] = [await queueOf(guest, options), await queueOf(guest, { ...options, narrow: [['is', 'dm']] })];
  const member = eg.signIn(server, inside.member);
  await member.ok(subscribe, { subscriptions: [{ name: sales }], principals: [server.user(outside.guest)] });
  await eg.signIn(server, outside.owner).ok(updateUser, { user_id: server.user(inside.member), full_name: '旧姓 誠' });
  // So many that the poll reads the pages of the log.
  for (let count = 0; count < 60; count += 1) await member.ok(sendMessage, eg.streamMessage('縁側', sales));
  const events = await plain.peek();
  expect(JSON.stringify(events)).toContain('旧姓 誠');
  expect(await narrowed.peek()).toEqual(events);
});
