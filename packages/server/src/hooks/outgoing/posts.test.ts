import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as api from '@engawa/protocol';
import { outgoingHookPaths, outgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { administrator, askHooks, createHook } from '../../testing/outgoingHooks.ts';
import { type RunningProduct, runProduct } from '../../testing/product.ts';
import { type Received, type Respond, answering, openReceiver } from '../../testing/receiver.ts';

const hour = 60 * 60 * 1000;

async function opened(respond?: Respond) {
  const [product, receiver] = await Promise.all([runProduct(), openReceiver(respond)]);
  onTestFinished(async () => {
    await product.close();
    await receiver.close();
  });
  return { product, receiver };
}

async function hooked(respond?: Respond) {
  const { product, receiver } = await opened(respond);
  return { product, receiver, hook: await createHook(product, receiver.origin) };
}

const bodyOf = ({ body }: Received) => JSON.parse(body);
const dataOf = (received: readonly Received[]) => received.map((each) => bodyOf(each).data);

/** @returns the direct messages between 田中 and the bot. */
async function talkWith(product: RunningProduct, botId: number, name = 'tanaka'): Promise<string[]> {
  const narrow = [{ operator: 'dm', operand: [botId] }];
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
  return (await product.call(name, api.getMessages, page)).messages.map(({ content }) => content);
}

describe('what a hook posts', () => {
  it('A direct message to the bot is posted in the form of Zulip’s outgoing webhooks, with a signature', async () => {
    const { receiver, hook } = await hooked();
    const id = await hook.direct('**有給** を 1 日');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    const [received] = receiver.received;
    if (!received) throw new TypeError();
    const webhookId = `${hook.id}-${id}-${bodyOf(received).message.timestamp}`;
    expect(bodyOf(received)).toMatchObject({
      bot_full_name: '申請 係',
      data: '**有給** を 1 日',
      trigger: 'direct_message',
      token: hook.token,
      message: {
        id,
        sender_full_name: '田中 翔',
        content: '**有給** を 1 日',
        rendered_content: '<p><strong>有給</strong> を 1 日</p>',
      },
    });
    const { headers, body } = received;
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'webhook-id': webhookId });
    const key = Buffer.from(hook.secret.replace('whsec_', ''), 'base64');
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    await vi.waitFor(async () => expect((await hook.now()).last_success).not.toBeNull());
  });

  it('Of a stream a hook posts mentions of the bot, all messages if the stream was chosen, and none of other streams', async () => {
    const { product, receiver } = await opened();
    const make = async (name: string, principals: number[]) => {
      await product.call('suzuki', api.subscribe, { subscriptions: [{ name }], principals });
      return (await product.call('suzuki', api.getStreamId, { stream: name })).stream_id;
    };
    const ids = await Promise.all(
      ['suzuki', 'tanaka'].map(async (name) => (await product.call(name, api.getOwnUser, {})).user_id),
    );
    const [chosen, joined] = [await make('選んだ場', ids), await make('入った場', ids)];
    await make('別の場', ids);
    const hook = await createHook(product, receiver.origin, { stream_ids: [chosen] });
    await product.call('suzuki', api.subscribe, { subscriptions: [{ name: '入った場' }], principals: [hook.id] });
    const send = (to: string, content: string) =>
      product.call('tanaka', api.sendMessage, { type: 'stream', to: api.addressStream(to), topic: '話', content });
    await send('別の場', '別の場の話');
    await send('別の場', `別の場で @**申請 係|${hook.id}**`);
    await send('入った場', '入った場の話');
    await send('入った場', '@**all** へ');
    await send('入った場', `入った場で @**申請 係|${hook.id}**`);
    await send('選んだ場', '選んだ場の話');
    await hook.direct('最後の話');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toContain('最後の話'));
    expect(receiver.received.map((each) => [bodyOf(each).trigger, bodyOf(each).message.stream_id ?? null])).toEqual([
      ['mention', joined],
      ['stream_message', chosen],
      ['direct_message', null],
    ]);
  });

  it.each([200, 500])(
    'After a stream is added to a hook whose last post got status %i, earlier messages of the stream are not posted',
    async (status) => {
      const { product, receiver } = await opened(answering(status));
      const name = '足す場';
      const { user_id: suzuki } = await product.call('suzuki', api.getOwnUser, {});
      const { user_id: tanaka } = await product.call('tanaka', api.getOwnUser, {});
      await product.call('suzuki', api.subscribe, { subscriptions: [{ name }], principals: [suzuki, tanaka] });
      const { stream_id } = await product.call('suzuki', api.getStreamId, { stream: name });
      const hook = await createHook(product, receiver.origin);
      await product.call('suzuki', api.subscribe, { subscriptions: [{ name }], principals: [hook.id] });
      const content = '足す前の話';
      await product.call('tanaka', api.sendMessage, { type: 'stream', to: api.addressStream(name), topic: '話', content });
      // The hook has examined the message when the post of another hook, which is sent later, arrives.
      const other = await createHook(product, receiver.origin, { name: '別の 係' });
      await other.direct('別の話');
      await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['別の話']));
      if (status === 500) {
        await hook.direct('一');
        await vi.waitFor(async () => expect((await hook.now()).retry).not.toBeNull());
      }
      await hook.change({ stream_ids: [stream_id] });
      receiver.respond = answering(200);
      product.pass(hour);
      await hook.direct('最後の話');
      await vi.waitFor(() => expect(dataOf(receiver.received)).toContain('最後の話'));
      expect(dataOf(receiver.received)).not.toContain(content);
    },
  );

  it('After the owner loses a stream, its messages are not posted', async () => {
    const { product, receiver } = await opened();
    const [suzuki, tanaka] = await Promise.all(
      ['suzuki', 'tanaka'].map(async (name) => (await product.call(name, api.getOwnUser, {})).user_id),
    );
    if (!suzuki || !tanaka) throw new TypeError();
    const name = '人事の場';
    await product.call('tanaka', api.subscribe, { subscriptions: [{ name }], principals: [suzuki, tanaka], invite_only: true });
    const { stream_id } = await product.call('tanaka', api.getStreamId, { stream: name });
    const hook = await createHook(product, receiver.origin, { stream_ids: [stream_id] });
    const send = (content: string) =>
      product.call('tanaka', api.sendMessage, { type: 'stream', to: api.addressStream(name), topic: '話', content });
    await send('まだ届く話');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['まだ届く話']));
    await product.call('tanaka', api.unsubscribe, { subscriptions: [name], principals: [suzuki] });
    await send('もう届かない話');
    await hook.direct('最後の話');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['まだ届く話', '最後の話']));
  });

  it('Messages of bots trigger no hook, so two bots that answer each other stop', async () => {
    const { product, receiver } = await opened(answering(200, { content: '承知しました' }));
    const first = await createHook(product, receiver.origin, { name: '一号 係' });
    const second = await createHook(product, receiver.origin, { name: '二号 係' });
    await product.call('tanaka', api.sendMessage, { type: 'direct', to: `[${first.id},${second.id}]`, content: 'はじめ' });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    await vi.waitFor(async () => {
      const narrow = [{ operator: 'dm', operand: [first.id, second.id] }];
      const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
      expect((await product.call('tanaka', api.getMessages, page)).messages).toHaveLength(3);
    });
    await first.direct('つぎ');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['はじめ', 'はじめ', 'つぎ']));
  });
});

