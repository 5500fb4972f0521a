import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as api from '@engawa/protocol';
import { maxHookOrigins, maxOutgoingHooks, outgoingHookPaths as at, outgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { expect, it, onTestFinished } from 'vitest';
import { administrator, askHooks, createHook } from '../../testing/outgoingHooks.ts';
import { runProduct } from '../../testing/product.ts';

const origin = 'https://hooks.example.com';
const address = `${origin}/in`;

async function another() {
  const product = await runProduct();
  onTestFinished(() => product.close());
  return product;
}

it('A hook is refused for an address whose origin administrators did not allow', async () => {
  const product = await another();
  const create = (to: string) => askHooks(product, 'suzuki', 'POST', at.hooks, { name: '申請 係', address: to });
  expect(await create(address)).toMatchObject({ status: 400, code: 'ADDRESS_NOT_ALLOWED' });
  await askHooks(product, administrator, 'POST', at.origins, { origin });
  for (const other of [
    'http://hooks.example.com/in',
    'https://hooks.example.com:8443/in',
    'https://a@hooks.example.com/in',
    'in',
  ]) {
    expect([other, await create(other)]).toMatchObject([other, { status: 400, code: 'ADDRESS_NOT_ALLOWED' }]);
  }
  // A refused hook leaves no bot.
  expect((await product.call('suzuki', api.getBots, {})).bots).toEqual([]);
  expect((await create(address)).status).toBe(200);
});

it('The secret of a hook is shown at its creation and at its renewal, and nowhere else', async () => {
  const product = await another();
  const { id, secret, token } = await createHook(product, origin);
  const renewed = outgoingHookSecrets.parse((await askHooks(product, 'suzuki', 'POST', at.renew(id))).json);
  expect(renewed.secret).not.toBe(secret);
  expect(renewed.token).not.toBe(token);
  const texts = JSON.stringify([
    await askHooks(product, 'suzuki', 'GET', at.hooks),
    await askHooks(product, administrator, 'GET', at.all),
    await askHooks(product, 'suzuki', 'PATCH', at.hook(id), { name: '別の 係' }),
    await askHooks(product, 'suzuki', 'POST', at.retry(id)),
    product.log,
    (await product.app.inject({ url: '/metrics', headers: { host: 'localhost' } })).body,
  ]);
  expect(texts).toContain('別の 係');
  for (const each of [secret, token, renewed.secret, renewed.token]) expect(texts).not.toContain(each);
});

it('Other members can neither see nor change a hook, and an administrator can only turn it off and remove it', async () => {
  const product = await another();
  const { id, now } = await createHook(product, origin);
  const none = { status: 404, code: 'NOT_FOUND' };
  const changes = [{ is_on: false }, { address }, { name: '別の 係' }, { stream_ids: [] }, { is_on: true }];
  expect((await askHooks(product, 'tanaka', 'GET', at.hooks)).json).toMatchObject({ hooks: [] });
  for (const change of changes) expect(await askHooks(product, 'tanaka', 'PATCH', at.hook(id), change)).toMatchObject(none);
  for (const name of ['tanaka', administrator]) {
    expect(await askHooks(product, name, 'POST', at.renew(id))).toMatchObject(none);
    expect(await askHooks(product, name, 'POST', at.retry(id))).toMatchObject(none);
  }
  expect(await askHooks(product, 'tanaka', 'DELETE', at.hook(id))).toMatchObject(none);
  for (const change of changes.slice(1)) {
    expect(await askHooks(product, administrator, 'PATCH', at.hook(id), change)).toMatchObject(none);
  }
  expect((await now()).off).toBeNull();
  expect((await askHooks(product, administrator, 'PATCH', at.hook(id), { is_on: false })).status).toBe(200);
  expect((await now()).off).toBe('administrator');
  expect((await askHooks(product, administrator, 'DELETE', at.hook(id))).status).toBe(200);
  expect((await askHooks(product, 'suzuki', 'GET', at.hooks)).json).toMatchObject({ hooks: [] });
  expect((await product.call('suzuki', api.getBots, {})).bots).toEqual([]);
});

it('A bot of another type gets one hook, stays when the hook is removed, and is not given a hook by others', async () => {
  const product = await another();
  await askHooks(product, administrator, 'POST', at.origins, { origin });
  const { user_id: bot_id } = await product.call('suzuki', api.createBot, { full_name: '警報 係', short_name: 'keihou' });
  const create = (name: string) => askHooks(product, name, 'POST', at.hooks, { bot_id, address });
  expect(await create('tanaka')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await create('suzuki')).json).toMatchObject({ hook: { id: bot_id, name: '警報 係' } });
  expect(await create('suzuki')).toMatchObject({ status: 400, code: 'BOT_HAS_HOOK' });
  await askHooks(product, 'suzuki', 'DELETE', at.hook(bot_id));
  expect((await product.call('suzuki', api.getBots, {})).bots).toMatchObject([{ user_id: bot_id }]);
});

