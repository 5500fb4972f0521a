import { deactivateUser, getEvents, getMessages, registerQueue, sendMessage, updateMessageFlags } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import type { Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { mostTogether } from '../turns.ts';
import { mostCharacters } from './ranges.ts';
import { readStates } from './store.ts';

const unreadHistory = eg.organisation({
  messages: [
    eg.pastMessage('1'),
    eg.pastMessage('2'),
    eg.pastMessage('3', { stream: eg.personnel }),
    eg.pastMessage('4'),
    eg.pastMessage('hidden', { by: 'suzuki', stream: eg.board }),
    eg.pastMessage('gone', { deleted: true }),
  ],
  unread: [
    { email: eg.emailOf('sato'), stream: eg.general, count: 3 },
    { email: eg.emailOf('sato'), stream: eg.personnel, count: 1 },
  ],
});

const blocksIn = queries.values((query, userId: Value<number>, conversationId: Value<number>) =>
  query
    .selectFrom('read_block')
    .select('ranges')
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId)
    .orderBy('up_to'),
);

/** sato, with four unread messages and a queue. */
async function setup() {
  const server = await eg.server({ organisation: unreadHistory });
  const [one = 0, two = 0, three = 0, four = 0, hidden = 0, gone = 0] = server.messages;
  const sato = eg.signIn(server, 'sato');
  const queue = await sato.ok(registerQueue, { event_types: ['update_message_flags'] });
  return {
    server,
    sato,
    ids: { one, two, three, four, hidden, gone },
    mark: (op: string, flag: string, messages: number[]) => sato.ok(updateMessageFlags, { op, flag, messages }),
    refused: (op: string, flag: string, messages: number[]) => sato.refused(updateMessageFlags, { op, flag, messages }),
    unread: () => unreadOf(sato),
    events: async () => {
      const { events } = await sato.ok(getEvents, { ...queue, dont_block: true });
      return events.map((event) => event.type === 'update_message_flags' && [event.op, event.flag, event.messages]);
    },
  };
}

async function unreadOf(client: eg.Client): Promise<number[]> {
  const { unread_msgs } = await client.ok(registerQueue, { event_types: ['message', 'update_message_flags'] });
  const ids = unread_msgs?.streams.flatMap((stream) => stream.unread_message_ids) ?? [];
  expect(unread_msgs?.count).toBe(ids.length);
  return ids.toSorted((one, other) => one - other);
}

const send = (client: eg.Client, topic: string, to: string = eg.general) =>
  client.ok(sendMessage, { type: 'stream', to, topic, content: 'c' });
const unread = async (client: eg.Client) => (await client.ok(registerQueue, {})).unread_msgs;

async function flagsOf(client: eg.Client, id: number): Promise<string[] | undefined> {
  const narrow = [{ operator: 'stream', operand: eg.general }];
  return (await client.ok(getMessages, { anchor: String(id), num_before: 0, num_after: 0, narrow })).messages[0]?.flags;
}

it('[R4.6] When a message becomes unread, the event contains its stream, for devices that have not loaded the message', async () => {
  const { server, sato, ids, mark } = await setup();
  await mark('add', 'read', [ids.one]);
  const { queue_id, last_event_id } = await sato.ok(registerQueue, { event_types: ['update_message_flags'] });
  await mark('remove', 'read', [ids.one]);
  const { events } = await sato.ok(getEvents, { queue_id, last_event_id, dont_block: true });
  const message_details = { [ids.one]: { stream_id: server.stream(eg.general) } };
  expect(events).toMatchObject([{ op: 'remove', message_details }]);
});