describe('the answer of a receiver', () => {
  it('The text of an answer is sent as the bot into the same conversation', async () => {
    const { product, receiver, hook } = await hooked(answering(200, { content: '承知しました' }));
    await hook.direct('申請です');
    await vi.waitFor(async () => expect(await talkWith(product, hook.id)).toEqual(['申請です', '承知しました']));
    expect(receiver.received).toHaveLength(1);
  });

  it('A post that is repeated because its first answer was lost sends one message', async () => {
    const { product, receiver, hook } = await hooked();
    const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
    onTestFinished(() => database.close());
    receiver.respond = answering(200, { content: '承知しました' });
    await hook.direct('申請です');
    await vi.waitFor(async () => expect((await hook.now()).last_success).not.toBeNull());
    // As if the server had been stopped before it stored that the receiver answered.
    await hook.change({ is_on: false });
    database.exec('UPDATE outgoing_hook SET off = NULL, cursor = 0');
    await askHooks(product, 'suzuki', 'POST', outgoingHookPaths.retry(hook.id));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await hook.direct('つぎ');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3));
    await vi.waitFor(async () =>
      expect(await talkWith(product, hook.id)).toEqual(['申請です', '承知しました', 'つぎ', '承知しました']),
    );
  });

  it.each<[string, Respond]>([
    ['no body', answering(200)],
    ['plain text', (response) => void response.setHeader('content-type', 'text/plain').end('ok')],
    ['a text that is not in UTF-8', (response) => void response.setHeader('content-type', 'text/plain').end(Buffer.of(0x82))],
    ['a long page', (response) => void response.setHeader('content-type', 'text/html').end('x'.repeat(100_000))],
    ['response_not_required', answering(200, { content: '不要', response_not_required: true })],
    ['an empty text', answering(200, { content: ' ' })],
  ])('An answer with %s sends nothing and is no error', async (_, respond) => {
    const { product, hook } = await hooked(respond);
    await hook.direct('申請です');
    await vi.waitFor(async () => expect((await hook.now()).last_success).not.toBeNull());
    expect([(await hook.now()).last_error, await talkWith(product, hook.id)]).toEqual([null, ['申請です']]);
  });

  it.each<[string, Respond]>([
    ['is no JSON', (response) => void response.setHeader('content-type', 'application/json').end('{')],
    ['has a number as its text', answering(200, { content: 7 })],
    ['is too long', answering(200, { content: 'あ'.repeat(30_000) })],
  ])('An answer that %s is shown to the owner as an error, and the post is not repeated', async (_, respond) => {
    const { receiver, hook } = await hooked(respond);
    await hook.direct('一');
    await vi.waitFor(async () => expect((await hook.now()).last_error).toMatchObject({ code: 'answer_unreadable' }));
    await hook.direct('二');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一', '二']));
  });
});

