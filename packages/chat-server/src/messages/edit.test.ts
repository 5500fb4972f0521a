import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Reader } from '../database/index.ts';
import { Visibility } from '../privacy/visibility.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { advanceTaskTime } from '../testing/taskTime.ts';
import { longestTurn, mostTogether } from '../turns.ts';
import { noGroups } from '../identity/groups.ts';
import { messages } from './store.ts';
import { messageViews } from './view.ts';

type Change = Omit<api.ParametersIn<typeof api.editMessage>, 'message_id'>;
/** The change of a call that is refused, with the name of the stream instead of its id. */
type RefusedChange = Omit<Change, 'stream_id'> & { readonly stream_id?: string };

const usual = eg.organisation();
/** Public, with suzuki as its only subscriber. */
const square = '広場';
const [aStream] = usual.streams;
const openStream = { ...aStream, name: square, invite_only: false, subscribers: [eg.emailOf('suzuki')] };
const organisation = eg.organisation({
  users: [...usual.users, eg.person('kato', '加藤 直樹', api.roles.moderator)],
  streams: usual.streams.flatMap((stream) => {
    if (stream.name !== eg.general) return [stream];
    return [
      { ...stream, subscribers: [...stream.subscribers, eg.emailOf('kato')] },
      { ...stream, ...openStream },
    ];
  }),
});

const days = (count: number): number => count * 24 * 60 * 60;

async function setup(request = organisation) {
  const server = await eg.server({ organisation: request });
  const as = (name: string) => eg.signIn(server, name);
  return {
    server,
    as,
    send: async (by: string, content: string, more: Partial<api.ParametersIn<typeof api.sendMessage>> = {}) => {
      const sending = { type: 'stream', to: eg.general, topic: '予定', content, ...more };
      return (await as(by).ok(api.sendMessage, sending)).id;
    },
    editAs: (by: string, id: number, change: Change) => as(by).ok(api.editMessage, { message_id: id, ...change }),
    refusal: async (by: string, id: number, change: Change) => {
      const { status, code, msg } = await as(by).refused(api.editMessage, { message_id: id, ...change });
      expect([status, code]).toEqual([400, 'BAD_REQUEST']);
      return msg;
    },
    fetchOne: async (by: string, id: number) =>
      (await as(by).ok(api.getMessage, { message_id: id, apply_markdown: false })).message,
    topicsOf: (by: string, ids: readonly number[]) =>
      Promise.all(ids.map(async (id) => (await as(by).ok(api.getMessage, { message_id: id })).message.subject)),
  };
}

function updates(events: readonly api.ServerEvent[]) {
  return events.flatMap((event) => (event.type === 'update_message' ? [event] : []));
}

it('[R4.9] PATCH /messages/{message_id} refuses an edit if the content has changed since the client read it', async () => {
  const { as, send, editAs, fetchOne } = await setup();
  const id = await send('suzuki', '会議は三時です');
  const prev_content_sha256 = createHash('sha256').update('会議は三時です').digest('hex');
  await editAs('suzuki', id, { content: '会議は四時です', prev_content_sha256 });
  // A repeated edit succeeds.
  await editAs('suzuki', id, { content: '会議は四時です', prev_content_sha256 });
  const late = { message_id: id, content: '会議は五時です', prev_content_sha256 };
  expect(await as('suzuki').refused(api.editMessage, late)).toMatchObject({ status: 400, code: 'EXPECTATION_MISMATCH' });
  expect(await fetchOne('sato', id)).toMatchObject({ content: '会議は四時です' });
});

it('[R4.9] [R7.6] PATCH /messages/{message_id} changes the content for all readers and adds the former content to the edit history', async () => {
  const { server, as, send, editAs, fetchOne } = await setup();
  const id = await send('suzuki', '誤字');
  await server.clock.jump(60);
  const timestamp = server.clock.now() / 1000;
  expect(await editAs('suzuki', id, { content: '訂正' })).toEqual({});
  const edit = { user_id: server.user('suzuki'), timestamp, prev_content: '誤字' };
  const message = await fetchOne('sato', id);
  expect(message).toMatchObject({ content: '訂正', last_edit_timestamp: timestamp });
  expect(message.edit_history).toEqual([edit]);
  expect(message).not.toHaveProperty('last_moved_timestamp');
  const { message: asHtml } = await as('sato').ok(api.getMessage, { message_id: id });
  expect(asHtml.edit_history).toEqual([{ ...edit, prev_rendered_content: '<p>誤字</p>' }]);
});

