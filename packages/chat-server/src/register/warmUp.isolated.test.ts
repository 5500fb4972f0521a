import { registerQueue, sendMessage, updateSettings } from '@engawa/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { users } from '../identity/store.ts';
import { userGroups } from '../userGroups/store.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const people = { fetch_event_types: ['realm_user', 'realm_user_groups'] };
const namesIn = ({ realm_users }: { readonly realm_users?: readonly { readonly full_name: string }[] | undefined }) =>
  realm_users?.map(({ full_name }) => full_name).toSorted();

it('A registration after warmUp reads neither the list of users nor that of groups again, until a user changes', async () => {
  const server = await eg.server();
  const sato = eg.signIn(server, 'sato');
  await sato.ok(sendMessage, eg.streamMessage('縁側'));
  const lists = [vi.spyOn(users, 'pages'), vi.spyOn(userGroups, 'all')];
  const reads = () => lists.map(({ mock }) => mock.calls.length);
  await server.running().warmUp();
  const afterWarmUp = reads();
  expect(afterWarmUp).not.toContain(0);
  const first = namesIn(await sato.ok(registerQueue, people));
  expect(reads()).toEqual(afterWarmUp);
  await sato.ok(updateSettings, { full_name: '佐藤 華子' });
  const second = namesIn(await sato.ok(registerQueue, people));
  expect(second).toEqual(first?.map((name) => (name === '佐藤 花子' ? '佐藤 華子' : name)).toSorted());
});

it('warmUp does nothing on a server without messages, without people, or that is closed', async () => {
  const server = await eg.server();
  const reads = vi.spyOn(users, 'pages');
  await server.running().warmUp();
  const reported = vi.fn();
  const empty = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock(), log: reported });
  await empty.warmUp();
  await empty.close();
  expect(reported).not.toHaveBeenCalled();
  expect(reads).not.toHaveBeenCalled();
  await server.close();
  // The test fails if the server reports an error.
  await server.running().warmUp();
});
