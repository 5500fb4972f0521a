import { getEvents, getMessages, getServerSettings, getSubscriptions, getUsers, registerQueue, sendMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import zulip from 'zulip-js';
import { emailOf, runProductForFile } from './testing/product.ts';

const product = await runProductForFile();
const signIn = (name: string) => zulip({ realm: product.address, username: emailOf(name), password: 'demo' });
const stream = 'プロダクト開発部';

describe('the npm package zulip-js', () => {
  it('[R7.6, R1.7] signs in, registers, sends and receives', async () => {
    const [sato, suzuki] = [await signIn('sato'), await signIn('suzuki')];
    const queue = registerQueue.answer.parse(await suzuki.queues.register({ event_types: ['message'] }));
    const { queue_id, last_event_id } = queue;

    const heard = suzuki.events.retrieve({ queue_id, last_event_id, dont_block: false });
    const sent = sendMessage.answer.parse(
      await sato.messages.send({ to: stream, type: 'stream', subject: 'stream events', content: 'zulip-js から、こんにちは' }),
    );

    const { events } = getEvents.answer.parse(await heard);
    expect(events).toMatchObject([
      { type: 'message', message: { id: sent.id, sender_full_name: '佐藤 美咲', content: 'zulip-js から、こんにちは', display_recipient: stream } },
    ]);

    const asked = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
    const fetched = getMessages.answer.parse(
      await suzuki.messages.retrieve({ ...asked, narrow: [{ operator: 'stream', operand: stream }] }),
    );
    expect(fetched.messages.map(({ id, flags }) => ({ id, flags }))).toEqual([{ id: sent.id, flags: [] }]);
    await suzuki.messages.flags.add({ messages: [sent.id], flag: 'read' });
    const again = getMessages.answer.parse(await suzuki.messages.retrieve({ ...asked, anchor: sent.id, num_before: 0 }));
    expect(again.messages[0]?.flags).toEqual(['read']);
  });

  it('[R4.3] is called on each event', async () => {
    const [sato, suzuki] = [await signIn('sato'), await signIn('suzuki')];
    const heard = Promise.withResolvers<unknown>();
    // Its loop has no end but the process's: it is left polling, and the closing server answers it.
    void suzuki.callOnEachEvent(heard.resolve, ['message']);
    const sending = setInterval(() => void sato.messages.send({ to: stream, type: 'stream', subject: 'x', content: 'もしもし' }), 50);
    await expect(heard.promise).resolves.toMatchObject({ type: 'message', message: { content: 'もしもし' } });
    clearInterval(sending);
  });

  it('finds users, subscriptions and the server as their schemas say', async () => {
    const client = await signIn('tanaka');
    expect(getUsers.answer.parse(await client.users.retrieve()).members.length).toBeGreaterThan(39);
    const { subscriptions } = getSubscriptions.answer.parse(await client.streams.subscriptions.retrieve());
    expect(subscriptions.map(({ name }) => name)).toContain(stream);
    expect(getServerSettings.answer.parse(await client.server.settings()).server_software).toBe('Engawa');
    expect(await client.users.me.getProfile()).toMatchObject({ email: emailOf('tanaka') });
  });

  it('is told what is wrong in the API\'s words', async () => {
    const client = await signIn('tanaka');
    expect(await client.messages.send({ to: '知らないストリーム', type: 'stream', subject: 'x', content: 'x' })).toMatchObject({
      result: 'error',
      code: 'STREAM_DOES_NOT_EXIST',
    });
    const wrong = await zulip({ realm: product.address, username: emailOf('tanaka'), password: 'wrong' });
    expect(await wrong.users.me.getProfile()).toMatchObject({ result: 'error', code: 'INVALID_API_KEY' });
  });
});