it('[R7.6] PATCH /messages/{message_id} accepts parameters in the body and in the query, and ignores those that it does not use', async () => {
  const { server, as, send, fetchOne } = await setup();
  const id = await send('suzuki', '一');
  const reply = await as('suzuki').raw({
    method: 'PATCH',
    path: `/messages/${id}`,
    query: { message_id: String(id), content: '二', prev_content: 'x' },
    form: {
      subject: '話題',
      propagate_mode: 'change_one',
      stream_id: String(server.stream(eg.general)),
      send_notification_to_old_thread: 'true',
      send_notification_to_new_thread: 'false',
    },
  });
  expect(reply).toMatchObject({ status: 200 });
  expect(await fetchOne('sato', id)).toMatchObject({ content: '二', subject: '話題' });
});

it('PATCH /messages/{message_id} stores "(deleted)" for empty content, and truncates content over the maximum length', async () => {
  const { send, editAs, fetchOne } = await setup();
  const id = await send('suzuki', '一');
  await editAs('suzuki', id, { content: ' \n ' });
  expect(await fetchOne('sato', id)).toMatchObject({ content: '(deleted)' });
  await editAs('suzuki', id, { content: '縁'.repeat(api.maxMessageLength + 1) });
  const { content } = await fetchOne('sato', id);
  expect(content).toHaveLength(api.maxMessageLength);
  expect(content.endsWith(api.truncationNotice)).toBe(true);
});

it('PATCH /messages/{message_id} sends subscribers the new content as source and HTML, with their own flags', async () => {
  const { server, as, send, editAs } = await setup();
  const id = await send('suzuki', '誤字');
  const [sato, suzuki] = [await queueOf(as('sato'), { apply_markdown: true }), await queueOf(as('suzuki'))];
  await editAs('suzuki', id, { content: '/me は訂正した' });
  const event = {
    type: 'update_message',
    user_id: server.user('suzuki'),
    edit_timestamp: server.clock.now() / 1000,
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    stream_id: server.stream(eg.general),
    stream_name: eg.general,
    content: '/me は訂正した',
    rendered_content: '<p>/me は訂正した</p>',
    orig_content: '誤字',
    orig_rendered_content: '<p>誤字</p>',
    is_me_message: true,
  };
  expect(await sato.take()).toEqual([{ ...event, id: sato.cursor, flags: [] }]);
  expect(await suzuki.take()).toEqual([{ ...event, id: suzuki.cursor, flags: ['read'] }]);
});

it('[R6.1] PATCH /messages/{message_id} sends an edit neither to members outside the stream nor to members who left it', async () => {
  const { server, as, send, editAs } = await setup();
  const id = await send('suzuki', '一');
  const [ito, tanaka] = [await queueOf(as('ito')), await queueOf(as('tanaka'))];
  await leaves(server, 'tanaka', eg.general);
  await editAs('suzuki', id, { content: '二' });
  expect(await ito.take()).toEqual([]);
  const types = (await tanaka.take()).map(({ type }) => type);
  expect(types).toContain('subscription');
  expect(types).not.toContain('update_message');
});

it('PATCH /messages/{message_id} sends an edit in a public stream to all members, but not to guests outside the stream', async () => {
  const { as, send, editAs } = await setup();
  const id = await send('suzuki', '一', { to: square });
  const [ito, guest] = [await queueOf(as('ito')), await queueOf(as('takahashi'))];
  await editAs('suzuki', id, { content: '二' });
  expect(await ito.take()).toMatchObject([{ type: 'update_message', content: '二', flags: ['read', 'historical'] }]);
  expect(await guest.take()).toEqual([]);
});

it('A member who polls after two edits of a message receives two events, each with the current content', async () => {
  const { as, send, editAs } = await setup();
  const id = await send('suzuki', '一');
  const sato = await queueOf(as('sato'));
  await editAs('suzuki', id, { content: '二' });
  await editAs('suzuki', id, { content: '三' });
  expect(updates(await sato.take()).map(({ content, orig_content }) => [content, orig_content])).toEqual([
    ['三', '一'],
    ['三', '二'],
  ]);
});