describe('a receiver that fails', () => {
  it.each([500, 503, 429])(
    'After status %i the post is repeated with the same id, and later messages follow in order',
    async (status) => {
      const { product, receiver, hook } = await hooked(answering(status));
      await hook.direct('一');
      await vi.waitFor(async () => expect((await hook.now()).retry).toMatchObject({ attempts: 1 }));
      await hook.direct('二');
      product.pass(hour);
      await vi.waitFor(async () => expect((await hook.now()).retry).toMatchObject({ attempts: 2 }));
      expect((await hook.now()).last_error).toMatchObject({ code: 'status', status });
      receiver.respond = answering(200);
      product.pass(hour);
      await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一', '一', '一', '二']));
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids.slice(0, 3)).size).toBe(1);
      await vi.waitFor(async () => expect((await hook.now()).retry).toBeNull());
    },
  );

  it('A post is repeated after the time that Retry-After names, and at most an hour later', async () => {
    const { product, receiver, hook } = await hooked(answering(429, undefined, { 'retry-after': '1800' }));
    const began = Math.floor(Date.now() / 1000);
    await hook.direct('一');
    await vi.waitFor(async () => expect((await hook.now()).retry?.at ?? 0).toBeGreaterThanOrEqual(began + 1800));
    receiver.respond = answering(429, undefined, { 'retry-after': '864000' });
    product.pass(hour);
    await vi.waitFor(async () => expect((await hook.now()).retry).toMatchObject({ attempts: 2 }));
    expect((await hook.now()).retry?.at).toBeLessThanOrEqual(began + 2 * 3600 + 60);
  });

  it.each([400, 404, 410, 302])(
    'A post that is refused with status %i is not repeated, and the owner sees why',
    async (status) => {
      const { receiver, hook } = await hooked(answering(status));
      await hook.direct('一');
      await hook.direct('二');
      await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一', '二']));
      await vi.waitFor(async () =>
        expect(await hook.now()).toMatchObject({ last_error: { code: 'status', status }, retry: null, dropped: 0 }),
      );
    },
  );

  it('A message that is deleted before its post is repeated is not posted again', async () => {
    const { product, receiver, hook } = await hooked(answering(500));
    const id = await hook.direct('取り消す話');
    await vi.waitFor(async () => expect((await hook.now()).retry).not.toBeNull());
    await product.call('tanaka', api.deleteMessage, { message_id: id });
    await hook.direct('つぎ');
    receiver.respond = answering(200);
    product.pass(hour);
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['取り消す話', 'つぎ']));
  });

  it('A post that failed for a day is dropped and counted, and the next one is posted', async () => {
    const { product, receiver, hook } = await hooked(answering(500));
    await hook.direct('一');
    await vi.waitFor(async () => expect((await hook.now()).retry).not.toBeNull());
    await hook.direct('二');
    receiver.respond = (response, received) => answering(bodyOf(received).data === '一' ? 500 : 200)(response, received);
    product.pass(25 * hour);
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一', '一', '二']));
    await vi.waitFor(async () => expect(await hook.now()).toMatchObject({ dropped: 1, retry: null, off: null }));
    const metrics = (await product.app.inject({ url: '/metrics', headers: { host: 'localhost' } })).body;
    expect(metrics).toContain('hook_posts_total{result="dropped"} 1');
    // The first attempt. The last one is the dropped post.
    expect(metrics).toContain('hook_posts_total{result="failed"} 1');
  });

  it('A hook without a success for a week is turned off, and its owner gets a message from the bot', async () => {
    const { product, hook } = await hooked(answering(404));
    await hook.direct('一');
    await vi.waitFor(async () => expect((await hook.now()).last_error).not.toBeNull());
    product.pass(8 * 24 * hour);
    await hook.direct('二');
    await vi.waitFor(async () => expect((await hook.now()).off).toBe('failing'));
    expect(await talkWith(product, hook.id, 'suzuki')).toEqual([expect.stringContaining('7 日間')]);
  });

  it('A dead receiver delays no other hook', async () => {
    const { product, receiver } = await opened();
    const dead = await openReceiver(() => undefined);
    onTestFinished(() => dead.close());
    const waiting = await createHook(product, dead.origin, { name: '待つ 係' });
    const hook = await createHook(product, receiver.origin);
    await waiting.direct('一');
    await vi.waitFor(() => expect(dead.received).toHaveLength(1));
    await hook.direct('二');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['二']));
    // One post at a time.
    await waiting.direct('三');
    await hook.direct('四');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['二', '四']));
    expect(dead.received).toHaveLength(1);
  });
});

