import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { audit, company, inside, leaver, outside, sales, firstMessage, square, streams } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';

type Try = (client: eg.Client, server: eg.Server, stream: string) => Promise<boolean>;

const isOk = async (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

/** The rights of a member in a stream. A refused call counts as a missing right. */
const tries: Readonly<Record<string, Try>> = {
  async lists(client, _, stream) {
    return (await client.ok(api.getStreams, {})).streams.some(({ name }) => name === stream);
  },
  knows: (client, server, stream) => isOk(client.ok(api.getStream, { stream_id: server.stream(stream) })),
  finds: (client, _, stream) => isOk(client.ok(api.getStreamId, { stream })),
  topics: (client, server, stream) => isOk(client.ok(api.getTopics, { stream_id: server.stream(stream) })),
  async reads(client, _, stream) {
    const narrow = [{ operator: 'stream', operand: stream }];
    const request = { anchor: 'oldest', num_before: 0, num_after: 9, narrow, apply_markdown: false };
    const { messages } = await client.ok(api.getMessages, request).catch(() => ({ messages: [] }));
    return messages.some(({ content }) => content === firstMessage);
  },
  async sees_members(client, server, stream) {
    const state = await client.ok(api.registerQueue, { include_subscribers: true });
    const visible = [...(state.subscriptions ?? []), ...(state.unsubscribed ?? []), ...(state.never_subscribed ?? [])];
    const shownHere = visible.find(({ stream_id }) => stream_id === server.stream(stream));
    return shownHere?.subscribers?.includes(server.user(inside.guest)) ?? false;
  },
  sends: (client, _, stream) => isOk(client.ok(api.sendMessage, { type: 'stream', to: stream, topic: 't', content: 'c' })),
  async joins(client, _, stream) {
    const request = client.ok(api.subscribe, { subscriptions: [{ name: stream }] });
    const { subscribed } = await request.catch(() => ({ subscribed: {} }));
    return Object.keys(subscribed).length > 0;
  },
  adds: (client, _, stream) =>
    isOk(client.ok(api.subscribe, { subscriptions: [{ name: stream }], principals: ['tanaka', 'sato'].map(eg.emailOf) })),
  async leaves(client, _, stream) {
    const { removed } = await client.ok(api.unsubscribe, { subscriptions: [stream] }).catch(() => ({ removed: [] }));
    return removed.length > 0;
  },
  removes: (client, _, stream) =>
    isOk(client.ok(api.unsubscribe, { subscriptions: [stream], principals: Object.values(inside).map(eg.emailOf) })),
  archives: (client, server, stream) => isOk(client.ok(api.deleteStream, { stream_id: server.stream(stream) })),
};

async function rightsOf(who: string, stream: string): Promise<string> {
  const rights: string[] = [];
  for (const [name, isGranted] of Object.entries(tries)) {
    const server = await company();
    if (await isGranted(eg.signIn(server, who), server, stream)) rights.push(name);
  }
  return rights.join(' ');
}

const knowing = 'knows finds';
const seeing = `lists ${knowing} topics reads sees_members sends`;
const entering = `${seeing} joins adds`;
const closing = 'removes archives';
const making = `${seeing} adds leaves ${closing}`;

it.each<[string, string, { public: string; private: string }]>([
  ['the owner', outside.owner, { public: `${entering} ${closing}`, private: `${knowing} ${closing}` }],
  ['an administrator', outside.administrator, { public: `${entering} ${closing}`, private: `${knowing} ${closing}` }],
  ['a moderator', outside.moderator, { public: entering, private: '' }],
  ['a member', outside.member, { public: entering, private: '' }],
  ['a guest', outside.guest, { public: '', private: '' }],
  ['a member who left', leaver, { public: entering, private: '' }],
  ['the creator', inside.member, { public: making, private: making }],
  ['a subscribed guest', inside.guest, { public: `${seeing} leaves`, private: `${seeing} leaves` }],
])(
  '[R6.1] [R6.3] In a public and in a private stream, %s has exactly the rights that the table of this test lists',
  async (_, who, { public: inPublic, private: inPrivate }) => {
    expect(await rightsOf(who, square)).toBe(inPublic);
    expect(await rightsOf(who, sales)).toBe(inPrivate);
    expect(await rightsOf(who, audit)).toBe(inPrivate);
  },
);

it('[R6.1] The server answers members outside a private stream as if the stream did not exist', async () => {
  const server = await company();
  const nothing = { id: 987, name: 'ない' };
  const ids = new Set(streams.map(server.stream));
  expect(ids.has(nothing.id)).toBe(false);
  for (const who of [outside.moderator, outside.member, outside.guest, leaver]) {
    const client = eg.signIn(server, who);
    for (const stream of [sales, audit]) {
      const calls = ({ id, name }: { id: number; name: string }) =>
        Promise.all([
          client.refused(api.getStream, { stream_id: id }),
          client.refused(api.getStreamId, { stream: name }),
          client.refused(api.getTopics, { stream_id: id }),
          client.refused(api.deleteStream, { stream_id: id }),
          client.refused(api.unsubscribe, { subscriptions: [name] }),
        ]);
      const request = JSON.stringify(await calls({ id: server.stream(stream), name: stream }));
      expect(request.replaceAll(stream, nothing.name)).toBe(JSON.stringify(await calls(nothing)));
    }
  }
});

it('[R6.1] An administrator outside a private stream sees its name and description, but neither messages nor subscribers', async () => {
  const server = await company();
  const sato = eg.signIn(server, outside.administrator);
  const { streams: all } = await sato.ok(api.getStreams, { include_all_active: true });
  expect(all.map(({ name }) => name)).toEqual([sales, square, audit].toSorted());
  const first = (stream: string) => all.find(({ name }) => name === stream)?.first_message_id;
  expect([first(square), first(sales), first(audit)]).toEqual([server.messages[0], null, null]);
  const { stream } = await sato.ok(api.getStream, { stream_id: server.stream(sales) });
  expect(stream).toMatchObject({ name: sales, description: '営業部の連絡', first_message_id: null });
  const state = await sato.raw({ method: 'POST', path: '/register', form: { include_subscribers: 'true' } });
  expect(state.text).not.toContain(sales);
});

it('[R6.1] A new subscriber of a private stream sees its earlier messages only if the stream shares its history', async () => {
  const server = await company();
  const suzuki = eg.signIn(server, outside.member);
  for (const [stream, before] of [
    [sales, [firstMessage]],
    [audit, []],
  ] as const) {
    const subscriptions = [{ name: stream }];
    await eg.signIn(server, inside.member).ok(api.subscribe, { subscriptions, principals: [server.user('suzuki')] });
    const narrow = [{ operator: 'stream', operand: stream }];
    const request = { anchor: 'oldest', num_before: 0, num_after: 9, narrow, apply_markdown: false };
    const { messages } = await suzuki.ok(api.getMessages, request);
    const written = messages.filter(({ notice }) => !notice);
    expect(written.map(({ content }) => content)).toEqual(before);
    const { topics } = await suzuki.ok(api.getTopics, { stream_id: server.stream(stream) });
    expect(topics).toEqual([{ name: api.defaultTopic, max_id: messages.at(-1)?.id }]);
  }
});