it('PATCH /messages/{message_id} changes nothing and sends no event if the content is already the same', async () => {
  const { as, send, editAs, fetchOne } = await setup();
  const id = await send('suzuki', '一');
  const sato = await queueOf(as('sato'));
  await editAs('suzuki', id, { content: '二' });
  await editAs('suzuki', id, { content: '二\n' });
  expect(await sato.take()).toHaveLength(1);
  expect((await fetchOne('sato', id)).edit_history).toHaveLength(1);
});

it('PATCH /messages/{message_id} lets only the author change the content; it refuses even an owner', async () => {
  const { send, refusal } = await setup();
  const id = await send('suzuki', '一');
  for (const by of ['tanaka', 'sato', 'kato', 'takahashi']) {
    expect(await refusal(by, id, { content: '二' })).toBe("You don't have permission to edit this message");
  }
});

it('PATCH /messages/{message_id} lets the author change the content for ten minutes and twenty more seconds of grace', async () => {
  const { server, send, editAs, refusal } = await setup();
  const [id, owners] = [await send('suzuki', '一'), await send('tanaka', '一')];
  await server.clock.jump(620);
  await editAs('suzuki', id, { content: '二' });
  await server.clock.jump(1);
  const passed = 'The time limit for editing this message has passed';
  expect(await refusal('suzuki', id, { content: '三' })).toBe(passed);
  expect(await refusal('tanaka', owners, { content: '三' })).toBe(passed);
});

it('PATCH /messages/{message_id} allows edits at any time if the organisation sets no time limits', async () => {
  const unlimited = { content: null, deletion: null, topic: null };
  const { server, send, editAs, fetchOne } = await setup({ ...organisation, editLimits: unlimited });
  const id = await send('suzuki', '一');
  await server.clock.jump(days(30));
  await editAs('suzuki', id, { content: '二', topic: '昔話', propagate_mode: 'change_all' });
  expect(await fetchOne('sato', id)).toMatchObject({ content: '二', subject: '昔話' });
});

it('A message can be edited 50 times, and one answer shows its former contents up to a maximum size', async () => {
  const { send, editAs, refusal, fetchOne } = await setup();
  const id = await send('suzuki', '0');
  for (let times = 1; times <= api.maxEditsPerMessage; times += 1) {
    await editAs('suzuki', id, { content: `${times} ${'縁'.repeat(9000)}` });
  }
  expect(await refusal('suzuki', id, { content: '二' })).toBe('This message was edited too often (maximum 50).');
  const { edit_history: history = [] } = await fetchOne('sato', id);
  expect(history).toHaveLength(api.maxEditsPerMessage);
  const characters = history.reduce((sum, { prev_content = '' }) => sum + prev_content.length, 0);
  expect(characters).toBeGreaterThan(api.maxEarlierContentShown - 10_000);
  expect(characters).toBeLessThanOrEqual(api.maxEarlierContentShown);
});

it('messageViews() stops reading former contents from the database near the maximum size that one answer shows', async () => {
  const { server, send, editAs } = await setup();
  const long = '縁'.repeat(9000);
  const ids: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const id = await send('suzuki', '0');
    ids.push(id);
    for (let times = 1; times <= 10; times += 1) await editAs('suzuki', id, { content: `${times} ${long}` });
  }
  const { reader } = fileOf(server).database;
  let read = 0;
  const counting: Reader = {
    get: (...request) => reader.get(...request),
    all(...request) {
      const rows = reader.all(...request);
      read += JSON.stringify(rows).length;
      return rows;
    },
  };
  const view = messageViews(counting, new Visibility(counting, noGroups), { id: 1, role: api.roles.member, ownerId: null });
  const fetchOne = ids.flatMap((id) => messages.withSender(reader, id) ?? []).map((row) => view(row, false));
  expect(fetchOne.map(({ edit_history }) => edit_history?.length)).toEqual(ids.map(() => 10));
  expect(read).toBeGreaterThan(api.maxEarlierContentShown);
  expect(read).toBeLessThan(1.7 * api.maxEarlierContentShown);
});