describe('an origin that is not allowed', () => {
  it('A hook posts nothing after administrators have removed its origin, and goes on when they allow it again', async () => {
    const { product, receiver, hook } = await hooked();
    const { origin } = receiver;
    await askHooks(product, administrator, 'DELETE', `${outgoingHookPaths.origins}?origin=${encodeURIComponent(origin)}`);
    await hook.direct('一');
    await vi.waitFor(async () => expect((await hook.now()).last_error).toMatchObject({ code: 'not_allowed' }));
    await askHooks(product, administrator, 'POST', outgoingHookPaths.origins, { origin });
    product.pass(hour);
    await vi.waitFor(async () => expect((await hook.now()).last_error).toMatchObject({ code: 'private_address' }));
    expect(receiver.received).toEqual([]);
    await askHooks(product, administrator, 'POST', outgoingHookPaths.origins, { origin, is_private: true });
    await askHooks(product, 'suzuki', 'POST', outgoingHookPaths.retry(hook.id));
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一']));
  });
});

/** A hook whose first post is in flight until `answer` is called. */
async function inFlight() {
  const answer = Promise.withResolvers<Respond>();
  const made = await hooked(async (response, received) => (await answer.promise)(response, received));
  await made.hook.direct('一');
  await vi.waitFor(() => expect(made.receiver.received).toHaveLength(1));
  return { ...made, answer: (status: number) => answer.resolve(answering(status)) };
}

it.each([200, 400, 500])(
  'A hook that is turned off and on before its post gets status %i posts only messages from after it was turned on',
  async (status) => {
    const { receiver, hook, answer } = await inFlight();
    await hook.change({ is_on: false });
    await hook.direct('止めている間の話');
    await hook.change({ is_on: true });
    answer(status);
    receiver.respond = answering(200);
    await hook.direct('つぎの話');
    await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一', 'つぎの話']));
  },
);