it('[R4.6] [R7.6] POST /messages/flags marks messages as read on all devices of the member', async () => {
  const { sato, ids, mark, unread, events } = await setup();
  expect(await unread()).toEqual([ids.one, ids.two, ids.three, ids.four]);
  expect(await mark('add', 'read', [ids.two, ids.three])).toEqual({
    messages: [ids.two, ids.three],
    ignored_because_not_subscribed_channels: [],
  });
  expect(await unread()).toEqual([ids.one, ids.four]);
  expect(await flagsOf(sato, ids.two)).toEqual(['read']);
  expect(await events()).toEqual([['add', 'read', [ids.two, ids.three]]]);
});

it('POST /messages/flags can mark a read message as unread again', async () => {
  const { sato, ids, mark, unread, events } = await setup();
  await mark('add', 'read', [ids.one, ids.two, ids.four]);
  await mark('remove', 'read', [ids.two]);
  expect(await unread()).toEqual([ids.two, ids.three]);
  expect(await flagsOf(sato, ids.two)).toEqual([]);
  expect((await events())[1]).toEqual(['remove', 'read', [ids.two]]);
});

it('The event of POST /messages/flags lists only the messages whose flag has changed, or none', async () => {
  const { ids, mark, events } = await setup();
  await mark('add', 'read', [ids.one]);
  await mark('add', 'read', [ids.one, ids.one, ids.two]);
  await mark('add', 'read', [ids.two]);
  expect(await events()).toEqual([[ids.one], [ids.two], []].map((messages) => ['add', 'read', messages]));
});

it('POST /messages/flags changes flags only for the member who calls', async () => {
  const { server, ids, mark } = await setup();
  await mark('remove', 'read', [ids.one]);
  await mark('add', 'starred', [ids.one]);
  const tanaka = eg.signIn(server, 'tanaka');
  expect(await flagsOf(tanaka, ids.one)).toEqual(['read']);
  expect(await unreadOf(tanaka)).toEqual([]);
});

it('Flags that POST /messages/flags set remain after a restart of the server', async () => {
  const { server, sato, ids, mark, unread } = await setup();
  await mark('add', 'read', [ids.one]);
  await mark('add', 'starred', [ids.four]);
  await server.restart();
  expect(await unread()).toEqual([ids.two, ids.three, ids.four]);
  expect(await flagsOf(sato, ids.four)).toEqual(['starred']);
});

it('POST /messages/flags sets and clears the flags starred and collapsed independently of each other', async () => {
  const { sato, ids, mark, events } = await setup();
  await mark('add', 'starred', [ids.one, ids.two]);
  await mark('add', 'collapsed', [ids.two]);
  expect(await flagsOf(sato, ids.two)).toEqual(['starred', 'collapsed']);
  await mark('remove', 'starred', [ids.two]);
  expect(await flagsOf(sato, ids.two)).toEqual(['collapsed']);
  await mark('remove', 'collapsed', [ids.two]);
  expect(await flagsOf(sato, ids.two)).toEqual([]);
  const { starred_messages } = await sato.ok(registerQueue, { fetch_event_types: ['starred_messages'] });
  expect(starred_messages).toEqual([ids.one]);
  expect(await events()).toEqual([
    ['add', 'starred', [ids.one, ids.two]],
    ['add', 'collapsed', [ids.two]],
    ['remove', 'starred', [ids.two]],
    ['remove', 'collapsed', [ids.two]],
  ]);
});

it('[R6.1] POST /messages/flags ignores missing, unreadable and deleted messages that a member marks as read or unread', async () => {
  const { ids, mark, events } = await setup();
  const messages = [ids.hidden, 987, ids.gone, -1];
  for (const op of ['add', 'remove']) {
    expect(await mark(op, 'read', messages)).toEqual({ messages, ignored_because_not_subscribed_channels: [] });
  }
  expect(await events()).toEqual([
    ['add', 'read', []],
    ['remove', 'read', []],
  ]);
});

it('The server stores messages read in order as one range, even if ids between them belong to other streams', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = eg.signIn(server, 'sato');
  for (let times = 0; times < 5; times += 1) {
    const { id } = await send(tanaka, 't');
    await send(tanaka, 't', eg.personnel);
    await sato.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
  }
  const { database } = fileOf(server);
  expect(readStates.ranges(database.reader, server.user('sato'), server.stream(eg.general))).toHaveLength(1);
});

