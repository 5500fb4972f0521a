/** The whole product in front of the double of a real Zulip, with the sessions of browsers. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDrafts, getDrafts, getSubscriptions, registerQueue } from '@engawa/protocol';
import { liveAnswer, livePath } from '@engawa/protocol/live';
import { session } from '@engawa/protocol/product';
import { afterAll, expect, it } from 'vitest';
import { cookieFrom, emailOf, fromOwnPage, type RunningProduct, runProduct } from '../../../testing/product.ts';
import { startZulip } from '../../../testing/zulip/zulip.ts';

const zulip = await startZulip();
const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
const run = () => runProduct({ ZULIP_SITE: zulip.url }, directory);
let product = await run();
afterAll(async () => {
  await product.close();
  await zulip.close();
});

/** A browser in which the member has signed in. */
async function device({ app }: RunningProduct, name: string) {
  const payload = { email: emailOf(name), password: 'demo' };
  const answer = await app.inject({ method: 'POST', url: '/api/session', headers: { host: 'localhost' }, payload });
  const headers = { host: 'localhost', cookie: cookieFrom(answer.headers['set-cookie']), ...fromOwnPage };
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  return {
    view: session.parse(answer.json()),
    get: async (url: string) => (await app.inject({ url, headers })).json(),
    send: async (method: 'POST' | 'PATCH', path: string, values: Readonly<Record<string, unknown>>) => {
      const parameters = new URLSearchParams();
      for (const [key, value] of Object.entries(values)) {
        parameters.append(key, typeof value === 'string' ? value : JSON.stringify(value));
      }
      const sent = { method, url: `/api/v1${path}`, headers: form, payload: parameters.toString() };
      return (await app.inject(sent)).json();
    },
  };
}

it('[R7.8] A member’s change on one device reaches the other device at once, and outlives a restart of the product', async () => {
  const [phone, desk] = [await device(product, 'tanaka'), await device(product, 'tanaka')];
  expect(phone.view.capabilities).toEqual(
    expect.arrayContaining(['put_away', 'draft_revisions', 'own_settings', 'include_deleted']),
  );
  const { after } = liveAnswer.parse(await desk.get(livePath));
  const told = desk.get(`${livePath}?after=${after}`);
  const { subscriptions } = getSubscriptions.answer.parse(await phone.get('/api/v1/users/me/subscriptions'));
  const stream_id = subscriptions.find(({ name }) => name === '雑談・縁側')?.stream_id ?? 0;
  await phone.send('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property: 'put_away', value: true }],
  });
  expect(liveAnswer.parse(await told).events).toMatchObject([{ type: 'subscription', property: 'put_away', value: true }]);

  await phone.send('PATCH', '/settings', { compact_messages: true });
  await phone.send('POST', '/users/me/emoji_uses', { emoji: 'tada' });
  const draft = { type: 'stream', to: [stream_id], topic: 'stream events', content: '書きかけ' };
  createDrafts.answer.parse(await phone.send('POST', '/drafts', { drafts: [draft] }));

  await product.app.close();
  product = await run();
  const home = await device(product, 'tanaka');
  const listed = getSubscriptions.answer.parse(await home.get('/api/v1/users/me/subscriptions')).subscriptions;
  expect(listed.filter(({ put_away }) => put_away).map((each) => each.stream_id)).toEqual([stream_id]);
  expect(getDrafts.answer.parse(await home.get('/api/v1/drafts'))).toMatchObject({ count: 1, drafts: [{ content: '書きかけ' }] });
  const registered = registerQueue.answer.parse(
    await home.send('POST', '/register', {
      event_types: ['drafts'],
      fetch_event_types: ['user_settings', 'drafts'],
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    }),
  );
  expect(registered).toMatchObject({
    user_settings: { compact_messages: true, frequent_emoji: { tada: 1 } },
    drafts: [{ content: '書きかけ', revision: 0 }],
  });
  expect(product.log).toEqual([]);
});