it('The owner of a hook that failed for a week is told nothing if somebody turned it off during its last post', async () => {
  const { product, receiver, hook } = await hooked(answering(404));
  await hook.direct('一');
  await vi.waitFor(async () => expect((await hook.now()).last_error).not.toBeNull());
  product.pass(8 * 24 * hour);
  const answer = Promise.withResolvers<void>();
  receiver.respond = async (response, received) => {
    await answer.promise;
    await answering(410)(response, received);
  };
  await hook.direct('二');
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
  await hook.change({ is_on: false });
  answer.resolve();
  await vi.waitFor(async () => expect((await hook.now()).last_error).toMatchObject({ status: 410 }));
  expect((await hook.now()).off).toBe('owner');
  expect(await talkWith(product, hook.id, 'suzuki')).toEqual([]);
});

it('A hook that is turned off before its post fails waits for no retry', async () => {
  const { hook, answer } = await inFlight();
  await hook.change({ is_on: false });
  answer(500);
  await vi.waitFor(async () => expect((await hook.now()).last_error).not.toBeNull());
  expect(await hook.now()).toMatchObject({ off: 'owner', retry: null });
});

it('Failures from before a hook was turned on do not turn it off again when a post in flight fails', async () => {
  const { product, receiver, hook } = await hooked(answering(404));
  await hook.direct('一');
  await vi.waitFor(async () => expect((await hook.now()).last_error).not.toBeNull());
  product.pass(8 * 24 * hour);
  const answer = Promise.withResolvers<Respond>();
  receiver.respond = async (response, received) => (await answer.promise)(response, received);
  await hook.direct('二');
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
  await hook.change({ is_on: false });
  await hook.change({ is_on: true });
  answer.resolve(answering(404));
  receiver.respond = answering(200);
  await hook.direct('つぎの話');
  await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['一', '二', 'つぎの話']));
});

it('A hook that was off posts only messages from after it was turned on', async () => {
  const { receiver, hook } = await hooked();
  await hook.change({ is_on: false });
  await hook.direct('止めている間の話');
  await hook.change({ is_on: true });
  await hook.direct('つぎの話');
  await vi.waitFor(() => expect(dataOf(receiver.received)).toEqual(['つぎの話']));
});

describe('a bot that changes', () => {
  it('After a bot is given to another member, its hook is off until the new owner renews the secret and turns it on', async () => {
    const { product, receiver, hook } = await hooked();
    const { user_id: kimura } = await product.call('tanaka', api.getOwnUser, {});
    await product.call(administrator, api.updateBot, { bot_id: hook.id, bot_owner_id: kimura });
    await hook.direct('一', 'sato');
    const all = async () => {
      const { json } = await askHooks(product, administrator, 'GET', outgoingHookPaths.all);
      return json;
    };
    await vi.waitFor(async () => expect(await all()).toMatchObject({ hooks: [{ off: 'owner_changed', owner_id: kimura }] }));
    expect(receiver.received).toEqual([]);
    expect((await hook.change({ is_on: true })).status).toBe(404);
    const turnOn = () => askHooks(product, 'tanaka', 'PATCH', outgoingHookPaths.hook(hook.id), { is_on: true });
    expect(await turnOn()).toMatchObject({ status: 400, code: 'HOOK_SECRET_NOT_RENEWED' });
    const { json } = await askHooks(product, 'tanaka', 'POST', outgoingHookPaths.renew(hook.id));
    const { status } = await turnOn();
    await hook.direct('二', 'sato');
    await vi.waitFor(() => expect([status, ...dataOf(receiver.received)]).toEqual([200, '二']));
    expect(receiver.received.map((each) => bodyOf(each).token)).toEqual([outgoingHookSecrets.parse(json).token]);
  });

  it('A deactivated bot posts nothing', async () => {
    const { product, receiver, hook } = await hooked();
    await hook.direct('一');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    await product.call('suzuki', api.deactivateBot, { bot_id: hook.id });
    await askHooks(product, 'suzuki', 'POST', outgoingHookPaths.retry(hook.id));
    await vi.waitFor(async () => expect((await hook.now()).off).toBe('bot_inactive'));
    expect(receiver.received).toHaveLength(1);
  });
});
