/** Makes every call of the product as a guest who sees few others; chat-server checks the chat API. */
import { getMessages, getSubscriptions, getUsers, subscribe, unsubscribe, updateSettings, type User } from '@engawa/protocol';
import { departmentsWithin, departmentTree, directoryPage, paths } from '@engawa/protocol/product';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { people } from '../demo/people.ts';
import { emailOf, owner as founder } from '../testing/product.ts';
import { names } from './callers.ts';
import { passwordCalls } from './passwordTable.ts';
import { makePasswordWorld, type PasswordWorld } from './passwordWorld.ts';
import { methods, send } from './request.ts';
import { routesOf } from './routesOf.ts';
import type { Calls } from './row.ts';
import { callTable } from './callTable.ts';
import { hookTable } from './hookTable.ts';
import { outgoingHookTable } from './outgoingHookTable.ts';
import { accounts, administration, own } from './table.ts';
import { makeWorld, type World } from './world.ts';

const { guest, owner } = names;
/** Neither in the streams of the guest nor in their direct conversations. */
const unseen = 'fujiwara';

const callsOf = <W>(...parts: readonly Readonly<Record<string, Calls<W>>>[]) =>
  parts.flatMap((part) => Object.values(part).flatMap((rows) => Object.entries(rows)));
const methodOf = (call: string) => methods.find((each) => call.startsWith(`${each} `)) ?? 'GET';

describe('a guest in a group with a member of each role, and in the stream of a department', () => {
  let world: World;
  let hidden: readonly User[];
  const as = async (name: string, url: string) =>
    send(world.product, 'GET', { url }, { authorization: await world.product.basicOf(name) });
  const tree = async () => departmentTree.parse(JSON.parse((await as(guest, paths.departmentTree)).text));
  const choose = (departments: string[]) =>
    world.product.call(guest, updateSettings, { status_audience: { audience: 'selected', departments } });
  const directory = async () => directoryPage.parse(JSON.parse((await as(guest, paths.people)).text)).people;
  const everyone = async () => (await world.product.call(owner, getUsers, {})).members;
  const idOf = async (name: string) => (await everyone()).find(({ email }) => email.startsWith(`${name}@`))?.user_id ?? 0;

  /** The ids of all who share a stream or a direct conversation with the guest. */
  async function sharing(): Promise<ReadonlySet<number>> {
    const { subscriptions } = await world.product.call(guest, getSubscriptions, { include_subscribers: true });
    const direct = await world.product.call(guest, getMessages, {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'dm' }],
    });
    const recipients = direct.messages.flatMap(({ display_recipient: to }) =>
      typeof to === 'string' ? [] : to.map(({ id }) => id),
    );
    const subscribers = subscriptions.flatMap(({ subscribers: ids = [] }) => ids);
    // Subscribers are active, and a deactivated member keeps their memberships.
    return new Set([...subscribers, ...recipients, await idOf(guest), await idOf(names.deactivated)]);
  }

  beforeAll(async () => {
    world = await makeWorld();
    const { product } = world;
    await product.call('tanaka', subscribe, { subscriptions: [{ name: 'デザイン室' }], principals: [await idOf(guest)] });
    const seen = await sharing();
    hidden = (await everyone()).filter(({ user_id }) => !seen.has(user_id));
  }, 120_000);
  afterAll(() => world.product.close());

  /** The names, addresses and readings of hidden members and the names of departments that a text contains. */
  function secretsIn(text: string): readonly string[] {
    const readings = new Map(people.map(({ email, reading }) => [email, reading]));
    const secrets = hidden.flatMap(({ email, full_name }) => [email, full_name, readings.get(email) ?? full_name]);
    return [...secrets, '経営企画室', '基盤技術部', '西日本営業部'].filter((secret) => text.includes(secret));
  }

  it('The test hides most members of the organisation from the guest', () => {
    expect(hidden.length).toBeGreaterThan(20);
    expect(hidden.map(({ email }) => email)).toContain(emailOf(unseen));
  });

  it('[R3.4] The tree of a guest has only the departments whose streams they are in, at the top, with the members whom they see', async () => {
    const [root] = departmentTree.parse(JSON.parse((await as(owner, paths.departmentTree)).text));
    const design = root && departmentsWithin(root).find(({ displayName }) => displayName === 'デザイン室');
    expect(await tree()).toEqual([design]);
    expect(design?.memberIds?.length).toBeGreaterThan(1);
  });

  it('GET /api/people lists only the members whom the guest sees, and only the departments in the guest’s tree', async () => {
    const seen = await sharing();
    const listed = await directory();
    expect(listed.map(({ user_id }) => user_id).toSorted()).toEqual([...seen].toSorted());
    expect(new Set(listed.flatMap(({ departments }) => departments))).toEqual(new Set(['1300']));
  });

  it('[R2.25.3] A guest can choose a department of their tree for an audience, and a department that they do not see is unknown', async () => {
    await choose(['1300']);
    const refusal = (code: string) => choose([code]).catch((error: unknown) => error);
    const unknown = await refusal('none');
    expect(unknown).toMatchObject({ code: 'BAD_REQUEST' });
    expect(String(await refusal('1200')).replace('1200', 'none')).toBe(String(unknown));
  });

  it('When a guest joins and leaves the stream of a department, the department enters and leaves their tree', async () => {
    const { product } = world;
    const quality = { subscriptions: [{ name: '品質保証部' }], principals: [await idOf(guest)] };
    await product.call('kondo', subscribe, quality);
    expect((await tree()).map(({ displayName }) => displayName)).toEqual(['デザイン室', '品質保証部']);
    await product.call(guest, unsubscribe, { subscriptions: ['品質保証部'] });
    expect((await tree()).map(({ displayName }) => displayName)).toEqual(['デザイン室']);
  });

  const calls = callsOf(own, accounts, administration, callTable, hookTable, outgoingHookTable);
  it('Every call of the product is made as a guest', () => {
    expect(calls.map(([call]) => call).toSorted()).toEqual(routesOf(world.product.app).toSorted());
  });

  // The fake sign-in offers all members to everybody, and a guest may become any of them.
  const signIns = ['GET /api/session', 'POST /api/session'];
  it.each(calls.filter(([call]) => !signIns.includes(call)))(
    '%s reveals nothing to a guest about members and departments that they do not see',
    async (call, rows) => {
      for (const { what, request } of rows ?? []) {
        const { text } = await world.ask(methodOf(call), 'guest', await request(world, 'guest'));
        expect([what, secretsIn(text)]).toEqual([what, []]);
      }
    },
  );
});