it('[R4.9] [R7.6] PATCH /messages/{message_id} with a topic changes the topic for all readers and sends them an event', async () => {
  const { server, as, send, editAs, fetchOne } = await setup();
  const id = await send('suzuki', '一');
  const sato = await queueOf(as('sato'));
  await editAs('suzuki', id, { topic: ' 昼食 ' });
  const timestamp = server.clock.now() / 1000;
  const message = await fetchOne('sato', id);
  expect(message).toMatchObject({
    subject: '昼食',
    last_moved_timestamp: timestamp,
    edit_history: [{ user_id: server.user('suzuki'), timestamp, prev_topic: '予定', topic: '昼食' }],
  });
  expect(message).not.toHaveProperty('last_edit_timestamp');
  expect(await sato.take()).toEqual([
    {
      id: sato.cursor,
      type: 'update_message',
      user_id: server.user('suzuki'),
      edit_timestamp: timestamp,
      message_id: id,
      message_ids: [id],
      flags: [],
      rendering_only: false,
      stream_id: server.stream(eg.general),
      stream_name: eg.general,
      orig_subject: '予定',
      subject: '昼食',
      propagate_mode: 'change_one',
      topic_links: [],
    },
  ]);
});

it('PATCH /messages/{message_id} with a topic and content stores both changes as one edit', async () => {
  const { as, send, editAs, fetchOne } = await setup();
  const [id, other] = [await send('suzuki', '一'), await send('tanaka', '二')];
  const sato = await queueOf(as('sato'));
  await editAs('suzuki', id, { content: '壱', topic: '昼食', propagate_mode: 'change_all' });
  const { edit_history: [edit, ...rest] = [] } = await fetchOne('sato', id);
  expect(edit).toMatchObject({ prev_content: '一', prev_topic: '予定', topic: '昼食' });
  expect(rest).toEqual([]);
  expect((await fetchOne('sato', other)).edit_history?.[0]).not.toHaveProperty('prev_content');
  expect(await sato.take()).toMatchObject([{ message_ids: [id, other], content: '壱', subject: '昼食' }]);
});

it.each([
  ['change_one', ['予定', '昼食', '予定', '予定']],
  ['change_later', ['予定', '昼食', '昼食', '予定']],
  ['change_all', ['昼食', '昼食', '昼食', '予定']],
] as const)(
  'PATCH /messages/{message_id} with propagate_mode %s changes the topic of the expected messages',
  async (propagate_mode, after) => {
    const { send, editAs, topicsOf } = await setup();
    const [one, two, three] = [await send('tanaka', '一'), await send('sato', '二'), await send('tanaka', '三')];
    const elsewhere = await send('sato', '四', { to: eg.personnel });
    await send('tanaka', '五', { topic: '昼' });
    await editAs('suzuki', two, { topic: '昼食', propagate_mode });
    expect(await topicsOf('sato', [one, two, three, elsewhere])).toEqual(after);
  },
);

it('PATCH /messages/{message_id} with a topic treats topics that differ only in letter case as one topic', async () => {
  const { as, send, editAs, topicsOf } = await setup();
  const ids = [await send('tanaka', '一', { topic: 'Lunch' }), await send('sato', '二', { topic: 'lunch' })];
  const sato = await queueOf(as('sato'));
  await editAs('suzuki', ids[0] ?? 0, { topic: 'lunch', propagate_mode: 'change_all' });
  expect(await topicsOf('sato', ids)).toEqual(['lunch', 'lunch']);
  expect(await sato.take()).toMatchObject([{ message_ids: [ids[0]] }]);
});

it('PATCH /messages/{message_id} truncates a new topic of more than 60 characters', async () => {
  const { send, editAs, topicsOf } = await setup();
  const id = await send('suzuki', '一');
  await editAs('suzuki', id, { topic: '縁'.repeat(61) });
  expect(await topicsOf('suzuki', [id])).toEqual([`${'縁'.repeat(57)}...`]);
});

it('PATCH /messages/{message_id} lets a member change the topic of any readable message, and a guest only that of own messages', async () => {
  const { send, editAs, refusal, topicsOf } = await setup();
  const ids = [await send('tanaka', '一'), await send('takahashi', '二'), await send('suzuki', '三', { to: square })];
  const [owners = 0, guests = 0, open = 0] = ids;
  await editAs('suzuki', owners, { topic: '会員' });
  await editAs('takahashi', guests, { topic: '客' });
  await editAs('ito', open, { topic: '広場の話' });
  expect(await topicsOf('suzuki', ids)).toEqual(['会員', '客', '広場の話']);
  expect(await refusal('takahashi', owners, { topic: '客' })).toBe("You don't have permission to edit this message");
});

