import { getEvents, getMessages, registerQueue, sendMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { leaves } from '../testing/membership.ts';

const mark = '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a';
const sending = { type: 'stream', to: eg.general, topic: 't', content: '一度だけ', client_message_id: mark };
const day = 24 * 60 * 60;

async function contents(client: eg.Client): Promise<string[]> {
  const asked = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  const { messages } = await client.ok(getMessages, asked);
  return messages.map(({ content }) => content);
}

describe('sending twice is sending once', () => {
  it('[R4.8.2] a repeated send answers the first message and makes no second event', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const { queue_id, last_event_id } = await tanaka.ok(registerQueue, { event_types: ['message'] });
    const first = await tanaka.ok(sendMessage, sending);
    const second = await tanaka.ok(sendMessage, { ...sending, content: 'もう一度' });
    expect(second).toEqual(first);
    expect(await contents(tanaka)).toEqual(['一度だけ']);
    const { events } = await tanaka.ok(getEvents, { queue_id, last_event_id, dont_block: true });
    expect(events).toHaveLength(1);
  });

  it('[R4.8.2] also after a restart', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const first = await tanaka.ok(sendMessage, sending);
    await server.restart();
    expect(await tanaka.ok(sendMessage, sending)).toEqual(first);
    expect(await contents(tanaka)).toHaveLength(1);
  });

  it('[R4.8.2] also when both arrive in one turn', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const [one, other] = await Promise.all([tanaka.ok(sendMessage, sending), tanaka.ok(sendMessage, sending)]);
    expect(other).toEqual(one);
    expect(await contents(tanaka)).toHaveLength(1);
  });

  it('also when the sender has left the stream in between', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const first = await tanaka.ok(sendMessage, sending);
    await leaves(server, 'tanaka', eg.general);
    expect(await tanaka.ok(sendMessage, sending)).toEqual(first);
  });

  it('an id that another member used as well names a message of its own', async () => {
    const server = await eg.server();
    const { id: tanakas } = await eg.signIn(server, 'tanaka').ok(sendMessage, sending);
    const { id: satos } = await eg.signIn(server, 'sato').ok(sendMessage, sending);
    expect(satos).not.toBe(tanakas);
  });

  it('a send that was refused can be repeated with the same id', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    await tanaka.refused(sendMessage, { ...sending, to: 'no such stream' });
    await tanaka.ok(sendMessage, sending);
    expect(await contents(tanaka)).toEqual(['一度だけ']);
  });

  it('a send that a full disk refused can be repeated with the same id', async () => {
    const server = await eg.server({ maxBytes: 4096 });
    const tanaka = eg.signIn(server, 'tanaka');
    const large = { ...sending, content: '縁'.repeat(10_000) };
    for (let page = 0; page < 20; page += 1) {
      const form = { ...large, client_message_id: numbered(page) };
      const { status } = await tanaka.raw({ method: 'POST', path: '/messages', form });
      if (status === 503) break;
    }
    expect(server.reports()).not.toEqual([]);
    const before = (await contents(tanaka)).length;
    expect(await tanaka.refused(sendMessage, large)).toMatchObject({ status: 503 });
    // What it writes when it is closed is small enough.
    await server.restart();
    expect(server.reports().at(-1)).toMatchObject({ event: 'changes are kept again' });
    await tanaka.ok(sendMessage, large);
    await tanaka.ok(sendMessage, large);
    expect(await contents(tanaka)).toHaveLength(before + 1);
  });

  it('is remembered for seven days and then forgotten', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const first = await tanaka.ok(sendMessage, sending);
    await server.clock.jump(7 * day);
    expect(await tanaka.ok(sendMessage, sending)).toEqual(first);
    await server.clock.jump(60);
    expect(await tanaka.ok(sendMessage, sending)).not.toEqual(first);
  });

  it('an id that is no UUID is refused', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const refusal = await tanaka.refused(sendMessage, { ...sending, client_message_id: 'one' });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid client_message_id' });
  });
});

function numbered(page: number): string {
  return `${mark.slice(0, -2)}${String(page).padStart(2, '0')}`;
}