/** The name of the owner, and all addresses but the guest's own. */
const othersIn = (text: string) => [
  ...(text.includes(founder.name) ? [founder.name] : []),
  ...(text.match(/[\w.]+@niwa\.example/g) ?? []).filter((email) => email !== 'guest@niwa.example'),
];

describe('a guest with a password, in no stream', () => {
  let world: PasswordWorld;
  beforeAll(async () => {
    world = await makePasswordWorld();
  }, 120_000);
  afterAll(() => world.product.close());

  // A link shows every bearer who made it and for whom.
  const byLink = ['POST /api/invitation', 'POST /api/invitation/accept', 'POST /api/password/link', 'POST /api/password/reset'];
  it.each(Object.entries(passwordCalls).filter(([call]) => !byLink.includes(call)))(
    'With passwords, %s reveals nothing to a guest about other members',
    async (call, rows) => {
      for (const { what, request } of rows ?? []) {
        const { text } = await world.ask(methodOf(call), 'guest', await request(world, 'guest'));
        expect([what, othersIn(text)]).toEqual([what, []]);
      }
    },
  );

  it.each([paths.session, paths.departmentTree, paths.people, paths.profile, paths.sessions])(
    'With passwords, GET %s reveals nothing to a guest about other members',
    async (url) => {
      const { status, text } = await world.ask('GET', 'guest', { url });
      expect([status, othersIn(text)]).toEqual([200, []]);
    },
  );
});