it('unread_msgs of POST /register stays exact for a member who leaves every second of 4,000 messages unread', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = eg.signIn(server, 'sato');
  const { database } = fileOf(server);
  const [userId, streamId] = [server.user('sato'), server.stream(eg.general)];
  const unread: number[] = [];
  let rewritten = 0;
  let blocks: readonly string[] = [];
  const ids = async () => {
    const { unread_msgs: of } = await sato.ok(registerQueue, { fetch_event_types: ['message', 'update_message_flags'] });
    return of?.streams.flatMap(({ unread_message_ids }) => unread_message_ids);
  };
  for (let times = 1; times <= 2000; times += 1) {
    unread.push((await send(tanaka, 'a')).id);
    await send(sato, 'b');
    const former = new Set(blocks);
    blocks = blocksIn(database.reader, userId, streamId);
    rewritten += blocks.filter((block) => !former.has(block)).length;
    if (times % 400 === 0) expect(await ids()).toEqual(unread);
  }
  // Each thousand messages may change the newest block and add others.
  expect(rewritten).toBeLessThanOrEqual(blocks.length + 4);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(mostCharacters);

  // Old and new messages can still be marked in both directions.
  const [oldest = 0, middle = 0, newest = 0] = [unread[0], unread[1000], unread.at(-1)];
  await sato.ok(updateMessageFlags, { messages: [oldest, middle, newest], op: 'add', flag: 'read' });
  expect(await ids()).toEqual(unread.filter((id) => ![oldest, middle, newest].includes(id)));
  await sato.ok(updateMessageFlags, { messages: [oldest, middle, newest], op: 'remove', flag: 'read' });
  expect(await ids()).toEqual(unread);
  await send(sato, 'c');
  expect(await ids()).toEqual(unread);
});

it.each(['hidden', 'gone'] as const)(
  '[R6.1] POST /messages/flags refuses to star a message that is %s, and then stars no message of the call',
  async (which) => {
    const { sato, ids, refused, events } = await setup();
    expect(await refused('add', 'starred', [ids.one, ids[which]])).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'Invalid message(s)',
    });
    expect(await flagsOf(sato, ids.one)).toEqual([]);
    expect(await events()).toEqual([]);
  },
);