it('A hook is refused for a stream that its owner does not see', async () => {
  const product = await another();
  await product.call('tanaka', api.subscribe, { subscriptions: [{ name: '閉じた場' }], invite_only: true });
  const { stream_id } = await product.call('tanaka', api.getStreamId, { stream: '閉じた場' });
  const { id, change, now } = await createHook(product, origin);
  expect(await change({ stream_ids: [stream_id] })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await now()).toMatchObject({ id, stream_ids: [] });
  const body = { name: '断られた 係', address, stream_ids: [stream_id] };
  expect(await askHooks(product, 'suzuki', 'POST', at.hooks, body)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const { members } = await product.call('suzuki', api.getUsers, {});
  expect(members.filter(({ is_bot }) => is_bot).map((bot) => bot.full_name)).toEqual(['申請 係']);
});

it('Of hooks that are created at the same time only as many as the limit are kept, and the others leave no bot', async () => {
  const product = await another();
  await createHook(product, origin);
  const bot_ids = await Promise.all(
    ['keihou', 'shinsei'].map(
      async (short_name) => (await product.call('suzuki', api.createBot, { full_name: short_name, short_name })).user_id,
    ),
  );
  const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
  onTestFinished(() => database.close());
  // Bots with these ids do not exist.
  const copy = database.prepare(`INSERT INTO outgoing_hook
    (bot_id, owner_id, address, stream_ids, secret, created, cursor, off, dropped, attempts)
    SELECT ?, owner_id, address, stream_ids, secret, created, cursor, 'owner', dropped, attempts FROM outgoing_hook LIMIT 1`);
  for (let count = 1; count < maxOutgoingHooks - 1; count += 1) copy.run(1_000_000 + count);
  const wanted = [...bot_ids.map((bot_id) => ({ bot_id })), { name: '一つめの 係' }, { name: '二つめの 係' }];
  const answers = await Promise.all(wanted.map((bot) => askHooks(product, 'suzuki', 'POST', at.hooks, { ...bot, address })));
  expect(answers.map(({ status, code }) => code ?? status).toSorted()).toEqual([200, ...Array<string>(3).fill('TOO_MANY_HOOKS')]);
  const created = answers.flatMap(({ status, json }) => (status === 200 ? outgoingHookSecrets.parse(json).hook.name : []));
  const names = (await product.call('suzuki', api.getBots, {})).bots.map(({ full_name }) => full_name);
  expect(new Set(names)).toEqual(new Set(['申請 係', 'keihou', 'shinsei', ...created]));
});

it('A hook can be removed after its bot was deactivated', async () => {
  const product = await another();
  const { id } = await createHook(product, origin);
  await product.call('suzuki', api.deactivateBot, { bot_id: id });
  expect((await askHooks(product, 'suzuki', 'DELETE', at.hook(id))).status).toBe(200);
  expect((await askHooks(product, 'suzuki', 'GET', at.hooks)).json).toMatchObject({ hooks: [] });
});

it('Administrators keep a limited list of origins', async () => {
  const product = await another();
  const allow = (text: string, is_private = false) =>
    askHooks(product, administrator, 'POST', at.origins, { origin: text, is_private });
  expect(await allow('hooks.example.com')).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  await allow('https://HOOKS.example.com:443/');
  expect((await allow(origin, true)).json).toEqual({ origins: [{ origin, is_private: true }] });
  for (let count = 1; count < maxHookOrigins; count += 1) await allow(`https://${count}.example.com`);
  expect(await allow('https://more.example.com')).toMatchObject({ status: 400, code: 'TOO_MANY_HOOK_ORIGINS' });
  expect((await allow(origin)).status).toBe(200);
  const removed = await askHooks(product, administrator, 'DELETE', `${at.origins}?origin=${encodeURIComponent(origin)}`);
  expect(JSON.stringify(removed.json)).not.toContain(origin);
});

it('The owner cannot turn on a hook that an administrator turned off, and an administrator can', async () => {
  const product = await another();
  const { id, change, now } = await createHook(product, origin);
  const ask = (is_on: boolean) => askHooks(product, administrator, 'PATCH', at.hook(id), { is_on });
  await ask(false);
  const refusal = { status: 403, code: 'HOOK_OFF_BY_ADMINISTRATOR' };
  expect(await change({ is_on: true })).toMatchObject(refusal);
  await change({ is_on: false });
  await askHooks(product, 'suzuki', 'POST', at.renew(id));
  expect(await change({ is_on: true })).toMatchObject(refusal);
  expect((await now()).off).toBe('administrator');
  expect((await ask(true)).status).toBe(200);
  expect(await now()).toMatchObject({ off: null, owner_id: (await product.call('suzuki', api.getOwnUser, {})).user_id });
});

it('A hook that was off when its bot got a new owner is turned on only after the new owner has renewed the secret', async () => {
  const product = await another();
  const { id, change } = await createHook(product, origin);
  await change({ is_on: false });
  const { user_id } = await product.call('tanaka', api.getOwnUser, {});
  await product.call(administrator, api.updateBot, { bot_id: id, bot_owner_id: user_id });
  const turnOn = () => askHooks(product, 'tanaka', 'PATCH', at.hook(id), { is_on: true });
  expect(await turnOn()).toMatchObject({ status: 400, code: 'HOOK_SECRET_NOT_RENEWED' });
  await askHooks(product, 'tanaka', 'POST', at.renew(id));
  expect((await turnOn()).json).toMatchObject({ hook: { off: null, owner_id: user_id } });
});
