import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { inShort, queueOf } from '../testing/queue.ts';

const invalid = { status: 400, code: 'BAD_REQUEST', msg: 'Invalid message(s)' };

async function setup() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  return {
    server,
    as,
    send: async (by: string, content: string, more: Partial<api.ParametersIn<typeof api.sendMessage>> = {}) => {
      const sending = { type: 'stream', to: eg.general, topic: '予定', content, ...more };
      return (await as(by).ok(api.sendMessage, sending)).id;
    },
    deleteAs: (by: string, id: number) => as(by).ok(api.deleteMessage, { message_id: id }),
    refused: (by: string, id: number) => as(by).refused(api.deleteMessage, { message_id: id }),
  };
}

/** A message with a mention, an edit, a reaction and flags. */
async function setupBusyMessage() {
  const chat = await setup();
  const { as, send } = chat;
  const id = await send('suzuki', '@**佐藤 花子** 秘密の話');
  const [sato, tanaka] = [as('sato'), as('tanaka')];
  await as('suzuki').ok(api.editMessage, { message_id: id, content: '@**佐藤 花子** 秘密の話、第二版' });
  await sato.ok(api.addReaction, { message_id: id, emoji_name: 'smile' });
  await sato.ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  await tanaka.ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'collapsed' });
  return { ...chat, id, sato };
}

it('[R4.9] [R7.6] After DELETE /messages/{message_id}, no answer contains the content, and the id remains as a placeholder', async () => {
  const { sato, id, deleteAs, send } = await setupBusyMessage();
  await send('tanaka', 'そのほか');
  expect(await deleteAs('suzuki', id)).toEqual({});

  const range = { anchor: 'oldest', num_before: 0, num_after: 100 } as const;
  const { messages } = await sato.ok(api.getMessages, range);
  expect(messages.map(({ content }) => content)).toEqual(['<p>そのほか</p>']);
  const [placeholder, ...others] = (await sato.ok(api.getMessages, { ...range, include_deleted: true })).messages;
  expect(placeholder).toMatchObject({ id, content: '', deleted: true, reactions: [], flags: [] });
  expect(placeholder).not.toHaveProperty('edit_history');
  expect(others).toHaveLength(1);
  for (const endpoint of [api.getMessage, api.getMessageHistory, api.deleteMessage]) {
    expect(await sato.refused(endpoint, { message_id: id })).toMatchObject(invalid);
  }
  const state = await sato.ok(api.registerQueue, {});
  expect(state).toMatchObject({ starred_messages: [], unread_msgs: { count: 1, mentions: [] } });
  expect(JSON.stringify([messages, placeholder, state])).not.toContain('秘密');
});

it('[R4.9] After DELETE /messages/{message_id}, the database contains nothing of the message except its placeholder', async () => {
  const { server, deleteAs, id } = await setupBusyMessage();
  await deleteAs('suzuki', id);
  const { reader } = fileOf(server).database;
  expect(selectEdits(reader, id)).toEqual([]);
  expect(selectReactions(reader, id)).toEqual([]);
  expect(selectFlags(reader, id)).toEqual([]);
  expect(JSON.stringify(selectPayloads(reader))).not.toContain('秘密');
});

it('[R4.9] A member who polls after a message was deleted receives its deletion, but none of its earlier events', async () => {
  const { as, send, deleteAs } = await setup();
  const sato = await queueOf(as('sato'));
  const id = await send('suzuki', '秘密');
  await as('suzuki').ok(api.editMessage, { message_id: id, content: 'もっと秘密' });
  await as('tanaka').ok(api.addReaction, { message_id: id, emoji_name: 'smile' });
  await deleteAs('suzuki', id);
  const events = await sato.take();
  expect(events.filter((event) => event.type !== 'stream').map(inShort)).toEqual(['delete_message']);
  expect(JSON.stringify(events)).not.toContain('秘密');
});

it('If a message is moved to another topic and then deleted, a client that polls later gets a topic change without it', async () => {
  const { as, send, deleteAs } = await setup();
  const [one, two] = [await send('suzuki', '一'), await send('suzuki', '二')];
  const sato = await queueOf(as('sato'), { event_types: ['update_message'] });
  await as('suzuki').ok(api.editMessage, { message_id: one, topic: '昼食', content: '秘密', propagate_mode: 'change_all' });
  await deleteAs('suzuki', one);
  expect(await sato.take()).toMatchObject([{ message_id: two, message_ids: [two], subject: '昼食' }]);
  expect(JSON.stringify(await sato.peek())).not.toContain('秘密');
});