it.each(['change_later', 'change_all'] as const)(
  'PATCH /messages/{message_id} refuses a guest whose topic change with %s would move messages of other members',
  async (propagate_mode) => {
    const { send, editAs, refusal, topicsOf } = await setup();
    const ids = [await send('takahashi', '一'), await send('tanaka', '二'), await send('takahashi', '三')];
    const [first = 0, , last = 0] = ids;
    const refused = await refusal('takahashi', first, { topic: '客', propagate_mode });
    expect(refused).toBe("You don't have permission to edit this message");
    expect(await topicsOf('suzuki', ids)).toEqual(['予定', '予定', '予定']);
    await editAs('takahashi', last, { topic: '客', propagate_mode: 'change_later' });
    expect(await topicsOf('suzuki', ids)).toEqual(['予定', '予定', '客']);
  },
);

it('PATCH /messages/{message_id} lets members change a topic for seven days after sending, and moderators at any time', async () => {
  const { server, send, editAs, refusal } = await setup();
  const id = await send('suzuki', '一');
  await server.clock.jump(days(7));
  await editAs('suzuki', id, { topic: '二' });
  await server.clock.jump(1);
  expect(await refusal('suzuki', id, { topic: '三' })).toBe("The time limit for editing this message's topic has passed.");
  await editAs('kato', id, { topic: '三' });
});

it('PATCH /messages/{message_id} moves no message of a topic if one is too old, and reports how many the member may move', async () => {
  const { server, as, send, editAs, topicsOf } = await setup();
  const old = await send('tanaka', '古い');
  await server.clock.jump(days(7) + 1);
  const [young, younger] = [await send('tanaka', '若い'), await send('tanaka', '新しい')];
  const request = { message_id: younger, topic: '整理', propagate_mode: 'change_all' } as const;
  expect(await as('suzuki').refused(api.editMessage, request)).toMatchObject({
    status: 400,
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    msg: 'You only have permission to move the 2/3 most recent messages in this topic.',
    first_message_id_allowed_to_move: young,
    total_messages_in_topic: 3,
    total_messages_allowed_to_move: 2,
  });
  await editAs('suzuki', young, { topic: '整理', propagate_mode: 'change_later' });
  expect(await topicsOf('sato', [old, young, younger])).toEqual(['予定', '整理', '整理']);
  await editAs('suzuki', young, { topic: '予定', propagate_mode: 'change_all' });
  await editAs('kato', young, { topic: '整頓', propagate_mode: 'change_all' });
  expect(await topicsOf('sato', [old, young, younger])).toEqual(['整頓', '整頓', '整頓']);
});

it('[R6.1] PATCH /messages/{message_id} moves only messages that the editor may read, and events list only those the receiver may read', async () => {
  const { server, as, send, editAs, topicsOf } = await setup();
  const before = await send('sato', '内緒', { to: eg.personnel });
  await joins(server, 'suzuki', eg.personnel);
  const between = await send('sato', '一', { to: eg.personnel });
  await joins(server, 'ito', eg.personnel);
  const after = await send('sato', '二', { to: eg.personnel });
  const queues = [await queueOf(as('sato')), await queueOf(as('suzuki')), await queueOf(as('ito'))] as const;

  await editAs('suzuki', between, { topic: '別件', propagate_mode: 'change_all' });
  expect(await topicsOf('sato', [before, between, after])).toEqual(['予定', '別件', '別件']);
  await editAs('sato', between, { topic: '予定', content: '壱', propagate_mode: 'change_all' });
  await editAs('sato', before, { topic: '本件', content: '秘密', propagate_mode: 'change_all' });

  const [satos, suzukis, itos] = await Promise.all(queues.map(async (queue) => updates(await queue.take())));
  expect(satos?.map(({ message_ids }) => message_ids)).toEqual([
    [between, after],
    [between, after],
    [before, between, after],
  ]);
  expect(suzukis?.map(({ message_id, message_ids }) => [message_id, message_ids])).toEqual([
    [between, [between, after]],
    [between, [between, after]],
    [between, [between, after]],
  ]);
  expect(itos?.map(({ message_id, message_ids }) => [message_id, message_ids])).toEqual([
    [after, [after]],
    [after, [after]],
    [after, [after]],
  ]);
  expect(JSON.stringify([suzukis, itos])).not.toMatch(/内緒|秘密/);
  expect(JSON.stringify(itos)).not.toContain('壱');
});

