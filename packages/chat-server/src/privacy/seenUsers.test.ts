import { addressDirect, deactivateUser, getUser, getUsers, sendMessage, subscribe, unsubscribe } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { company, everyone, inside, leaver, outside, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';

const { guest } = outside;

/** The names of all users whom a viewer sees in the list, one by one, and for the product's calls, which must agree. */
async function seenBy(server: eg.Server, viewer: string): Promise<string[]> {
  const client = eg.signIn(server, viewer);
  const { members } = await client.ok(getUsers, {});
  const names = everyone.filter((name) => members.some(({ user_id }) => user_id === server.user(name)));
  for (const name of everyone) {
    const { status } = await client.reply(getUser, { user_id: server.user(name) });
    expect([name, status]).toEqual([name, names.includes(name) ? 200 : 400]);
  }
  const sight = server.running().guestSight(server.user(viewer));
  expect(everyone.filter((name) => sight?.users.has(server.user(name)) ?? true)).toEqual(names);
  return names;
}

it('[R6.1] A guest without a conversation sees only themselves, and every other role sees all users', async () => {
  const server = await company();
  expect(await seenBy(server, guest)).toEqual([guest]);
  for (const name of everyone.filter((each) => each !== guest && each !== inside.guest)) {
    expect(await seenBy(server, name)).toEqual(everyone);
  }
});

it('[R6.1] A guest sees the current members of their streams, but not one who left, nor an administrator outside', async () => {
  const server = await company();
  expect(await seenBy(server, inside.guest)).toEqual([inside.member, inside.guest]);
  expect(await seenBy(server, inside.guest)).not.toContain(leaver);
});

it('[R6.1] A guest begins to see the members of a stream by joining it and ceases by leaving it', async () => {
  const server = await company();
  const sato = eg.signIn(server, outside.administrator);
  const request = { subscriptions: [{ name: square }], principals: [server.user(guest)] };
  await sato.ok(subscribe, request);
  expect(await seenBy(server, guest)).toEqual([guest, inside.member, inside.guest]);
  await sato.ok(unsubscribe, { ...request, subscriptions: [square] });
  expect(await seenBy(server, guest)).toEqual([guest]);
});

it('[R6.1] A guest sees a member who wrote a direct message to them, also after that member’s deactivation', async () => {
  const server = await company();
  const to = addressDirect([server.user(guest)]);
  await eg.signIn(server, outside.member).ok(sendMessage, { type: 'direct', to, content: 'ようこそ' });
  expect(await seenBy(server, guest)).toEqual([outside.member, guest]);
  await eg.signIn(server, outside.owner).ok(deactivateUser, { user_id: server.user(outside.member) });
  expect(await seenBy(server, guest)).toEqual([outside.member, guest]);
});
