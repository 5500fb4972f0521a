import { getEvents, getMessages, registerQueue, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { leaves } from '../testing/membership.ts';

const clientMessageId = '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a';
const request = { type: 'stream', to: eg.general, topic: 't', content: '一度だけ', client_message_id: clientMessageId };
const day = 24 * 60 * 60;

async function contents(client: eg.Client): Promise<string[]> {
  const options = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  const { messages } = await client.ok(getMessages, options);
  return messages.map(({ content }) => content);
}

it('[R4.8.2] A repeated send with one client_message_id returns the first message and publishes no second event', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const { queue_id, last_event_id } = await tanaka.ok(registerQueue, { event_types: ['message'] });
  const first = await tanaka.ok(sendMessage, request);
  const second = await tanaka.ok(sendMessage, { ...request, content: 'もう一度' });
  expect(second).toEqual(first);
  expect(await contents(tanaka)).toEqual(['一度だけ']);
  const { events } = await tanaka.ok(getEvents, { queue_id, last_event_id, dont_block: true });
  expect(events).toHaveLength(1);
});

it('[R4.8.2] A repeated send with one client_message_id returns the first message after a restart', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await tanaka.ok(sendMessage, request);
  await server.restart();
  expect(await tanaka.ok(sendMessage, request)).toEqual(first);
  expect(await contents(tanaka)).toHaveLength(1);
});

it('[R4.8.2] A repeated send with one client_message_id stores one message if both sends arrive in one turn', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const [one, other] = await Promise.all([tanaka.ok(sendMessage, request), tanaka.ok(sendMessage, request)]);
  expect(other).toEqual(one);
  expect(await contents(tanaka)).toHaveLength(1);
});

it('A repeated send with one client_message_id returns the first message even if the sender has left the stream', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await tanaka.ok(sendMessage, request);
  await leaves(server, 'tanaka', eg.general);
  expect(await tanaka.ok(sendMessage, request)).toEqual(first);
});

it('A send with a client_message_id that another member used stores a separate message', async () => {
  const server = await eg.server();
  const { id: tanakas } = await eg.signIn(server, 'tanaka').ok(sendMessage, request);
  const { id: satos } = await eg.signIn(server, 'sato').ok(sendMessage, request);
  expect(satos).not.toBe(tanakas);
});

it('A repeated send with one client_message_id succeeds after a refused send', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  await tanaka.refused(sendMessage, { ...request, to: 'no such stream' });
  await tanaka.ok(sendMessage, request);
  expect(await contents(tanaka)).toEqual(['一度だけ']);
});

it('A repeated send with one client_message_id succeeds after the disk was full', async () => {
  const server = await eg.server({ maxBytes: 4096 });
  const tanaka = eg.signIn(server, 'tanaka');
  const large = { ...request, content: '縁'.repeat(10_000) };
  for (let page = 0; page < 20; page += 1) {
    const form = { ...large, client_message_id: numbered(page) };
    const { status } = await tanaka.raw({ method: 'POST', path: '/messages', form });
    if (status === 503) break;
  }
  expect(server.reports()).not.toEqual([]);
  const before = (await contents(tanaka)).length;
  expect(await tanaka.refused(sendMessage, large)).toMatchObject({ status: 503 });
  // The smaller writes on close succeed.
  await server.restart();
  expect(server.reports().at(-1)).toMatchObject({ event: 'storage_writable_again' });
  await tanaka.ok(sendMessage, large);
  await tanaka.ok(sendMessage, large);
  expect(await contents(tanaka)).toHaveLength(before + 1);
});

it('A repeated send with one client_message_id is recognised for seven days', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await tanaka.ok(sendMessage, request);
  await server.clock.jump(7 * day);
  expect(await tanaka.ok(sendMessage, request)).toEqual(first);
  await server.clock.jump(60);
  expect(await tanaka.ok(sendMessage, request)).not.toEqual(first);
});

it('A repeated send with one client_message_id is refused if the id is not a UUID', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const refusal = await tanaka.refused(sendMessage, { ...request, client_message_id: 'one' });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid client_message_id' });
});

function numbered(page: number): string {
  return `${clientMessageId.slice(0, -2)}${String(page).padStart(2, '0')}`;
}