it('[R6.1] After a topic change, each member receives their own list of moved messages, even if two lists have equal length', async () => {
  const { server, as, send, editAs } = await setup();
  const say = () => send('sato', '話', { to: eg.personnel });
  await joins(server, 'suzuki', eg.personnel);
  const early = await say();
  await leaves(server, 'suzuki', eg.personnel);
  await joins(server, 'ito', eg.personnel);
  const late = await say();
  await leaves(server, 'ito', eg.personnel);
  await joins(server, 'suzuki', eg.personnel);
  await joins(server, 'ito', eg.personnel);
  const shared = await say();
  const [suzuki, ito] = [await queueOf(as('suzuki')), await queueOf(as('ito'))];
  const [suzukis, itos] = [suzuki.wait(), ito.wait()];
  await editAs('sato', shared, { topic: '別件', propagate_mode: 'change_all' });
  expect(await suzukis).toMatchObject([{ message_ids: [early, shared] }]);
  expect(await itos).toMatchObject([{ message_ids: [late, shared] }]);
});

it('PATCH /messages/{message_id} with a topic does not move deleted messages', async () => {
  const withDeleted = { ...organisation, messages: [eg.pastMessage('一', { topic: '予定', deleted: true })] };
  const { server, as, send, editAs } = await setup(withDeleted);
  const id = await send('suzuki', '二');
  const sato = await queueOf(as('sato'));
  await editAs('suzuki', id, { topic: '整理', propagate_mode: 'change_all' });
  expect(server.messages).toHaveLength(1);
  expect(await sato.take()).toMatchObject([{ message_ids: [id] }]);
});

it('PATCH /messages/{message_id} refuses to move more than 5,000 messages at once', async () => {
  const many = Array.from({ length: api.maxMessagesMoved + 1 }, () => eg.pastMessage('縁', { topic: '予定' }));
  const { server, editAs, refusal } = await setup({ ...organisation, messages: many });
  const [first = 0, second = 0] = server.messages;
  const all = { topic: '整理', propagate_mode: 'change_later' } as const;
  expect(await refusal('sato', first, all)).toBe('Too many messages to move at once (maximum 5000).');
  await editAs('sato', second, all);
});

it('While PATCH /messages/{message_id} moves many messages, calls of other members are answered', async () => {
  const many = Array.from({ length: 4 * mostTogether }, () => eg.pastMessage('縁', { topic: '予定' }));
  const { server, as, editAs } = await setup({ ...organisation, messages: many });
  const [first = 0] = server.messages;
  // Each step takes a whole turn.
  advanceTaskTime(2 * longestTurn);
  const moving = { isOver: false };
  const moved = editAs('tanaka', first, { topic: '整理', propagate_mode: 'change_all' }).finally(() => {
    moving.isOver = true;
  });
  let answered = 0;
  for (; !moving.isOver; answered += 1) {
    await nextTurn();
    await as('sato').ok(api.getOwnUser, {});
  }
  await moved;
  expect(answered).toBeGreaterThanOrEqual(4);
});

it('The edit history of a message keeps only its newest topic changes, but all former contents', async () => {
  const { send, editAs, fetchOne } = await setup();
  const id = await send('suzuki', '一');
  await editAs('suzuki', id, { content: '二' });
  for (let times = 0; times <= api.maxEditsPerMessage; times += 1) await editAs('tanaka', id, { topic: `${times}` });
  const { edit_history: history = [] } = await fetchOne('sato', id);
  expect(history).toHaveLength(api.maxEditsPerMessage + 1);
  expect(history.at(-1)).toMatchObject({ prev_content: '一' });
  expect(history.at(-2)).toMatchObject({ prev_topic: '0', topic: '1' });
});

it('[R7.6] PATCH /messages/{message_id} changes the content of a direct message for its participants', async () => {
  const { server, as, send, editAs, fetchOne } = await setup();
  const to = JSON.stringify([server.user('suzuki'), server.user('tanaka')]);
  const id = await send('suzuki', '内緒', { type: 'direct', to });
  const [tanaka, sato] = [await queueOf(as('tanaka')), await queueOf(as('sato'))];
  await editAs('suzuki', id, { content: '秘密' });
  expect(await fetchOne('tanaka', id)).toMatchObject({ type: 'private', content: '秘密' });
  const [event] = updates(await tanaka.take());
  expect(event).toMatchObject({ message_ids: [id], content: '秘密', orig_content: '内緒' });
  expect(event).not.toHaveProperty('stream_id');
  expect(await sato.take()).toEqual([]);
});

