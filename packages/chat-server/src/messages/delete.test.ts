import {
  type ParametersIn,
  type ServerEvent,
  addReaction,
  deleteMessage,
  editMessage,
  getMessage,
  getMessageHistory,
  getMessages,
  getSubscriptions,
  registerQueue,
  roles,
  sendMessage,
  updateMessageFlags,
  updateUser,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { statement } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { inShort, queueOf } from '../testing/queue.ts';

const invalid = { status: 400, code: 'BAD_REQUEST', msg: 'Invalid message(s)' };

async function deleting() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  return {
    server,
    as,
    says: async (by: string, content: string, more: Partial<ParametersIn<typeof sendMessage>> = {}) => {
      const sending = { type: 'stream', to: eg.general, topic: '予定', content, ...more };
      return (await as(by).ok(sendMessage, sending)).id;
    },
    deletes: (by: string, id: number) => as(by).ok(deleteMessage, { message_id: id }),
    refused: (by: string, id: number) => as(by).refused(deleteMessage, { message_id: id }),
  };
}

/** A message on which everything was done that can be. */
async function muchDone() {
  const chat = await deleting();
  const { as, says } = chat;
  const id = await says('suzuki', '@**佐藤 花子** 秘密の話');
  const [sato, tanaka] = [as('sato'), as('tanaka')];
  await as('suzuki').ok(editMessage, { message_id: id, content: '@**佐藤 花子** 秘密の話、第二版' });
  await sato.ok(addReaction, { message_id: id, emoji_name: 'smile' });
  await sato.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  await tanaka.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'collapsed' });
  return { ...chat, id, sato };
}