it.each([
  ['add', 'purple', "Invalid flag: 'purple'"],
  ['add', 'mentioned', "Flag not editable: 'mentioned'"],
  ['add', 'stream_wildcard_mentioned', "Flag not editable: 'stream_wildcard_mentioned'"],
  ['add', 'has_alert_word', "Flag not editable: 'has_alert_word'"],
  ['add', 'historical', "Flag not editable: 'historical'"],
  ['add', 'topic_wildcard_mentioned', "Flag not editable: 'topic_wildcard_mentioned'"],
  ['toggle', 'read', "Invalid message flag operation: 'toggle'"],
  ['toggle', 'mentioned', "Flag not editable: 'mentioned'"],
])('POST /messages/flags refuses the operation %s with the flag %s', async (op, flag, msg) => {
  const { ids, refused } = await setup();
  expect(await refused(op, flag, [ids.one])).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it('[R6.1] POST /messages/flags refuses a member who was deactivated earlier in the same turn of the event loop', async () => {
  const { server, ids, refused } = await setup();
  const [, refusal] = await Promise.all([
    eg.signIn(server, 'tanaka').ok(deactivateUser, { user_id: server.user('sato') }),
    refused('add', 'starred', [ids.one]),
  ]);
  expect(refusal).toMatchObject({ code: 'USER_DEACTIVATED' });
});

it('POST /messages/flags accepts 5,000 messages in one call and refuses more', async () => {
  const { mark, refused } = await setup();
  const many = Array.from({ length: 5001 }, (_, index) => index + 1);
  await mark('add', 'read', many.slice(1));
  expect(await refused('add', 'read', many)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
});

it('POST /messages/flags marks messages as unread only in current streams of the member, and reports the other streams', async () => {
  const open = { ...eg.stream('掲示板', ['tanaka', 'sato']), invite_only: false };
  const organisation = eg.organisation({ streams: [...eg.organisation().streams, open] });
  const server = await eg.server({ organisation });
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const ids = [(await send(tanaka, 't', open.name)).id, (await send(tanaka, 't')).id];
  await leaves(server, 'sato', open.name);
  const queue = await sato.ok(registerQueue, { event_types: ['update_message_flags'] });
  const read = { messages: ids, flag: 'read' };
  expect(await sato.ok(updateMessageFlags, { ...read, op: 'add' })).toEqual({
    messages: ids,
    ignored_because_not_subscribed_channels: [],
  });
  expect(await sato.ok(updateMessageFlags, { ...read, op: 'remove' })).toEqual({
    messages: ids,
    ignored_because_not_subscribed_channels: [server.stream(open.name)],
  });
  const { events } = await sato.ok(getEvents, { ...queue, dont_block: true });
  const details = { [ids[1] ?? 0]: { type: 'stream', stream_id: server.stream(eg.general), topic: 't' } };
  expect(events).toMatchObject([{ messages: ids.slice(1) }, { messages: ids.slice(1), message_details: details }]);
  expect(await unreadOf(sato)).toEqual(ids.slice(1));
  await joins(server, 'sato', open.name);
  expect(await unreadOf(sato)).toEqual(ids.slice(1));
});

it('[R6.1] POST /messages/flags does not reveal the stream of an unreadable message that a member marks as unread', async () => {
  const { sato, ids } = await setup();
  const request = { messages: [ids.hidden], op: 'remove', flag: 'read' };
  expect(await sato.ok(updateMessageFlags, request)).toMatchObject({ ignored_because_not_subscribed_channels: [] });
});

/** ito joins after a message was sent. */
async function setupJoinedLater() {
  const server = await eg.server();
  const { id } = await send(eg.signIn(server, 'tanaka'), 't');
  await joins(server, 'ito', eg.general);
  const ito = eg.signIn(server, 'ito');
  return { id, ito, queue: await ito.ok(registerQueue, {}) };
}

it('A message sent before a member joined the stream stays read for them, even if they mark it as unread', async () => {
  const { id, ito, queue } = await setupJoinedLater();
  for (const op of ['remove', 'add', 'remove']) {
    await ito.ok(updateMessageFlags, { messages: [id], op, flag: 'read' });
  }
  expect(await flagsOf(ito, id)).toEqual(['read', 'historical']);
  expect(await unreadOf(ito)).toEqual([]);
  const { events } = await ito.ok(getEvents, { ...queue, dont_block: true });
  expect(events.map((event) => event.type === 'update_message_flags' && event.messages)).toEqual([[], [], []]);
});

it('A member can star a message that was sent before they joined the stream', async () => {
  const { id, ito } = await setupJoinedLater();
  await ito.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  expect(await flagsOf(ito, id)).toEqual(['read', 'starred', 'historical']);
});

it('unread_msgs of POST /register lists unread message ids by stream and topic, in ascending order', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const a = await send(tanaka, 'a');
  const b = await send(tanaka, 'b', eg.personnel);
  const c = await send(tanaka, 'c');
  const again = await send(tanaka, 'a');
  expect(await unread(eg.signIn(server, 'sato'))).toEqual({
    count: 4,
    streams: [
      { stream_id: server.stream(eg.general), topic: 'a', unread_message_ids: [a.id, again.id] },
      { stream_id: server.stream(eg.general), topic: 'c', unread_message_ids: [c.id] },
      { stream_id: server.stream(eg.personnel), topic: 'b', unread_message_ids: [b.id] },
    ],
    pms: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  });
});

it('unread_msgs of POST /register lists topics that differ only in letter case as one topic, in the latest spelling', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const ids = [(await send(tanaka, 'Lunch')).id, (await send(tanaka, 'LUNCH')).id, (await send(tanaka, 'lunch')).id];
  expect((await unread(eg.signIn(server, 'sato')))?.streams).toEqual([
    { stream_id: server.stream(eg.general), topic: 'lunch', unread_message_ids: ids },
  ]);
});

it('unread_msgs of POST /register lists unread messages of muted streams, but does not count them', async () => {
  const server = await eg.server();
  const { id } = await send(eg.signIn(server, 'tanaka'), 't');
  const { database } = fileOf(server);
  await database.write((tx) => mute(tx, server.user('sato')));
  const satos = await unread(eg.signIn(server, 'sato'));
  expect(satos).toMatchObject({ count: 0, streams: [{ unread_message_ids: [id] }] });
});

it('[R6.1] unread_msgs of POST /register omits streams that the member has left', async () => {
  const server = await eg.server();
  await send(eg.signIn(server, 'tanaka'), 't');
  await leaves(server, 'sato', eg.general);
  expect(await unread(eg.signIn(server, 'sato'))).toMatchObject({ count: 0, streams: [] });
});

it('After a member rejoins a stream, unread_msgs of POST /register omits the messages sent while they were away', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  await leaves(server, 'sato', eg.general);
  await send(tanaka, 't');
  await joins(server, 'sato', eg.general);
  const { id } = await send(tanaka, 't');
  const satos = await unread(eg.signIn(server, 'sato'));
  expect(satos).toMatchObject({ count: 1, streams: [{ unread_message_ids: [id] }] });
});

