import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { noBody } from '../http/exchange.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const sent = 60;
const names = ['sato', 'suzuki', 'takahashi'];

/** Each of the members is behind by 60 messages of tanaka, the last of which mentions suzuki. */
async function setup() {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const queues = await Promise.all(
    names.flatMap((name) =>
      [true, false].map(async (apply_markdown) => {
        const client = eg.signIn(server, name);
        return { name, client, apply_markdown, queue: await queueOf(client, { apply_markdown, event_types: ['message'] }) };
      }),
    ),
  );
  const ids: number[] = [];
  for (let number = 1; number <= sent; number += 1) {
    const content = number === sent ? `@**鈴木 一郎** #**${eg.general}**` : `${number} 番`;
    ids.push((await tanaka.ok(api.sendMessage, eg.streamMessage(content))).id);
  }
  return { server, tanaka, queues, last: ids.at(-1) ?? 0 };
}

type Setup = Awaited<ReturnType<typeof setup>>;

it.each<[string, (given: Setup) => Promise<unknown>]>([
  ['no change', async () => undefined],
  ['an edit', ({ tanaka, last }) => tanaka.ok(api.editMessage, { message_id: last, content: '訂正' })],
  ['a deletion', ({ tanaka, last }) => tanaka.ok(api.deleteMessage, { message_id: last })],
  ['a new topic', ({ tanaka, last }) => tanaka.ok(api.editMessage, { message_id: last, topic: '別件' })],
  ['a new name of the sender', ({ tanaka }) => tanaka.ok(api.updateSettings, { full_name: '田中 改名' })],
  ['a hidden picture', ({ tanaka }) => tanaka.ok(api.updateSettings, { photo_audience: { audience: 'nobody' } })],
  [
    'a new name of a mentioned member',
    ({ server }) => eg.signIn(server, 'suzuki').ok(api.updateSettings, { full_name: '鈴木 改名' }),
  ],
  [
    'a new name of the stream',
    ({ server, tanaka }) => tanaka.ok(api.updateStream, { stream_id: server.stream(eg.general), new_name: '新総務部' }),
  ],
  [
    'a message that was read',
    ({ server, last }) => eg.signIn(server, 'sato').ok(api.updateMessageFlags, { messages: [last], op: 'add', flag: 'read' }),
  ],
])('Members who return one after another get messages as they are at their own poll, after %s in between', async (_, change) => {
  const given = await setup();
  const { queues } = given;
  for (const { queue } of queues) await queue.peek();
  await change(given);
  for (const { name, client, apply_markdown, queue } of queues) {
    const events = await queue.take();
    const { messages } = await client.ok(api.getMessages, { anchor: 'newest', num_before: sent, num_after: 0, apply_markdown });
    const received = events.flatMap((event) => (event.type === 'message' ? [{ ...event.message, flags: event.flags }] : []));
    expect(received, name).toEqual(messages);
  }
});

it('The answers to members who return together share the bytes of events if the embedding program writes their rest', async () => {
  const { server, queues } = await setup();
  const caughtUp = async (name: string, takesRest: boolean) => {
    const { queue } = queues.find((each) => each.name === name && !each.apply_markdown) ?? {};
    const { body, rest = [] } = await server.fetch({
      method: 'GET',
      url: `/api/v1/events?queue_id=${queue?.id}&last_event_id=${queue?.cursor}&dont_block=true`,
      headers: { authorization: eg.basic(eg.emailOf(name), server.key(name)) },
      body: noBody,
      address: undefined,
      signal: new AbortController().signal,
      takesRest,
    });
    const whole: unknown = JSON.parse(Buffer.concat([body, ...rest]).toString());
    return { rest, events: api.getEvents.answer.parse(whole).events };
  };
  const [sato, suzuki] = [await caughtUp('sato', true), await caughtUp('suzuki', true)];
  // The last message mentions 鈴木.
  expect(suzuki.events.slice(0, -1)).toEqual(sato.events.slice(0, -1));
  const shared = sato.rest.filter((part) => part.length > 100 && suzuki.rest.includes(part));
  expect(shared).toHaveLength(sent - 1);
  expect(await caughtUp('sato', false)).toEqual({ rest: [], events: sato.events });
});
