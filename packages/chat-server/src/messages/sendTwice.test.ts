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

it('[R4.8.2] POST /messages with a client_message_id used before returns the first message and publishes no second event', async () => {
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

it('[R4.8.2] POST /messages with a client_message_id used before returns the first message even after a restart', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await tanaka.ok(sendMessage, request);
  await server.restart();
  expect(await tanaka.ok(sendMessage, request)).toEqual(first);
  expect(await contents(tanaka)).toHaveLength(1);
});

it('[R4.8.2] Two sends with one client_message_id in the same turn of the event loop store one message', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const [one, other] = await Promise.all([tanaka.ok(sendMessage, request), tanaka.ok(sendMessage, request)]);
  expect(other).toEqual(one);
  expect(await contents(tanaka)).toHaveLength(1);
});

it('POST /messages with a client_message_id used before returns the first message even if the sender left the stream', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await tanaka.ok(sendMessage, request);
  await leaves(server, 'tanaka', eg.general);
  expect(await tanaka.ok(sendMessage, request)).toEqual(first);
});

it('Two members who use the same client_message_id store two separate messages', async () => {
  const server = await eg.server();
  const { id: tanakas } = await eg.signIn(server, 'tanaka').ok(sendMessage, request);
  const { id: satos } = await eg.signIn(server, 'sato').ok(sendMessage, request);
  expect(satos).not.toBe(tanakas);
});

it('A client can send again with the same client_message_id after the server refused the first send', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  await tanaka.refused(sendMessage, { ...request, to: 'no such stream' });
  await tanaka.ok(sendMessage, request);
  expect(await contents(tanaka)).toEqual(['一度だけ']);
});

it('A client can send again with the same client_message_id after the disk was full', async () => {
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

it('The server recognises a repeated client_message_id for seven days', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await tanaka.ok(sendMessage, request);
  await server.clock.jump(7 * day);
  expect(await tanaka.ok(sendMessage, request)).toEqual(first);
  await server.clock.jump(60);
  expect(await tanaka.ok(sendMessage, request)).not.toEqual(first);
});

it('The server forgets a client_message_id from when its clock was years ahead', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  await server.clock.jump(730 * day);
  const first = await tanaka.ok(sendMessage, request);
  server.clock.setBack(730 * day);
  await server.clock.jump(60);
  expect(await tanaka.ok(sendMessage, request)).not.toEqual(first);
  expect(server.reports()).toMatchObject([{ event: 'clock_set_back' }]);
});

it('POST /messages refuses a client_message_id that is not a UUID', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const refusal = await tanaka.refused(sendMessage, { ...request, client_message_id: 'one' });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid client_message_id' });
});

function numbered(page: number): string {
  return `${clientMessageId.slice(0, -2)}${String(page).padStart(2, '0')}`;
}