it('PATCH /messages/{message_id} refuses to move a direct message to a stream or to give it a topic', async () => {
  const { server, send, refusal } = await setup();
  const id = await send('suzuki', '内緒', { type: 'direct', to: JSON.stringify([server.user('tanaka')]) });
  const toStream = { stream_id: server.stream(eg.general), topic: '予定' };
  expect(await refusal('suzuki', id, toStream)).toBe('Direct messages cannot be moved to streams.');
  expect(await refusal('suzuki', id, { topic: '予定' })).toBe('Direct messages cannot have topics.');
});

const invalid = 'Invalid message(s)';

it.each([
  ['a call without changes', {}, 'Nothing to change'],
  ['the current topic', { topic: ' 予定' }, 'Nothing to change'],
  ['the current stream', { stream_id: eg.general }, 'Nothing to change'],
  ['a mode without a topic', { content: '二', propagate_mode: 'change_all' }, 'Invalid propagate_mode without topic edit'],
  ['an empty topic', { topic: ' ' }, "Topic can't be empty!"],
  ['the placeholder of an empty topic', { topic: '(no topic)' }, 'Topics are required in this organization'],
  ['an invalid character in the topic', { topic: '予\n定' }, 'Invalid character in topic, at position 2!'],
  ['a null byte', { content: '一\0' }, 'Message must not contain null bytes'],
  [
    'a change of content and stream at once',
    { content: '二', stream_id: eg.personnel },
    'Cannot change message content while changing stream',
  ],
  ['another stream', { stream_id: eg.personnel }, "You don't have permission to move this message"],
  ['another stream with a topic', { stream_id: eg.board, topic: '二' }, "You don't have permission to move this message"],
] as const)('PATCH /messages/{message_id} refuses %s', async (_, { stream_id: stream, ...change }: RefusedChange, msg) => {
  const { server, send, refusal } = await setup();
  const id = await send('sato', '一');
  const named = stream === undefined ? {} : { stream_id: server.stream(stream) };
  expect(await refusal('sato', id, { ...change, ...named })).toBe(msg);
});

it('[R6.1] PATCH /messages/{message_id} gives the same error for a missing, deleted or unreadable message', async () => {
  const { server, send, refusal } = await setup({ ...organisation, messages: [eg.pastMessage('一', { deleted: true })] });
  const [secret, left] = [await send('sato', '一', { to: eg.personnel }), await send('suzuki', '一')];
  await leaves(server, 'suzuki', eg.general);
  for (const id of [987, 0, secret, left, server.messages[0] ?? 0]) {
    expect(await refusal('suzuki', id, { content: '二' })).toBe(invalid);
  }
});

it('PATCH /messages/{message_id} checks parameters before the message, and permissions before the time limits', async () => {
  const { server, as, send, refusal } = await setup();
  const id = await send('tanaka', '一');
  const reply = await as('suzuki').raw({ method: 'PATCH', path: '/messages/987', query: { propagate_mode: 'some' } });
  expect(eg.refusal(reply)).toMatchObject({ status: 400, msg: 'Invalid propagate_mode' });
  const empty = { topic: '', stream_id: 987 };
  expect(await refusal('suzuki', 987, empty)).toBe(invalid);
  expect(await refusal('suzuki', id, { ...empty, content: '二' })).toBe("Topic can't be empty!");
  const elsewhere = { content: '二', stream_id: 987 };
  expect(await refusal('suzuki', id, elsewhere)).toBe('Cannot change message content while changing stream');
  await server.clock.jump(days(8));
  expect(await refusal('suzuki', id, { content: '二', topic: '三' })).toBe("You don't have permission to edit this message");
  expect(await refusal('tanaka', id, { content: '二', topic: '三' })).toBe('The time limit for editing this message has passed');
  expect(await refusal('suzuki', id, { topic: '三', stream_id: 987 })).toBe(
    "The time limit for editing this message's topic has passed.",
  );
});

it('PATCH /messages/{message_id} refuses a call with both topic and subject, two names of one parameter', async () => {
  const { as, send } = await setup();
  const id = await send('suzuki', '一');
  const query = { topic: '二', subject: '三' };
  const reply = await as('suzuki').raw({ method: 'PATCH', path: `/messages/${id}`, query });
  expect(eg.refusal(reply)).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' });
});