it('DELETE /messages/{message_id} sends subscribers one id, or a list of ids on queues with bulk_message_deletion', async () => {
  const { server, as, send, deleteAs } = await setup();
  await send('suzuki', '先');
  const id = await send('suzuki', '一');
  const one = await queueOf(as('sato'));
  const bulk = await queueOf(as('sato'), { client_capabilities: { bulk_message_deletion: true } });
  await deleteAs('suzuki', id);
  const event = { type: 'delete_message', message_type: 'stream', stream_id: server.stream(eg.general), topic: '予定' };
  expect(await one.take()).toEqual([{ ...event, id: one.cursor, message_id: id }]);
  expect(await bulk.take()).toEqual([{ ...event, id: bulk.cursor, message_ids: [id] }]);
});

it('[R6.1] DELETE /messages/{message_id} sends no event to members who cannot read the message or have left its stream', async () => {
  const { server, as, send, deleteAs } = await setup();
  const id = await send('sato', '内緒', { to: eg.personnel });
  await send('sato', '先', { to: eg.personnel });
  await joins(server, 'ito', eg.personnel);
  await joins(server, 'suzuki', eg.personnel);
  const queues = [await queueOf(as('takahashi')), await queueOf(as('suzuki')), await queueOf(as('ito'))];
  await leaves(server, 'suzuki', eg.personnel);
  for (const queue of queues) await queue.take();
  await deleteAs('sato', id);
  const received: api.ServerEvent[] = [];
  for (const queue of queues) received.push(...(await queue.take()));
  expect(received.filter(({ type }) => type === 'delete_message')).toEqual([]);
});

it('DELETE /messages/{message_id} is allowed for administrators at any time, and for authors during ten minutes', async () => {
  const { server, send, deleteAs, refused } = await setup();
  const [one, two, owners] = [await send('suzuki', '一'), await send('suzuki', '二'), await send('tanaka', '三')];
  const others = "You don't have permission to delete this message";
  expect(await refused('suzuki', owners)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: others });
  expect(await refused('takahashi', one)).toMatchObject({ msg: others });
  await server.clock.jump(600);
  await deleteAs('suzuki', one);
  await server.clock.jump(1);
  const passed = 'The time limit for deleting this message has passed';
  expect(await refused('suzuki', two)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: passed });
  await deleteAs('sato', two);
});

it('[R6.1] DELETE /messages/{message_id} gives the same error for a missing, deleted or unreadable message', async () => {
  const { server, send, deleteAs, refused } = await setup();
  const [secret, left] = [await send('suzuki', '一', { to: eg.board }), await send('suzuki', '二')];
  const gone = await send('suzuki', '三');
  await deleteAs('suzuki', gone);
  // An administrator may delete everything that they may read, and nothing else.
  for (const id of [987, secret, gone]) expect(await refused('sato', id)).toMatchObject(invalid);
  await leaves(server, 'suzuki', eg.general);
  expect(await refused('suzuki', left)).toMatchObject(invalid);
});

it('[R6.3] DELETE /messages/{message_id} refuses a member who lost the administrator role earlier in the same turn of the event loop', async () => {
  const { server, as, send, refused } = await setup();
  const id = await send('suzuki', '一');
  const [, refusal] = await Promise.all([
    as('tanaka').ok(api.updateUser, { user_id: server.user('sato'), role: api.roles.member }),
    refused('sato', id),
  ]);
  expect(refusal).toMatchObject({ msg: "You don't have permission to delete this message" });
});

it('[R7.6] DELETE /messages/{message_id} also accepts message_id in the query, because some clients send it', async () => {
  const { as, send } = await setup();
  const id = await send('suzuki', '一');
  const query = { message_id: String(id) };
  expect(await as('suzuki').raw({ method: 'DELETE', path: `/messages/${id}`, query })).toMatchObject({ status: 200 });
});

