import { createHash } from 'node:crypto';
import {
  type ParametersIn,
  type ServerEvent,
  editMessage,
  getMessage,
  maxEarlierContentShown,
  maxEditsPerMessage,
  maxMessageLength,
  maxMessagesMoved,
  roles,
  sendMessage,
  truncationNotice,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import type { Reader } from '../database/index.ts';
import { Sight } from '../privacy/visibility.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { noGroups } from '../identity/groups.ts';
import { messages } from './store.ts';
import { messageViews } from './view.ts';

type Change = Omit<ParametersIn<typeof editMessage>, 'message_id'>;
/** With a stream by its name. */
type Refused = Omit<Change, 'stream_id'> & { readonly stream_id?: string };

const usual = eg.organisation();
/** 鈴木 alone, and open to everyone but guests. */
const square = '広場';
const [aStream] = usual.streams;
const openStream = { ...aStream, name: square, invite_only: false, subscribers: [eg.emailOf('suzuki')] };
const organisation = eg.organisation({
  users: [...usual.users, eg.person('kato', '加藤 直樹', roles.moderator)],
  streams: usual.streams.flatMap((stream) => {
    if (stream.name !== eg.general) return [stream];
    return [
      { ...stream, subscribers: [...stream.subscribers, eg.emailOf('kato')] },
      { ...stream, ...openStream },
    ];
  }),
});

const days = (count: number): number => count * 24 * 60 * 60;

async function editing(asked = organisation) {
  const server = await eg.server({ organisation: asked });
  const as = (name: string) => eg.signIn(server, name);
  return {
    server,
    as,
    says: async (by: string, content: string, more: Partial<ParametersIn<typeof sendMessage>> = {}) => {
      const sending = { type: 'stream', to: eg.general, topic: '予定', content, ...more };
      return (await as(by).ok(sendMessage, sending)).id;
    },
    edits: (by: string, id: number, change: Change) => as(by).ok(editMessage, { message_id: id, ...change }),
    refusal: async (by: string, id: number, change: Change) => {
      const { status, code, msg } = await as(by).refused(editMessage, { message_id: id, ...change });
      expect([status, code]).toEqual([400, 'BAD_REQUEST']);
      return msg;
    },
    shown: async (by: string, id: number) => (await as(by).ok(getMessage, { message_id: id, apply_markdown: false })).message,
    topics: (by: string, ids: readonly number[]) =>
      Promise.all(ids.map(async (id) => (await as(by).ok(getMessage, { message_id: id })).message.subject)),
  };
}

function updates(events: readonly ServerEvent[]) {
  return events.flatMap((event) => (event.type === 'update_message' ? [event] : []));
}

describe('PATCH /messages/{message_id}, its content', () => {
  it('[R4.9] changes nothing where it says something else by then than the caller has seen', async () => {
    const { as, says, edits, shown } = await editing();
    const id = await says('suzuki', '会議は三時です');
    const prev_content_sha256 = createHash('sha256').update('会議は三時です').digest('hex');
    await edits('suzuki', id, { content: '会議は四時です', prev_content_sha256 });
    // Who asks for the same again has it.
    await edits('suzuki', id, { content: '会議は四時です', prev_content_sha256 });
    const late = { message_id: id, content: '会議は五時です', prev_content_sha256 };
    expect(await as('suzuki').refused(editMessage, late)).toMatchObject({ status: 400, code: 'EXPECTATION_MISMATCH' });
    expect(await shown('sato', id)).toMatchObject({ content: '会議は四時です' });
  });

  it('[R4.9] [R7.6] changes for everyone, who see that it did and what stood there', async () => {
    const { server, as, says, edits, shown } = await editing();
    const id = await says('suzuki', '誤字');
    await server.clock.jump(60);
    const timestamp = server.clock.now() / 1000;
    expect(await edits('suzuki', id, { content: '訂正' })).toEqual({});
    const edit = { user_id: server.user('suzuki'), timestamp, prev_content: '誤字' };
    const message = await shown('sato', id);
    expect(message).toMatchObject({ content: '訂正', last_edit_timestamp: timestamp });
    expect(message.edit_history).toEqual([edit]);
    expect(message).not.toHaveProperty('last_moved_timestamp');
    const { message: asHtml } = await as('sato').ok(getMessage, { message_id: id });
    expect(asHtml.edit_history).toEqual([{ ...edit, prev_rendered_content: '<p>誤字</p>' }]);
  });

  it('[R7.6] takes its parameters in the body and in the query, the unused and the unknown among them', async () => {
    const { server, as, says, shown } = await editing();
    const id = await says('suzuki', '一');
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
    expect(await shown('sato', id)).toMatchObject({ content: '二', subject: '話題' });
  });

  it('says that it is gone when it is emptied, and is cut when it is too long', async () => {
    const { says, edits, shown } = await editing();
    const id = await says('suzuki', '一');
    await edits('suzuki', id, { content: ' \n ' });
    expect(await shown('sato', id)).toMatchObject({ content: '(deleted)' });
    await edits('suzuki', id, { content: '縁'.repeat(maxMessageLength + 1) });
    const { content } = await shown('sato', id);
    expect(content).toHaveLength(maxMessageLength);
    expect(content.endsWith(truncationNotice)).toBe(true);
  });

  it('is told to those who are there: as typed and as HTML, with each one’s own flags', async () => {
    const { server, as, says, edits } = await editing();
    const id = await says('suzuki', '誤字');
    const [sato, suzuki] = [await queueOf(as('sato'), { apply_markdown: true }), await queueOf(as('suzuki'))];
    await edits('suzuki', id, { content: '/me は訂正した' });
    const told = {
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
    expect(await sato.take()).toEqual([{ ...told, id: sato.cursor, flags: [] }]);
    expect(await suzuki.take()).toEqual([{ ...told, id: suzuki.cursor, flags: ['read'] }]);
  });

  it('[R6.1] is not told to one outside, nor to one who has left', async () => {
    const { server, as, says, edits } = await editing();
    const id = await says('suzuki', '一');
    const [ito, tanaka] = [await queueOf(as('ito')), await queueOf(as('tanaka'))];
    await leaves(server, 'tanaka', eg.general);
    await tanaka.take();
    await edits('suzuki', id, { content: '二' });
    expect(await ito.take()).toEqual([]);
    expect(await tanaka.take()).toEqual([]);
  });

  it('is told to whoever may read a public stream, subscribed or not, and to no guest outside', async () => {
    const { as, says, edits } = await editing();
    const id = await says('suzuki', '一', { to: square });
    const [ito, guest] = [await queueOf(as('ito')), await queueOf(as('takahashi'))];
    await edits('suzuki', id, { content: '二' });
    expect(await ito.take()).toMatchObject([{ type: 'update_message', content: '二', flags: ['read', 'historical'] }]);
    expect(await guest.take()).toEqual([]);
  });

  it('shows to one who hears late what stands there now', async () => {
    const { as, says, edits } = await editing();
    const id = await says('suzuki', '一');
    const sato = await queueOf(as('sato'));
    await edits('suzuki', id, { content: '二' });
    await edits('suzuki', id, { content: '三' });
    expect(updates(await sato.take()).map(({ content, orig_content }) => [content, orig_content])).toEqual([
      ['三', '一'],
      ['三', '二'],
    ]);
  });

  it('changes once when the same is asked for twice', async () => {
    const { as, says, edits, shown } = await editing();
    const id = await says('suzuki', '一');
    const sato = await queueOf(as('sato'));
    await edits('suzuki', id, { content: '二' });
    await edits('suzuki', id, { content: '二\n' });
    expect(await sato.take()).toHaveLength(1);
    expect((await shown('sato', id)).edit_history).toHaveLength(1);
  });

  it('is not for others to change, not even for the owner', async () => {
    const { says, refusal } = await editing();
    const id = await says('suzuki', '一');
    for (const by of ['tanaka', 'sato', 'kato', 'takahashi']) {
      expect(await refusal(by, id, { content: '二' })).toBe("You don't have permission to edit this message");
    }
  });

  it('can be changed for ten minutes, and as long as it takes to arrive', async () => {
    const { server, says, edits, refusal } = await editing();
    const [id, owners] = [await says('suzuki', '一'), await says('tanaka', '一')];
    await server.clock.jump(620);
    await edits('suzuki', id, { content: '二' });
    await server.clock.jump(1);
    const passed = 'The time limit for editing this message has passed';
    expect(await refusal('suzuki', id, { content: '三' })).toBe(passed);
    expect(await refusal('tanaka', owners, { content: '三' })).toBe(passed);
  });

  it('can always be changed where the organisation has no limits', async () => {
    const unlimited = { content: null, deletion: null, topic: null };
    const { server, says, edits, shown } = await editing({ ...organisation, editLimits: unlimited });
    const id = await says('suzuki', '一');
    await server.clock.jump(days(30));
    await edits('suzuki', id, { content: '二', topic: '昔話', propagate_mode: 'change_all' });
    expect(await shown('sato', id)).toMatchObject({ content: '二', subject: '昔話' });
  });

  it('is corrected so often only, and an answer shows so much only of what stood there', async () => {
    const { says, edits, refusal, shown } = await editing();
    const id = await says('suzuki', '0');
    for (let times = 1; times <= maxEditsPerMessage; times += 1) {
      await edits('suzuki', id, { content: `${times} ${'縁'.repeat(9000)}` });
    }
    expect(await refusal('suzuki', id, { content: '二' })).toBe('This message was edited too often (maximum 50).');
    const { edit_history: history = [] } = await shown('sato', id);
    expect(history).toHaveLength(maxEditsPerMessage);
    const characters = history.reduce((sum, { prev_content = '' }) => sum + prev_content.length, 0);
    expect(characters).toBeGreaterThan(maxEarlierContentShown - 10_000);
    expect(characters).toBeLessThanOrEqual(maxEarlierContentShown);
  });

  it('is not even read beyond what one answer shows', async () => {
    const { server, says, edits } = await editing();
    const long = '縁'.repeat(9000);
    const ids: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const id = await says('suzuki', '0');
      ids.push(id);
      for (let times = 1; times <= 10; times += 1) await edits('suzuki', id, { content: `${times} ${long}` });
    }
    const { reader } = fileOf(server).database;
    let read = 0;
    const counting: Reader = {
      get: (...asked) => reader.get(...asked),
      all(...asked) {
        const rows = reader.all(...asked);
        read += JSON.stringify(rows).length;
        return rows;
      },
    };
    const view = messageViews(counting, new Sight(counting, noGroups), { id: 1, role: roles.member });
    const shown = ids.flatMap((id) => messages.withSender(reader, id) ?? []).map((row) => view(row, false));
    expect(shown.map(({ edit_history }) => edit_history?.length)).toEqual(ids.map(() => 10));
    expect(read).toBeGreaterThan(maxEarlierContentShown);
    expect(read).toBeLessThan(1.7 * maxEarlierContentShown);
  });
});

describe('PATCH /messages/{message_id}, its topic', () => {
  it('[R4.9] [R7.6] changes for everyone, and that is told', async () => {
    const { server, as, says, edits, shown } = await editing();
    const id = await says('suzuki', '一');
    const sato = await queueOf(as('sato'));
    await edits('suzuki', id, { topic: ' 昼食 ' });
    const timestamp = server.clock.now() / 1000;
    const message = await shown('sato', id);
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

  it('changes together with the content, as one correction', async () => {
    const { as, says, edits, shown } = await editing();
    const [id, other] = [await says('suzuki', '一'), await says('tanaka', '二')];
    const sato = await queueOf(as('sato'));
    await edits('suzuki', id, { content: '壱', topic: '昼食', propagate_mode: 'change_all' });
    const { edit_history: [edit, ...rest] = [] } = await shown('sato', id);
    expect(edit).toMatchObject({ prev_content: '一', prev_topic: '予定', topic: '昼食' });
    expect(rest).toEqual([]);
    expect((await shown('sato', other)).edit_history?.[0]).not.toHaveProperty('prev_content');
    expect(await sato.take()).toMatchObject([{ message_ids: [id, other], content: '壱', subject: '昼食' }]);
  });

  it.each([
    ['change_one', ['予定', '昼食', '予定', '予定']],
    ['change_later', ['予定', '昼食', '昼食', '予定']],
    ['change_all', ['昼食', '昼食', '昼食', '予定']],
  ] as const)('changes of one message or of more under it: %s', async (propagate_mode, after) => {
    const { says, edits, topics } = await editing();
    const [one, two, three] = [await says('tanaka', '一'), await says('sato', '二'), await says('tanaka', '三')];
    const elsewhere = await says('sato', '四', { to: eg.personnel });
    await says('tanaka', '五', { topic: '昼' });
    await edits('suzuki', two, { topic: '昼食', propagate_mode });
    expect(await topics('sato', [one, two, three, elsewhere])).toEqual(after);
  });

  it('is one with topics that differ from it in case only', async () => {
    const { as, says, edits, topics } = await editing();
    const ids = [await says('tanaka', '一', { topic: 'Lunch' }), await says('sato', '二', { topic: 'lunch' })];
    const sato = await queueOf(as('sato'));
    await edits('suzuki', ids[0] ?? 0, { topic: 'lunch', propagate_mode: 'change_all' });
    expect(await topics('sato', ids)).toEqual(['lunch', 'lunch']);
    expect(await sato.take()).toMatchObject([{ message_ids: [ids[0]] }]);
  });

  it('is cut where it is too long', async () => {
    const { says, edits, topics } = await editing();
    const id = await says('suzuki', '一');
    await edits('suzuki', id, { topic: '縁'.repeat(61) });
    expect(await topics('suzuki', [id])).toEqual([`${'縁'.repeat(57)}...`]);
  });

  it('may be changed by every member who may read it, by guests on what they wrote', async () => {
    const { says, edits, refusal, topics } = await editing();
    const ids = [await says('tanaka', '一'), await says('takahashi', '二'), await says('suzuki', '三', { to: square })];
    const [owners = 0, guests = 0, open = 0] = ids;
    await edits('suzuki', owners, { topic: '会員' });
    await edits('takahashi', guests, { topic: '客' });
    await edits('ito', open, { topic: '広場の話' });
    expect(await topics('suzuki', ids)).toEqual(['会員', '客', '広場の話']);
    expect(await refusal('takahashi', owners, { topic: '客' })).toBe("You don't have permission to edit this message");
  });

  it.each(['change_later', 'change_all'] as const)('is not changed by a guest with others: %s', async (propagate_mode) => {
    const { says, edits, refusal, topics } = await editing();
    const ids = [await says('takahashi', '一'), await says('tanaka', '二'), await says('takahashi', '三')];
    const [first = 0, , last = 0] = ids;
    const refused = await refusal('takahashi', first, { topic: '客', propagate_mode });
    expect(refused).toBe("You don't have permission to edit this message");
    expect(await topics('suzuki', ids)).toEqual(['予定', '予定', '予定']);
    await edits('takahashi', last, { topic: '客', propagate_mode: 'change_later' });
    expect(await topics('suzuki', ids)).toEqual(['予定', '予定', '客']);
  });

  it('can be changed for seven days, by moderators always', async () => {
    const { server, says, edits, refusal } = await editing();
    const id = await says('suzuki', '一');
    await server.clock.jump(days(7));
    await edits('suzuki', id, { topic: '二' });
    await server.clock.jump(1);
    expect(await refusal('suzuki', id, { topic: '三' })).toBe("The time limit for editing this message's topic has passed.");
    await edits('kato', id, { topic: '三' });
  });

  it('is changed of all or of none: who may not move what is old is told from where on they may', async () => {
    const { server, as, says, edits, topics } = await editing();
    const old = await says('tanaka', '古い');
    await server.clock.jump(days(7) + 1);
    const [young, younger] = [await says('tanaka', '若い'), await says('tanaka', '新しい')];
    const asked = { message_id: younger, topic: '整理', propagate_mode: 'change_all' } as const;
    expect(await as('suzuki').refused(editMessage, asked)).toMatchObject({
      status: 400,
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      msg: 'You only have permission to move the 2/3 most recent messages in this topic.',
      first_message_id_allowed_to_move: young,
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 2,
    });
    await edits('suzuki', young, { topic: '整理', propagate_mode: 'change_later' });
    expect(await topics('sato', [old, young, younger])).toEqual(['予定', '整理', '整理']);
    await edits('suzuki', young, { topic: '予定', propagate_mode: 'change_all' });
    await edits('kato', young, { topic: '整頓', propagate_mode: 'change_all' });
    expect(await topics('sato', [old, young, younger])).toEqual(['整頓', '整頓', '整頓']);
  });

  it('[R6.1] is changed of what the mover may read only, and told of what the hearer may read only', async () => {
    const { server, as, says, edits, topics } = await editing();
    const before = await says('sato', '内緒', { to: eg.personnel });
    await joins(server, 'suzuki', eg.personnel);
    const between = await says('sato', '一', { to: eg.personnel });
    await joins(server, 'ito', eg.personnel);
    const after = await says('sato', '二', { to: eg.personnel });
    const queues = [await queueOf(as('sato')), await queueOf(as('suzuki')), await queueOf(as('ito'))] as const;

    await edits('suzuki', between, { topic: '別件', propagate_mode: 'change_all' });
    expect(await topics('sato', [before, between, after])).toEqual(['予定', '別件', '別件']);
    await edits('sato', between, { topic: '予定', content: '壱', propagate_mode: 'change_all' });
    await edits('sato', before, { topic: '本件', content: '秘密', propagate_mode: 'change_all' });

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

  it('[R6.1] tells each what is theirs, though two of them may read equally many', async () => {
    const { server, as, says, edits } = await editing();
    const say = () => says('sato', '話', { to: eg.personnel });
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
    await edits('sato', shared, { topic: '別件', propagate_mode: 'change_all' });
    expect(await suzukis).toMatchObject([{ message_ids: [early, shared] }]);
    expect(await itos).toMatchObject([{ message_ids: [late, shared] }]);
  });

  it('stays where a message is deleted', async () => {
    const withDeleted = { ...organisation, messages: [eg.said('一', { topic: '予定', deleted: true })] };
    const { server, as, says, edits } = await editing(withDeleted);
    const id = await says('suzuki', '二');
    const sato = await queueOf(as('sato'));
    await edits('suzuki', id, { topic: '整理', propagate_mode: 'change_all' });
    expect(server.messages).toHaveLength(1);
    expect(await sato.take()).toMatchObject([{ message_ids: [id] }]);
  });

  it('changes of so many messages at once only', async () => {
    const many = Array.from({ length: maxMessagesMoved + 1 }, () => eg.said('縁', { topic: '予定' }));
    const { server, edits, refusal } = await editing({ ...organisation, messages: many });
    const [first = 0, second = 0] = server.messages;
    const all = { topic: '整理', propagate_mode: 'change_later' } as const;
    expect(await refusal('sato', first, all)).toBe('Too many messages to move at once (maximum 5000).');
    await edits('sato', second, all);
  });

  it('remembers so many of its changes only, and every content', async () => {
    const { says, edits, shown } = await editing();
    const id = await says('suzuki', '一');
    await edits('suzuki', id, { content: '二' });
    for (let times = 0; times <= maxEditsPerMessage; times += 1) await edits('tanaka', id, { topic: `${times}` });
    const { edit_history: history = [] } = await shown('sato', id);
    expect(history).toHaveLength(maxEditsPerMessage + 1);
    expect(history.at(-1)).toMatchObject({ prev_content: '一' });
    expect(history.at(-2)).toMatchObject({ prev_topic: '0', topic: '1' });
  });
});

describe('PATCH /messages/{message_id} of a direct message', () => {
  it('[R7.6] corrects it, for those who take part', async () => {
    const { server, as, says, edits, shown } = await editing();
    const to = JSON.stringify([server.user('suzuki'), server.user('tanaka')]);
    const id = await says('suzuki', '内緒', { type: 'direct', to });
    const [tanaka, sato] = [await queueOf(as('tanaka')), await queueOf(as('sato'))];
    await edits('suzuki', id, { content: '秘密' });
    expect(await shown('tanaka', id)).toMatchObject({ type: 'private', content: '秘密' });
    const [event] = updates(await tanaka.take());
    expect(event).toMatchObject({ message_ids: [id], content: '秘密', orig_content: '内緒' });
    expect(event).not.toHaveProperty('stream_id');
    expect(await sato.take()).toEqual([]);
  });

  it('moves it nowhere', async () => {
    const { server, says, refusal } = await editing();
    const id = await says('suzuki', '内緒', { type: 'direct', to: JSON.stringify([server.user('tanaka')]) });
    const toStream = { stream_id: server.stream(eg.general), topic: '予定' };
    expect(await refusal('suzuki', id, toStream)).toBe('Direct messages cannot be moved to streams.');
    expect(await refusal('suzuki', id, { topic: '予定' })).toBe('Direct messages cannot have topics.');
  });
});

describe('PATCH /messages/{message_id} refuses', () => {
  const invalid = 'Invalid message(s)';

  it.each([
    ['nothing at all', {}, 'Nothing to change'],
    ['the topic that it has', { topic: ' 予定' }, 'Nothing to change'],
    ['the stream that it is in', { stream_id: eg.general }, 'Nothing to change'],
    ['a mode without a topic', { content: '二', propagate_mode: 'change_all' }, 'Invalid propagate_mode without topic edit'],
    ['an empty topic', { topic: ' ' }, "Topic can't be empty!"],
    ['a topic that says there is none', { topic: '(no topic)' }, 'Topics are required in this organization'],
    ['what no topic may hold', { topic: '予\n定' }, 'Invalid character in topic, at position 2!'],
    ['a null byte', { content: '一\0' }, 'Message must not contain null bytes'],
    [
      'a content in another stream',
      { content: '二', stream_id: eg.personnel },
      'Cannot change message content while changing stream',
    ],
    ['another stream', { stream_id: eg.personnel }, "You don't have permission to move this message"],
    ['another with a topic', { stream_id: eg.board, topic: '二' }, "You don't have permission to move this message"],
  ] as const)('%s', async (_, { stream_id: stream, ...change }: Refused, msg) => {
    const { server, says, refusal } = await editing();
    const id = await says('sato', '一');
    const named = stream === undefined ? {} : { stream_id: server.stream(stream) };
    expect(await refusal('sato', id, { ...change, ...named })).toBe(msg);
  });

  it('[R6.1] in the same words what is missing, not theirs, left behind or deleted', async () => {
    const { server, says, refusal } = await editing({ ...organisation, messages: [eg.said('一', { deleted: true })] });
    const [secret, left] = [await says('sato', '一', { to: eg.personnel }), await says('suzuki', '一')];
    await leaves(server, 'suzuki', eg.general);
    for (const id of [987, 0, secret, left, server.messages[0] ?? 0]) {
      expect(await refusal('suzuki', id, { content: '二' })).toBe(invalid);
    }
  });

  it('malformed parameters first, then by the order of its rules', async () => {
    const { server, as, says, refusal } = await editing();
    const id = await says('tanaka', '一');
    const reply = await as('suzuki').raw({ method: 'PATCH', path: '/messages/987', query: { propagate_mode: 'some' } });
    expect(eg.refusal(reply)).toMatchObject({ status: 400, msg: 'Invalid propagate_mode' });
    const empty = { topic: '', stream_id: 987 };
    expect(await refusal('suzuki', 987, empty)).toBe(invalid);
    expect(await refusal('suzuki', id, { ...empty, content: '二' })).toBe("Topic can't be empty!");
    const elsewhere = { content: '二', stream_id: 987 };
    expect(await refusal('suzuki', id, elsewhere)).toBe('Cannot change message content while changing stream');
    await server.clock.jump(days(8));
    expect(await refusal('suzuki', id, { content: '二', topic: '三' })).toBe("You don't have permission to edit this message");
    expect(await refusal('tanaka', id, { content: '二', topic: '三' })).toBe(
      'The time limit for editing this message has passed',
    );
    expect(await refusal('suzuki', id, { topic: '三', stream_id: 987 })).toBe(
      "The time limit for editing this message's topic has passed.",
    );
  });

  it('two names for one parameter', async () => {
    const { as, says } = await editing();
    const id = await says('suzuki', '一');
    const query = { topic: '二', subject: '三' };
    const reply = await as('suzuki').raw({ method: 'PATCH', path: `/messages/${id}`, query });
    expect(eg.refusal(reply)).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' });
  });
});