describe('DELETE /messages/{message_id}', () => {
  it('[R4.9] [R7.6] takes the content out of every answer, and keeps the place', async () => {
    const { sato, id, deletes, says } = await muchDone();
    await says('tanaka', 'そのほか');
    expect(await deletes('suzuki', id)).toEqual({});

    const asked = { anchor: 'oldest', num_before: 0, num_after: 100 } as const;
    const { messages } = await sato.ok(getMessages, asked);
    expect(messages.map(({ content }) => content)).toEqual(['<p>そのほか</p>']);
    const [place, ...others] = (await sato.ok(getMessages, { ...asked, include_deleted: true })).messages;
    expect(place).toMatchObject({ id, content: '', deleted: true, reactions: [], flags: [] });
    expect(place).not.toHaveProperty('edit_history');
    expect(others).toHaveLength(1);
    for (const endpoint of [getMessage, getMessageHistory, deleteMessage]) {
      expect(await sato.refused(endpoint, { message_id: id })).toMatchObject(invalid);
    }
    const state = await sato.ok(registerQueue, {});
    expect(state).toMatchObject({ starred_messages: [], unread_msgs: { count: 1, mentions: [] } });
    expect(JSON.stringify([messages, place, state])).not.toContain('秘密');
  });

  it('[R4.9] leaves nothing of it in any table but its place', async () => {
    const { server, deletes, id } = await muchDone();
    await deletes('suzuki', id);
    const { reader } = fileOf(server).database;
    expect(reader.all(selectEdits, { message_id: id })).toEqual([]);
    expect(reader.all(selectReactions, { message_id: id })).toEqual([]);
    expect(reader.all(selectFlags, { message_id: id })).toEqual([]);
    expect(JSON.stringify(reader.all(selectPayloads, {}))).not.toContain('秘密');
  });

  it('[R4.9] leaves one who hears late nothing but that it is gone', async () => {
    const { as, says, deletes } = await deleting();
    const sato = await queueOf(as('sato'));
    const id = await says('suzuki', '秘密');
    await as('suzuki').ok(editMessage, { message_id: id, content: 'もっと秘密' });
    await as('tanaka').ok(addReaction, { message_id: id, emoji_name: 'smile' });
    await deletes('suzuki', id);
    const events = await sato.take();
    expect(events.filter((event) => event.type !== 'stream').map(inShort)).toEqual(['delete_message']);
    expect(JSON.stringify(events)).not.toContain('秘密');
  });

  it('takes it out of a topic that changes late, and out of the event of that', async () => {
    const { as, says, deletes } = await deleting();
    const [one, two] = [await says('suzuki', '一'), await says('suzuki', '二')];
    const sato = await queueOf(as('sato'), { event_types: ['update_message'] });
    await as('suzuki').ok(editMessage, { message_id: one, topic: '昼食', content: '秘密', propagate_mode: 'change_all' });
    await deletes('suzuki', one);
    expect(await sato.take()).toMatchObject([{ message_id: two, message_ids: [two], subject: '昼食' }]);
    expect(JSON.stringify(await sato.look())).not.toContain('秘密');
  });

  it('is told to those who are there, in the form that each queue understands', async () => {
    const { server, as, says, deletes } = await deleting();
    await says('suzuki', '先');
    const id = await says('suzuki', '一');
    const one = await queueOf(as('sato'));
    const bulk = await queueOf(as('sato'), { client_capabilities: { bulk_message_deletion: true } });
    await deletes('suzuki', id);
    const told = { type: 'delete_message', message_type: 'stream', stream_id: server.stream(eg.general), topic: '予定' };
    expect(await one.take()).toEqual([{ ...told, id: one.cursor, message_id: id }]);
    expect(await bulk.take()).toEqual([{ ...told, id: bulk.cursor, message_ids: [id] }]);
  });

  it('[R6.1] is not told to one outside, who has left, or who came later where newcomers read no history', async () => {
    const { server, as, says, deletes } = await deleting();
    const id = await says('sato', '内緒', { to: eg.personnel });
    await says('sato', '先', { to: eg.personnel });
    await joins(server, 'ito', eg.personnel);
    await joins(server, 'suzuki', eg.personnel);
    const queues = [await queueOf(as('takahashi')), await queueOf(as('suzuki')), await queueOf(as('ito'))];
    await leaves(server, 'suzuki', eg.personnel);
    for (const queue of queues) await queue.take();
    await deletes('sato', id);
    const heard: ServerEvent[] = [];
    for (const queue of queues) heard.push(...(await queue.take()));
    expect(heard.filter(({ type }) => type === 'delete_message')).toEqual([]);
  });

  it('is for administrators to do at any time, for others on what they wrote for ten minutes', async () => {
    const { server, says, deletes, refused } = await deleting();
    const [one, two, owners] = [await says('suzuki', '一'), await says('suzuki', '二'), await says('tanaka', '三')];
    const others = "You don't have permission to delete this message";
    expect(await refused('suzuki', owners)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: others });
    expect(await refused('takahashi', one)).toMatchObject({ msg: others });
    await server.clock.jump(600);
    await deletes('suzuki', one);
    await server.clock.jump(1);
    const passed = 'The time limit for deleting this message has passed';
    expect(await refused('suzuki', two)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: passed });
    await deletes('sato', two);
  });

  it('[R6.1] refuses in the same words what is missing, not theirs, left behind or deleted', async () => {
    const { server, says, deletes, refused } = await deleting();
    const [secret, left] = [await says('suzuki', '一', { to: eg.board }), await says('suzuki', '二')];
    const gone = await says('suzuki', '三');
    await deletes('suzuki', gone);
    // An administrator may delete everything that they may read, and nothing else.
    for (const id of [987, secret, gone]) expect(await refused('sato', id)).toMatchObject(invalid);
    await leaves(server, 'suzuki', eg.general);
    expect(await refused('suzuki', left)).toMatchObject(invalid);
  });

  it('[R6.3] is refused to one who ceased to be an administrator just before it, in the same turn', async () => {
    const { server, as, says, refused } = await deleting();
    const id = await says('suzuki', '一');
    const [, refusal] = await Promise.all([
      as('tanaka').ok(updateUser, { user_id: server.user('sato'), role: roles.member }),
      refused('sato', id),
    ]);
    expect(refusal).toMatchObject({ msg: "You don't have permission to delete this message" });
  });

  it('[R7.6] takes its parameter in the query as well, as clients send it', async () => {
    const { as, says } = await deleting();
    const id = await says('suzuki', '一');
    const query = { message_id: String(id) };
    expect(await as('suzuki').raw({ method: 'DELETE', path: `/messages/${id}`, query })).toMatchObject({ status: 200 });
  });

  it('moves the beginning of a stream on, and that is told', async () => {
    const { server, as, says, deletes } = await deleting();
    const [one, two, three] = [await says('suzuki', '一'), await says('suzuki', '二'), await says('suzuki', '三')];
    const sato = await queueOf(as('sato'), { event_types: ['stream'] });
    await deletes('suzuki', two);
    await deletes('suzuki', one);
    await deletes('suzuki', three);
    const update = { type: 'stream', op: 'update', stream_id: server.stream(eg.general), property: 'first_message_id' };
    expect(await sato.take()).toMatchObject([
      { ...update, value: three },
      { ...update, value: null },
    ]);
    const { subscriptions } = await as('sato').ok(getSubscriptions, {});
    expect(subscriptions.find(({ name }) => name === eg.general)).toMatchObject({ first_message_id: null });
    await says('suzuki', '四');
  });

  it('deletes a direct message for those who take part', async () => {
    const { server, as, says, deletes, refused } = await deleting();
    const id = await says('suzuki', '内緒', { type: 'direct', to: JSON.stringify([server.user('ito')]) });
    const [ito, sato] = [await queueOf(as('ito')), await queueOf(as('sato'))];
    expect(await refused('sato', id)).toMatchObject(invalid);
    await deletes('suzuki', id);
    const told = { type: 'delete_message', message_type: 'private', message_id: id };
    expect(await ito.take()).toEqual([{ ...told, id: ito.cursor }]);
    expect(await sato.take()).toEqual([]);
  });
});

const selectEdits = statement<{ message_id: number }>()((query, value) =>
  query.selectFrom('message_edit').selectAll().where('message_id', '=', value.message_id),
);
const selectReactions = statement<{ message_id: number }>()((query, value) =>
  query.selectFrom('reaction').selectAll().where('message_id', '=', value.message_id),
);
const selectFlags = statement<{ message_id: number }>()((query, value) =>
  query.selectFrom('message_flag').selectAll().where('message_id', '=', value.message_id),
);
const selectPayloads = statement()((query) => query.selectFrom('event').select('payload'));
