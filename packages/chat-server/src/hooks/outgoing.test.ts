import { getEventListeners } from 'node:events';
import * as api from '@engawa/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { settled } from '../testing/clock.ts';
import { botOf } from '../testing/bots.ts';
import * as eg from '../testing/eg.ts';

const noStreams = new Set<number>();

async function withBot(options: Parameters<typeof botOf>[2] = { streams: [eg.general] }) {
  const server = await eg.server();
  const bot = await botOf(server, 'suzuki', options);
  const hooks = () => server.running().outgoingHooks;
  const began = hooks().newest();
  const send = (content: string, name = 'tanaka') => eg.signIn(server, name).ok(api.sendMessage, eg.streamMessage(content));
  const direct = (content: string, name = 'tanaka') =>
    eg.signIn(server, name).ok(api.sendMessage, { type: 'direct', to: `[${bot.id}]`, content });
  return { server, bot, hooks, began, send, direct };
}

/** All messages for the hook of the bot after an event. */
function allAfter({ hooks, bot, began }: Awaited<ReturnType<typeof withBot>>, streams = noStreams): string[] {
  const contents: string[] = [];
  let cursor = began;
  for (;;) {
    const next = hooks().next(bot.id, cursor, streams);
    if (!next) return contents;
    cursor = next.examined;
    if (next.hooked) contents.push(`${next.hooked.trigger} ${next.hooked.message.content}`);
    else if (next.isAll) return contents;
  }
}

it('A hook gets mentions of its bot, direct messages to it and the messages of chosen streams, in order and after a restart', async () => {
  const world = await withBot();
  const { server, bot, send, direct } = world;
  const mention = `@**警報 係|${bot.id}** 見て`;
  await send('一般の話');
  await send(mention);
  await direct('相談');
  await bot.client.ok(api.sendMessage, eg.streamMessage('自分の話'));
  await send('@**all** へ');
  const expected = [`mention ${mention}`, 'direct_message 相談'];
  expect(allAfter(world)).toEqual(expected);
  await server.restart();
  expect(allAfter(world)).toEqual(expected);
  expect(allAfter(world, new Set([server.stream(eg.general)]))).toEqual([
    'stream_message 一般の話',
    ...expected,
    'stream_message @**all** へ',
  ]);
});

it('A hook examines a long log in bounded parts and finds every message of its bot', async () => {
  const world = await withBot();
  for (let count = 0; count < 150; count += 1) await world.send(`話 ${count}`, 'sato');
  await world.direct('相談');
  expect(allAfter(world)).toEqual(['direct_message 相談']);
  expect(allAfter(world, new Set([world.server.stream(eg.general)]))).toHaveLength(151);
});

it('A hook gets no message that its bot or the owner of the bot may not read now', async () => {
  const world = await withBot();
  const { server, bot, send, direct } = world;
  await send(`@**警報 係|${bot.id}** 総務で`);
  const { id } = await direct('消す話');
  await direct('残る話');
  await eg.signIn(server, 'tanaka').ok(api.deleteMessage, { message_id: id });
  await eg.signIn(server, 'suzuki').ok(api.unsubscribe, { subscriptions: [eg.general] });
  expect(allAfter(world)).toEqual(['direct_message 残る話']);
});

it.each(['the bot', 'the owner'])('After %s is deactivated, a hook gets nothing and sends nothing', async (who) => {
  const { server, bot, hooks, began, direct } = await withBot();
  const { id } = await direct('相談');
  const user_id = who === 'the bot' ? bot.id : server.user('suzuki');
  await eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id });
  expect(hooks().next(bot.id, began, noStreams)).toBeUndefined();
  expect(await hooks().answer(bot.id, id, { content: 'はい', client_message_id: 'a' })).toBe('refused');
  expect(await hooks().tellOwner(bot.id, '停止')).toBe(false);
});

it('After a restore, a cursor beyond the end of the log continues at its end', async () => {
  const { bot, hooks, direct } = await withBot();
  const beyond = hooks().newest() + 1000;
  expect(hooks().next(bot.id, beyond, noStreams)).toMatchObject({ examined: hooks().newest(), isAll: true });
  const cursor = hooks().newest();
  await direct('相談');
  expect(hooks().next(bot.id, cursor, noStreams)?.hooked?.message.content).toBe('相談');
});

it('A waiting hook is woken by what its bot receives, and not by the messages of other conversations', async () => {
  const { server, bot, hooks, send, direct } = await withBot({});
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  let woken = 0;
  const wait = () =>
    void hooks()
      .wait(bot.id, hooks().newest(), stopping.signal)
      .then(() => (woken += 1));
  wait();
  await send('総務の話');
  await eg.signIn(server, 'suzuki').ok(api.sendMessage, eg.streamMessage('経営の話', eg.board));
  await settled();
  expect(woken).toBe(0);
  await direct('相談');
  await settled();
  expect(woken).toBe(1);
  wait();
  stopping.abort();
  await settled();
  expect(woken).toBe(2);
});

it('A hook that no longer waits does not listen to the signal of its end, with which it waits again and again', async () => {
  const { bot, hooks, direct } = await withBot({});
  const { signal } = new AbortController();
  const waiting = hooks().wait(bot.id, hooks().newest(), signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await direct('相談');
  await waiting;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('The answer to a message goes into its conversation, once per id, and only while the bot may read the message', async () => {
  const { server, bot, hooks, send, direct } = await withBot();
  const [suzuki, tanaka] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'tanaka')];
  const asked = await send(`@**警報 係|${bot.id}** 見て`);
  const askedAlone = await direct('相談');
  const answer = (id: number, content: string, client_message_id: string) =>
    hooks().answer(bot.id, id, { content, client_message_id });
  expect(await answer(asked.id, '見ました', 'one')).toBe('sent');
  expect(await answer(asked.id, 'もう一度', 'one')).toBe('sent');
  expect(await answer(askedAlone.id, '内緒です', 'two')).toBe('sent');
  await suzuki.ok(api.unsubscribe, { subscriptions: [eg.general] });
  expect(await answer(asked.id, '出た後', 'three')).toBe('refused');
  const { messages } = await tanaka.ok(api.getMessages, {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'sender', operand: bot.id }],
  });
  expect(messages.map(({ content, subject, type }) => [content, subject, type])).toEqual([
    ['見ました', 't', 'stream'],
    ['内緒です', '', 'private'],
  ]);
});