const mute = queries.run((query, userId: Value<number>) =>
  query.updateTable('membership').set({ is_muted: 1 }).where('user_id', '=', userId),
);

/** Messages in two streams, more than one transaction changes. */
async function withMany() {
  const messages = Array.from({ length: 4 * mostTogether }, (_, number) =>
    eg.pastMessage(`${number}`, { stream: number % 2 === 0 ? eg.general : eg.personnel }),
  );
  const server = await eg.server({ organisation: eg.organisation({ messages }) });
  const sato = eg.signIn(server, 'sato');
  return { ids: [...server.messages], sato, suzuki: eg.signIn(server, 'suzuki'), queue: await queueOf(sato) };
}

describe('A change of the flag of many messages', () => {
  it.each(['read', 'starred'])('lets calls of other members begin and end meanwhile: %s', async (flag) => {
    const { ids, sato, suzuki } = await withMany();
    const marking = { isOver: false };
    const marked = sato.ok(updateMessageFlags, { op: 'remove', flag, messages: ids }).finally(() => {
      marking.isOver = true;
    });
    let sent = 0;
    for (; !marking.isOver; sent += 1) await suzuki.ok(sendMessage, eg.streamMessage('会議'));
    await marked;
    expect(sent).toBeGreaterThanOrEqual(4);
  });

  it('is published in several events, which name each message once', async () => {
    const { ids, sato, queue } = await withMany();
    await sato.ok(updateMessageFlags, { op: 'add', flag: 'starred', messages: [...ids.toReversed(), ...ids] });
    const events = (await queue.take()).map((event) => (event.type === 'update_message_flags' ? event.messages : []));
    expect(events).toHaveLength(4);
    expect(events.flat()).toEqual(ids);
  });

  it('changes nothing if the member may not star the last of the messages', async () => {
    const { ids, sato, suzuki, queue } = await withMany();
    const { id } = await suzuki.ok(sendMessage, eg.streamMessage('役員会', eg.board));
    const change = { op: 'add', flag: 'starred', messages: [...ids, id] };
    expect(await sato.refused(updateMessageFlags, change)).toMatchObject({ msg: 'Invalid message(s)' });
    expect(await queue.take()).toEqual([]);
  });
});