it('When the first message of a stream is deleted, the server publishes the id of the new first message', async () => {
  const { server, as, send, deleteAs } = await setup();
  const [one, two, three] = [await send('suzuki', '一'), await send('suzuki', '二'), await send('suzuki', '三')];
  const sato = await queueOf(as('sato'), { event_types: ['stream'] });
  await deleteAs('suzuki', two);
  await deleteAs('suzuki', one);
  await deleteAs('suzuki', three);
  const update = { type: 'stream', op: 'update', stream_id: server.stream(eg.general), property: 'first_message_id' };
  expect(await sato.take()).toMatchObject([
    { ...update, value: three },
    { ...update, value: null },
  ]);
  const { subscriptions } = await as('sato').ok(api.getSubscriptions, {});
  expect(subscriptions.find(({ name }) => name === eg.general)).toMatchObject({ first_message_id: null });
  await send('suzuki', '四');
});

it('DELETE /messages/{message_id} sends the deletion of a direct message to its participants only', async () => {
  const { server, as, send, deleteAs, refused } = await setup();
  const id = await send('suzuki', '内緒', { type: 'direct', to: JSON.stringify([server.user('ito')]) });
  const [ito, sato] = [await queueOf(as('ito')), await queueOf(as('sato'))];
  expect(await refused('sato', id)).toMatchObject(invalid);
  await deleteAs('suzuki', id);
  const event = { type: 'delete_message', message_type: 'private', message_id: id };
  expect(await ito.take()).toEqual([{ ...event, id: ito.cursor }]);
  expect(await sato.take()).toEqual([]);
});

const selectEdits = queries.rows((query, messageId: Value<number>) =>
  query.selectFrom('message_edit').selectAll().where('message_id', '=', messageId),
);
const selectReactions = queries.rows((query, messageId: Value<number>) =>
  query.selectFrom('reaction').selectAll().where('message_id', '=', messageId),
);
const selectFlags = queries.rows((query, messageId: Value<number>) =>
  query.selectFrom('message_flag').selectAll().where('message_id', '=', messageId),
);
const selectPayloads = queries.values((query) => query.selectFrom('event').select('payload'));

it('POST /streams/{id}/delete_topic deletes the messages of the topic that the administrator can read, and no others', async () => {
  const server = await eg.server();
  const [tanaka, suzuki] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'suzuki')];
  const send = async (topic: string, to: string = eg.general) =>
    (await tanaka.ok(api.sendMessage, { type: 'stream', to, topic, content: 'c' })).id;
  const [one, other, two, elsewhere] = [
    await send('昼食'),
    await send('予算'),
    await send('昼食'),
    await send('昼食', eg.personnel),
  ];
  const queue = await queueOf(suzuki, { event_types: ['delete_message'] });
  const stream_id = server.stream(eg.general);
  expect(await tanaka.ok(api.deleteTopic, { stream_id, topic_name: '昼食' })).toEqual({ complete: true });
  expect((await queue.take()).map((event) => event.type === 'delete_message' && event.message_id)).toEqual([two, one]);
  const { messages } = await tanaka.ok(api.getMessages, { message_ids: [one, other, two, elsewhere] });
  expect(messages.map(({ id }) => id)).toEqual([other, elsewhere]);
  expect(await tanaka.ok(api.deleteTopic, { stream_id, topic_name: '昼食' })).toEqual({ complete: true });
});

it('POST /streams/{id}/delete_topic deletes at most 2,000 messages per call, the newest first', async () => {
  const count = api.maxDeletedOfTopic + 1;
  const messages = Array.from({ length: count }, (_, index) => eg.pastMessage(`${index}`));
  const server = await eg.server({ organisation: eg.organisation({ messages }) });
  const tanaka = eg.signIn(server, 'tanaka');
  const call = { stream_id: server.stream(eg.general), topic_name: api.defaultTopic };
  const left = async () =>
    (await tanaka.ok(api.getMessages, { anchor: 'oldest', num_before: 0, num_after: 9 })).messages.map(({ id }) => id);
  expect(await tanaka.ok(api.deleteTopic, call)).toEqual({ complete: false });
  expect(await left()).toEqual([server.messages[0]]);
  expect(await tanaka.ok(api.deleteTopic, call)).toEqual({ complete: true });
  expect(await left()).toEqual([]);
});

it('POST /streams/{id}/delete_topic refuses members who are not administrators, and streams that they cannot read', async () => {
  const server = await eg.server();
  const call = { stream_id: server.stream(eg.board), topic_name: 't' };
  const mine = await eg.signIn(server, 'suzuki').refused(api.deleteTopic, call);
  expect(mine).toMatchObject({ msg: 'Must be an organization administrator' });
  expect(await eg.signIn(server, 'tanaka').refused(api.deleteTopic, call)).toMatchObject({ msg: 'Invalid stream ID' });
});
