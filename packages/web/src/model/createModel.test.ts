import { subscribe, unsubscribe } from '@engawa/client';
import type { Capability } from '@engawa/protocol/product';
import { dialectOf } from '@engawa/markup';
import { parseFileMessage, storedNamePattern } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../test/chatServer.ts';
import { ai, design, general, ken, lunch } from '../../test/organisation.ts';
import { eg, only, ready, rows, shown, started, stopAll, type Example } from '../../test/example.ts';
import { selectConnection } from './connection/state.ts';
import { selectDepartments, selectDepartmentsFailure, selectMe } from './people/selectors.ts';
import {
  selectStream,
  selectStreamIds,
  selectTotalMentions,
  selectTotalUnread,
  selectConversation,
} from './conversations/selectors.ts';
import { selectCurrent } from './timeline/state.ts';
import { selectMessage, selectOwnFile, selectTimeline } from './outbox/selectors.ts';
import { fileAddress } from './timeline/message.ts';
import { selectStreamOf } from './streams/departmentStream.ts';
import type { State } from './state.ts';

afterEach(stopAll);

describe('Starting the model', () => {
  it('[R4.1, R7.7] The model registers, then loads streams and departments, and then the messages of the stream with the newest message', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('全社アナウンス'));

    const [register] = server.called('POST /register');
    expect(JSON.parse(register?.parameters['event_types'] ?? '')[0]).toBe('message');
    expect(register?.parameters).toMatchObject({ apply_markdown: 'false', client_gravatar: 'false' });
    expect(server.called('GET /users/me/subscriptions')[0]?.parameters).toEqual({ include_subscribers: 'true' });
    const page = server.called('GET /messages').find(({ parameters }) => parameters['num_before'] === '20');
    expect(page?.parameters).toEqual({
      anchor: 'newest',
      num_before: '20',
      num_after: '0',
      apply_markdown: 'false',
      client_gravatar: 'false',
      narrow: JSON.stringify([{ operator: 'stream', operand: '全社アナウンス' }]),
    });
    expect(selectConnection(model.state())).toBe('online');
    expect(selectCurrent(model.state())).toBe(general.stream_id);
    expect(shown(model, general.stream_id)).toEqual(['おはようございます']);
    expect(selectMe(model.state())).toEqual({
      userId: 1,
      email: ai.email,
      fullName: ai.full_name,
      avatarUrl: ai.avatar_url,
      isAdministrator: true,
      isGuest: false,
      timezone: ai.timezone,
    });
  });

  it('The model asks the server for deleted messages, too, if the server keeps them without their text', async () => {
    const { server } = await started({ capabilities: ['include_deleted'] });
    expect(server.called('GET /messages').at(-1)?.parameters['include_deleted']).toBe('true');
  });

  it('[R4.1] If the page is opened by a link to a stream, the model opens that stream instead of the one with the newest message', async () => {
    const { model } = await eg();
    model.start({ conversation: design.stream_id });
    await ready(model);
    expect(selectCurrent(model.state())).toBe(design.stream_id);
  });

  it('[R2.6, R3.1] The model lists streams by newest message, each with its unread count, a preview and a time', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    expect(selectStreamIds(model.state())).toEqual([general.stream_id, lunch.stream_id, design.stream_id]);
    expect(selectStream(model.state(), lunch.stream_id)).toEqual({
      kind: 'stream',
      key: lunch.stream_id,
      streamId: lunch.stream_id,
      name: 'ランチ',
      description: 'ランチの部屋',
      profile: undefined,
      subscribers: [1, 2],
      status: 'active',
      isArchived: false,
      isPinned: false,
      notifies: 'mentions',
      creatorId: ken.user_id,
      unReadCount: 1,
      mentionCount: 0,
      message: { kind: 'text', senderFullName: ken.full_name, text: 'お昼どうしますか', dialect: 'zulip' },
      time: Math.floor(server.clock.now() / 1000),
    });
    expect(selectStream(model.state(), design.stream_id)).toMatchObject({ unReadCount: 0, message: undefined, time: undefined });
  });

  it('When the member joins a stream, the model loads the newest message of that stream for the list', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toBe('お昼どうしますか'));
    await unsubscribe(server.as(ai), { subscriptions: [lunch.name] });
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)).toBeUndefined());
    await subscribe(server.as(ken), { subscriptions: [{ name: lunch.name }], principals: [ai.user_id] });
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toContain('さんを追加しました'));
  });

  it('The model retries its start while the server cannot be reached', async () => {
    const { server, clock, model } = await eg();
    server.fail('POST /register', 'cut', errorAnswer(500, 'INTERNAL', 'broken'));
    server.fail(`GET ${paths.departmentTree}`, 'cut');
    model.start();
    await clock.pass(1000);
    expect(selectConnection(model.state())).toBe('reconnecting');
    await clock.pass(2000);
    await ready(model);
    await clock.pass(1000);
    await vi.waitFor(() => expect(selectDepartments(model.state())).toHaveLength(1));
    expect(selectConnection(model.state())).toBe('online');
  });

  it('The model signs the member out if the server does not know the member', async () => {
    const { server, model } = await eg();
    server.fail('POST /register', errorAnswer(401, 'UNAUTHORIZED', 'Not logged in'));
    model.start();
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('signed-out'));
  });

  it('The model signs the member out if another member has signed in with this browser', async () => {
    const { server, model } = await eg();
    server.signInAs(ken);
    model.start();
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('signed-out'));
    expect(selectStreamIds(model.state())).toBeUndefined();
  });

  it('[R8.4] If departments cannot be loaded, the model reports it, retries later, and retries at once when the member asks', async () => {
    const { server, clock, model } = await eg();
    const tree = `GET ${paths.departmentTree}`;
    server.fail(tree, errorAnswer(500, 'INTERNAL', 'broken'), new Response('<h1>Hotel</h1>'), 'hold');
    model.start();
    await vi.waitFor(() => expect(selectDepartmentsFailure(model.state())).toEqual({ kind: 'server' }));
    expect(selectDepartments(model.state())).toBeUndefined();
    await clock.pass(1000);
    await vi.waitFor(() => expect(selectDepartmentsFailure(model.state())).toEqual({ kind: 'malformed' }));
    await clock.until(2000);
    model.reloadDepartments();
    expect(selectDepartmentsFailure(model.state())).toBeUndefined();
    await vi.waitFor(() => expect(server.called(tree)).toHaveLength(3));
    server.release();
    await vi.waitFor(() => expect(selectDepartments(model.state())).toHaveLength(1));
    expect(selectDepartmentsFailure(model.state())).toBeUndefined();
  });

  it('[I7.2] reloadDepartments loads the departments again after an administrator has changed them', async () => {
    const { server, model } = await started();
    const tree = `GET ${paths.departmentTree}`;
    await vi.waitFor(() => expect(selectDepartments(model.state())).toHaveLength(1));
    const before = selectDepartments(model.state());
    model.reloadDepartments();
    expect(selectDepartments(model.state())).toBe(before);
    await vi.waitFor(() => expect(selectDepartments(model.state())).not.toBe(before));
    expect(server.called(tree)).toHaveLength(2);
  });
});

describe('Reading messages', () => {
  it('[R4.5] A new message is shown in the open stream, and counted as unread in any other stream', async () => {
    const { server, model } = await started();
    await server.send(ken, general.stream_id, '会議は3時です');
    await server.send(ken, design.stream_id, '新しいロゴです');
    await vi.waitFor(() => expect(selectStream(model.state(), design.stream_id)?.unReadCount).toBe(1));
    expect(shown(model, general.stream_id)).toEqual(['おはようございます', '会議は3時です']);
    expect(selectStreamIds(model.state())?.[0]).toBe(design.stream_id);
  });

  it('[R4.2] Opening another stream shows the messages of that stream instead', async () => {
    const { model } = await started();
    model.open(lunch.stream_id);
    await ready(model);
    expect(selectCurrent(model.state())).toBe(lunch.stream_id);
    expect(shown(model, lunch.stream_id)).toEqual(['お昼どうしますか']);
  });

  it('[R4.6] Marking messages as read notifies the server and lowers the unread count at once', async () => {
    const { server, model } = await started();
    server.fail('POST /messages/flags', 'hold');
    expect(selectTotalUnread(model.state())).toBe(2);
    model.markRead(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
    expect(selectTotalUnread(model.state())).toBe(1);
    server.release();
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(1));
    const [call] = server.called('POST /messages/flags');
    expect(call?.parameters).toEqual({ messages: '[2]', op: 'add', flag: 'read' });
    model.markRead(general.stream_id);
    expect(server.called('POST /messages/flags')).toHaveLength(1);
  });

  it('[R4.6] If the server refuses to mark messages as read, they are unread again, and the model does not try again', async () => {
    const { server, model } = await started();
    server.fail('POST /messages/flags', errorAnswer(400, 'BAD_REQUEST', 'Invalid message(s)'));
    model.markRead(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1));
    model.markRead(general.stream_id);
    expect(server.called('POST /messages/flags')).toHaveLength(1);
  });

  it('Messages that the member reads while offline are marked as read after reconnecting', async () => {
    const { server, clock, model } = await started();
    server.fail('POST /messages/flags', 'cut');
    model.markRead(general.stream_id);
    await clock.pass(1000);
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(2));
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('[R4.6] When another device marks messages as read or unread, the unread counts change here as well', async () => {
    const { server, model } = await started();
    await server.mark(ai, [1, 2], true);
    await vi.waitFor(() => expect(selectTotalUnread(model.state())).toBe(0));
    await server.mark(ai, [1, 2], false);
    await vi.waitFor(() => expect(selectTotalUnread(model.state())).toBe(2));
  });

  it('[R4.6] Messages of a topic that another device mutes no longer count as unread, and count again when it is unmuted', async () => {
    const { server, model } = await started();
    const unread = () => [selectTotalUnread(model.state()), selectStream(model.state(), general.stream_id)?.unReadCount];
    const arrivals: number[] = [];
    model.onArrival(({ messageId }) => void arrivals.push(messageId));
    expect(unread()).toEqual([2, 1]);
    await server.muteTopic(ai, general.stream_id, true);
    await vi.waitFor(() => expect(unread()).toEqual([1, 0]));
    await server.send(ken, general.stream_id, '@**田中 愛** 静かに');
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.message?.text).toContain('静かに'));
    expect([unread(), arrivals]).toEqual([[1, 0], []]);
    expect(selectTotalMentions(model.state())).toBe(0);
    await server.muteTopic(ai, general.stream_id, false);
    await vi.waitFor(() => expect(unread()).toEqual([3, 2]));
    expect(selectTotalMentions(model.state())).toBe(1);
  });

  it('A topic that another device mutes is loaded only if its stream has unread messages, and not after the model has stopped', async () => {
    const failures: unknown[] = [];
    const { server, model } = await started({ environment: { log: (...failure) => void failures.push(failure) } });
    const loads = () => server.called('GET /messages').filter(({ parameters }) => parameters['narrow']?.includes('"unread"'));
    await server.mark(ai, [2], true);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0));
    await server.muteTopic(ai, general.stream_id, true);
    await server.muteTopic(ai, lunch.stream_id, true);
    await vi.waitFor(() => expect(selectTotalUnread(model.state())).toBe(0));
    expect(loads()).toHaveLength(1);
    server.fail('GET /messages', 'hold');
    await server.muteTopic(ai, lunch.stream_id, false);
    await vi.waitFor(() => expect(loads()).toHaveLength(2));
    await model.stop();
    server.release();
    await server.messages();
    await server.messages();
    expect([selectTotalUnread(model.state()), failures]).toEqual([0, []]);
  });

  it('[R2.20.1] The unread divider moves to messages that arrived while the member was away, but not to messages that the member saw arrive', async () => {
    const { server, model } = await started();
    const divider = () => selectTimeline(model.state(), general.stream_id)?.firstUnread;
    model.resumeReading(general.stream_id);
    expect(divider()).toBe(2);
    const seen = await server.send(ken, general.stream_id, 'すぐ読まれる');
    await vi.waitFor(() => expect(selectMessage(model.state(), seen)).toBeDefined());
    model.markRead(general.stream_id);
    expect(divider()).toBe(2);
    const [first, second] = await server.sendEach(ken, general.stream_id, ['留守の間に', 'もう一つ']);
    await vi.waitFor(() => expect(selectMessage(model.state(), second ?? 0)).toBeDefined());
    model.resumeReading(general.stream_id);
    expect(divider()).toBe(first);
    model.resumeReading(general.stream_id);
    expect(divider()).toBe(first);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('[R4.6] While the member scrolls to the newest message, only messages that were on the screen are marked as read', async () => {
    const { server, model } = await started();
    const [second = 0, third = 0] = await server.sendEach(ken, general.stream_id, ['二', '三']);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(3));
    // A message of another stream is not shown on this screen.
    model.markShown(general.stream_id, [2, second, 1]);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(1));
    expect(server.called('POST /messages/flags')[0]?.parameters['messages']).toBe(JSON.stringify([2, second]));
    model.markShown(general.stream_id, [third]);
    expect(selectTotalUnread(model.state())).toBe(1);
  });

  it('[R4.6] Sending a message to a stream marks the stream as read', async () => {
    const { model } = await started();
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
    model.send(general.stream_id, { text: '了解です', file: undefined });
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('[R2.20.1] The unread divider keeps its position while the member scrolls towards the newest message', async () => {
    const { server, model } = await started();
    const divider = () => selectTimeline(model.state(), general.stream_id)?.firstUnread;
    const [second = 0] = await server.sendEach(ken, general.stream_id, ['二', '三']);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(3));
    model.markShown(general.stream_id, [2, second]);
    model.resumeReading(general.stream_id);
    expect([divider(), selectStream(model.state(), general.stream_id)?.unReadCount]).toEqual([2, 0]);
  });

  it('[R2.20.1] After the member has read everything, the unread divider moves to later messages once they are shown', async () => {
    const { server, model } = await started();
    const divider = () => selectTimeline(model.state(), general.stream_id)?.firstUnread;
    model.markRead(general.stream_id);
    const [first = 0] = await server.sendEach(ken, general.stream_id, ['留守の間に', 'もう一つ']);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(2));
    expect(divider()).toBe(2);
    model.markShown(general.stream_id, [first]);
    expect(divider()).toBe(first);
  });

  it('[R2.20.1] After the event queue was lost, the unread divider stands above the messages that arrived meanwhile', async () => {
    const { server, model } = await started();
    model.markRead(general.stream_id);
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(1));
    await vi.waitFor(() => expect(server.polling()).toBe(1));
    await server.loseQueues();
    const missed = await server.send(ken, general.stream_id, '聞こえなかった');
    await vi.waitFor(() => expect(selectMessage(model.state(), missed)).toBeDefined());
    model.resumeReading(general.stream_id);
    expect(selectTimeline(model.state(), general.stream_id)?.firstUnread).toBe(missed);
  });

  it('[R2.20.1] The unread divider stays until the member opens another stream', async () => {
    const { model } = await started();
    const divider = () => selectTimeline(model.state(), general.stream_id)?.firstUnread;
    expect(divider()).toBe(2);
    model.markRead(general.stream_id);
    expect(divider()).toBe(2);
    model.open(lunch.stream_id);
    model.open(general.stream_id);
    expect(divider()).toBeUndefined();
  });

  it('[R9.2] loadOlder loads older messages page by page until the first message of the stream', async () => {
    const { server, model } = await eg();
    for (let number = 1; number <= 90; number += 1) await server.send(ken, general.stream_id, `${number}`);
    model.start();
    await ready(model);
    expect(shown(model, general.stream_id)).toHaveLength(20);

    model.loadOlder(general.stream_id);
    expect(selectTimeline(model.state(), general.stream_id)?.loading).toBe('older');
    await vi.waitFor(() => expect(shown(model, general.stream_id)).toHaveLength(70));
    expect(selectTimeline(model.state(), general.stream_id)?.foundOldest).toBe(false);
    model.loadOlder(general.stream_id);
    await vi.waitFor(() => expect(selectTimeline(model.state(), general.stream_id)?.foundOldest).toBe(true));
    expect(shown(model, general.stream_id)).toEqual(Array.from({ length: 90 }, (_, index) => `${index + 1}`));
  });

  it('[R8.4] When messages cannot be loaded, the model reports the cause, and reload tries again', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    server.fail('GET /messages', errorAnswer(500, 'INTERNAL', 'broken'));
    model.open(lunch.stream_id);
    await vi.waitFor(() => expect(selectTimeline(model.state(), lunch.stream_id)?.status).toBe('failed'));
    expect(selectTimeline(model.state(), lunch.stream_id)?.failure).toEqual({ kind: 'server' });
    model.reload(lunch.stream_id);
    await ready(model);
    expect(shown(model, lunch.stream_id)).toEqual(['お昼どうしますか']);
  });

  it('[R8.4] After a lost event queue, a failed load of the missed messages can be repeated with reload', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    server.fail('GET /messages', 'hold', errorAnswer(400, 'BAD_REQUEST', 'no'));
    await server.loseQueues(async () => {
      await server.send(ken, general.stream_id, '一');
    });
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(4));
    server.release();
    await vi.waitFor(() => expect(selectTimeline(model.state(), general.stream_id)?.failure?.kind).toBe('refused'));
    model.loadOlder(general.stream_id);
    expect(selectTimeline(model.state(), general.stream_id)?.failure?.kind).toBe('refused');
    model.reload(general.stream_id);
    await vi.waitFor(() => expect(shown(model, general.stream_id)).toEqual(['おはようございます', '一']));
  });

  it('Events that arrive while a page of messages is being loaded are applied to that page', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    server.fail('GET /messages', 'late');
    model.open(lunch.stream_id);
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(4));
    await server.edit(ken, 1, 'お昼は蕎麦にしませんか');
    await server.send(ken, lunch.stream_id, 'いいですね');
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toBe('いいですね'));
    expect(shown(model, lunch.stream_id)).toEqual([]);
    server.release();
    await ready(model);
    expect(shown(model, lunch.stream_id)).toEqual(['お昼は蕎麦にしませんか', 'いいですね']);
  });

  it('[R2.5] The model finds the stream of a department by its stream id or, without one, by the name of the department', async () => {
    const { model } = await started();
    const department = { departmentCd: '1', displayName: 'デザイン室' };
    expect(selectStreamOf(model.state())(department)).toBe(design.stream_id);
    expect(selectStreamOf(model.state())({ ...department, displayName: '人事部' })).toBeUndefined();
    expect(selectStreamOf(model.state())({ ...department, streamId: lunch.stream_id })).toBe(lunch.stream_id);
    expect(selectStreamOf(model.state())({ ...department, streamId: 99 })).toBeUndefined();
  });
});

describe('Sending messages', () => {
  it('[R4.8.2] A message that waited to be sent is addressed by stream id, because another stream may have taken over the name', async () => {
    const { server, model, clock } = await started();
    server.fail('POST /messages', 'cut', 'cut', 'cut');
    model.send(general.stream_id, { text: '待ちました', file: undefined });
    for (const pause of [1000, 2000, 4000]) await clock.pass(pause);
    await vi.waitFor(async () =>
      expect((await server.messages()).at(-1)).toMatchObject({ content: '待ちました', stream_id: general.stream_id }),
    );
    const { name, stream_id: id } = general;
    expect(server.called('POST /messages').map(({ parameters }) => parameters['to'])).toEqual([name, name, name, String(id)]);
  });

  it('[R7.7, R9.1] A message is posted to its stream by the stream’s name, under the default topic', async () => {
    const { server, model } = await started();
    model.send(general.stream_id, { text: 'おはようございます！', file: undefined });
    await vi.waitFor(() => expect(only(model, general.stream_id, 'おはようございます！')).toBe(3));
    const [post] = server.called('POST /messages');
    expect(post?.parameters).toMatchObject({
      to: '全社アナウンス',
      type: 'stream',
      topic: 'stream events',
      content: 'おはようございます！',
      queue_id: expect.any(String),
    });
    expect(post?.parameters['client_message_id']).toBe(post?.parameters['local_id']);
  });

  it('[R5.3.1] The model tells the server that a message uses Engawa’s markup, so that other clients display it correctly', async () => {
    const { server, model } = await started();
    model.send(general.stream_id, { text: '*太字*', file: undefined });
    await vi.waitFor(() => expect(only(model, general.stream_id, '*太字*')).toBe(3));
    expect(dialectOf(server.called('POST /messages')[0]?.parameters['client'] ?? '')).toBe('engawa');
  });

  it('A sent message is shown at once, and only once after its event and the server’s answer have arrived', async () => {
    const { server, model } = await started();
    server.fail('POST /messages', 'hold');
    model.send(general.stream_id, { text: '了解です', file: undefined });
    const key = only(model, general.stream_id, '了解です');
    expect(selectMessage(model.state(), key)).toMatchObject({ state: 'sending', align: 'right', senderFullName: ai.full_name });
    server.release();
    await vi.waitFor(() => expect(only(model, general.stream_id, '了解です')).toBe(3));
    expect(selectMessage(model.state(), key)).toBeUndefined();
  });

  it('[R4.7.1] The model does not send a text of blanks only', async () => {
    const { server, model } = await started();
    model.send(general.stream_id, { text: ' \n　', file: undefined });
    expect(server.called('POST /messages')).toEqual([]);
    expect(rows(model, general.stream_id)).toHaveLength(1);
  });

  it('A message counts as sent when the server has answered, even if its event has not arrived', async () => {
    const { server, model } = await started();
    server.fail('GET /events', 'hold');
    // The waiting poll delivers this message; the next poll is held.
    await server.send(ken, lunch.stream_id, '蕎麦で');
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.unReadCount).toBe(2));
    model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('sent 了解です'));
    expect(typeof only(model, general.stream_id, '了解です')).toBe('string');
    server.release();
    await vi.waitFor(() => expect(only(model, general.stream_id, '了解です')).toBe(4));
  });

  it('The messages of a conversation are sent one at a time, in order', async () => {
    const { server, model } = await started();
    server.fail('POST /messages', 'hold');
    model.send(general.stream_id, { text: '一', file: undefined });
    model.send(general.stream_id, { text: '二', file: undefined });
    model.send(lunch.stream_id, { text: '別の部屋', file: undefined });
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.content).toBe('別の部屋'));
    expect(server.called('POST /messages')).toHaveLength(2);
    server.release();
    await vi.waitFor(async () => expect((await server.messages()).slice(-2).map(({ content }) => content)).toEqual(['一', '二']));
  });

  it.each<[string, readonly Capability[]]>([
    ['recognised by its client message id', ['client_message_id']],
    ['found by its text', []],
  ])('[R4.8.2] A message is shown once although the answer to it was lost, %s', async (_, capabilities) => {
    const { server, clock, model } = await started({ capabilities });
    server.fail('POST /messages', 'lost');
    server.fail('GET /events', 'hold');
    await server.send(ken, lunch.stream_id, '蕎麦で');
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.unReadCount).toBe(2));

    model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('failed 了解です'));
    expect(selectMessage(model.state(), only(model, general.stream_id, '了解です'))?.failure).toEqual({ kind: 'network' });
    await clock.pass(1000);
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('sent 了解です'));
    server.release();
    await vi.waitFor(() => expect(only(model, general.stream_id, '了解です')).toBe(4));
    expect((await server.messages()).filter(({ content }) => content === '了解です')).toHaveLength(1);
  });

  it.each([
    ['the usual text', '了解です'],
    ['a text with space at both ends', '\n\n 了解です \n'],
    ['a text that the server cuts', '長'.repeat(10_001)],
  ])(
    '[R7.8] %s is sent once to a server that does not recognise a repeated message, although its answer was lost',
    async (_, text) => {
      const { server, clock, model } = await started({ capabilities: [] });
      server.fail('POST /messages', 'lost');
      server.fail('GET /events', 'hold');
      await server.send(ken, lunch.stream_id, '蕎麦で');
      await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.unReadCount).toBe(2));
      model.send(general.stream_id, { text, file: undefined });
      await clock.pass(1000);
      await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toMatch(/^sent /));
      expect(server.called('POST /messages')).toHaveLength(1);
      const narrow = server.called('GET /messages').at(-1)?.parameters['narrow'] ?? '';
      // A server may hide addresses, so that the member is not found by the one that they sign in with.
      expect(JSON.parse(narrow)).toContainEqual({ operator: 'sender', operand: ai.user_id });
    },
  );

  it('[R7.8] A refused message is sent when the member tries again, although the same text was sent meanwhile', async () => {
    const { server, model } = await started({ capabilities: [] });
    const texts = async () => (await server.messages()).map(({ content }) => content);
    server.fail('POST /messages', errorAnswer(400, 'BAD_REQUEST', 'Only organization administrators can send to this stream.'));
    model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('failed 了解です'));
    const refused = String(only(model, general.stream_id, '了解です'));
    model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(async () => expect((await texts()).filter((text) => text === '了解です')).toHaveLength(1));
    await vi.waitFor(() => expect(rows(model, general.stream_id)).toContain('sent 了解です'));
    model.retry(refused);
    await vi.waitFor(async () => expect((await texts()).filter((text) => text === '了解です')).toHaveLength(2));
  });

  it('[R7.8] The name of the client makes a server store the member’s own message as read', async () => {
    const { server, model } = await started();
    model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(() => expect(server.called('POST /messages')).toHaveLength(1));
    const { client = '' } = server.called('POST /messages')[0]?.parameters ?? {};
    expect(client).toContain('desktop app');
    expect(client.length).toBeLessThanOrEqual(30);
    expect(dialectOf(client)).toBe('engawa');
  });

  it('[R4.8.2] A message is shown once even if both its answer and its event were lost', async () => {
    const { server, model } = await started();
    server.fail('POST /messages', 'lost');
    server.fail('GET /events', 'hold');
    await server.send(ken, lunch.stream_id, '蕎麦で');
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.unReadCount).toBe(2));
    model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('failed 了解です'));

    await server.loseQueues();
    server.release();
    await vi.waitFor(() => expect(only(model, general.stream_id, '了解です')).toBe(4));
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('sent 了解です'));
    expect(rows(model, general.stream_id)).toHaveLength(2);
  });

  it('Messages that wait to be sent are sent after reconnecting', async () => {
    const { server, clock, model, wake } = await started();
    server.fail('POST /messages', 'cut', 'cut');
    model.send(general.stream_id, { text: '届きますか', file: undefined });
    await clock.pass(1000);
    await clock.until(2000);
    wake();
    await vi.waitFor(() => expect(rows(model, general.stream_id).at(-1)).toBe('sent 届きますか'));
  });

  it('[R4.8.2, R8.4] If the server answers 401 to a message, the model signs the member out and keeps the message', async () => {
    const { server, model } = await started();
    server.fail('POST /messages', errorAnswer(401, 'UNAUTHORIZED', 'Not logged in'));
    model.send(general.stream_id, { text: '残りますか', file: undefined });
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('signed-out'));
    expect(rows(model, general.stream_id).at(-1)).toBe('failed 残りますか');
  });
});

describe('When the browser’s session belongs to another member', () => {
  it('If the browser’s session now belongs to another member, the model sends no message and keeps the typed text', async () => {
    const { server, model } = await started();
    server.signInAs(ken);
    model.send(general.stream_id, { text: '私のつもり', file: file() });
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('signed-out'));
    const states = () => rows(model, general.stream_id).map((row) => row.split(' ', 1)[0]);
    await vi.waitFor(() => expect(states()).toEqual(['sent', 'failed', 'failed']));
    expect(await server.messages()).toHaveLength(2);
    expect(server.uploads.size).toBe(0);
    const key = String(only(model, general.stream_id, '私のつもり'));
    expect(model.discard(key)).toEqual({ text: '私のつもり', file: undefined });
  });

  it('signOut stops the model at once, and the connection state becomes signed-out', async () => {
    const { server, model } = await started();
    model.signOut();
    expect(selectConnection(model.state())).toBe('signed-out');
    await vi.waitFor(() => expect(server.polling()).toBe(0));
    expect(shown(model, general.stream_id)).toEqual(['おはようございます']);
  });
});

// macOS decomposes names: ガ is カ and a combining mark.
const file = () => new File(['12345'], 'カ\u3099イド,最終.xlsx');

describe('Sending a file', () => {
  it('[R2.13, R3.3.1, R7.2, R9.3] A file is uploaded under a generated name, and the file message is sent after the text', async () => {
    const { server, model } = await started();
    const chosen = file();
    model.send(general.stream_id, { text: 'どうぞ', file: chosen });
    expect(selectTimeline(model.state(), general.stream_id)?.keys).toHaveLength(3);
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.content).toMatch(/^engawa-file,/));
    expect((await server.messages()).at(-2)?.content).toBe('どうぞ');

    const sent = parseFileMessage((await server.messages()).at(-1)?.content ?? '');
    expect(sent).toMatchObject({ name: 'ガイド,最終.xlsx', size: 5 });
    expect(sent?.storedName).toMatch(storedNamePattern);
    expect(server.uploads.get(sent?.storedName ?? '')?.name).toBe('ガイド,最終.xlsx');

    await vi.waitFor(() => expect(selectTimeline(model.state(), general.stream_id)?.keys.at(-1)).toBe(4));
    const view = selectMessage(model.state(), 4);
    expect(view).toMatchObject({ msgType: 'file', file: { name: 'ガイド,最終.xlsx', size: 5 } });
    expect(view && fileAddress(view)).toBe(`/api/storage/temp/${sent?.storedName}?message=4`);
    expect(view && selectOwnFile(model.state(), view)).toBe(chosen);
  });

  it('The row of a file shows the progress of its upload', async () => {
    const { server, model } = await started();
    server.fail(`POST ${paths.upload}`, 'hold');
    model.send(general.stream_id, { text: '', file: file() });
    const key = selectTimeline(model.state(), general.stream_id)?.keys.at(-1) ?? '';
    await vi.waitFor(() =>
      expect(selectMessage(model.state(), key)).toMatchObject({ progress: 0.5, state: 'sending', msgType: 'file' }),
    );
    const view = selectMessage(model.state(), key);
    expect(view && selectOwnFile(model.state(), view)?.size).toBe(5);
    server.release();
    await vi.waitFor(() => expect(selectMessage(model.state(), key)).toBeUndefined());
  });

  it('If the answer to an upload is lost, the file is uploaded under another name, because the first name may be taken', async () => {
    const { server, clock, model } = await started();
    server.fail(`POST ${paths.upload}`, 'lost');
    model.send(general.stream_id, { text: '', file: file() });
    await clock.pass(1000);
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.content).toMatch(/^engawa-file,/));
    expect(server.uploads.size).toBe(2);
    expect(parseFileMessage((await server.messages()).at(-1)?.content ?? '')?.storedName).toBe([...server.uploads.keys()][1]);
  });

  it('A file that is too large is rejected before its upload', async () => {
    const { server, model } = await started();
    model.send(general.stream_id, { text: '', file: new File(['x'.repeat(1001)], '大.bin') });
    const key = selectTimeline(model.state(), general.stream_id)?.keys.at(-1) ?? '';
    const failure = { kind: 'file-too-large', maxBytes: 1000 };
    await vi.waitFor(() => expect(selectMessage(model.state(), key)).toMatchObject({ state: 'failed', failure }));
    expect(server.called(`POST ${paths.upload}`)).toEqual([]);
    expect(model.discard(String(key))?.file?.name).toBe('大.bin');
  });
});

describe('Recovery', () => {
  it('[R4.4] After the event queue was lost, the screen keeps its messages until the missed ones are loaded', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    const heard: (string | undefined)[] = [];
    model.watch(
      (state) => selectTimeline(state, general.stream_id),
      () => heard.push(selectTimeline(model.state(), general.stream_id)?.status),
    );
    server.fail('GET /messages', 'hold', 'hold');
    await server.loseQueues(async () => {
      await server.send(ken, general.stream_id, '二');
    });
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(4));
    server.release();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(5));
    expect(shown(model, general.stream_id)).toEqual(['おはようございます']);
    server.release();
    await vi.waitFor(() => expect(shown(model, general.stream_id)).toEqual(['おはようございます', '二']));
    expect(heard).toEqual(['ready']);
  });

  it('A page of messages that was requested before a new registration is discarded', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    server.fail('GET /messages', 'late');
    model.open(lunch.stream_id);
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(4));
    await server.loseQueues(async () => {
      await server.send(ken, lunch.stream_id, '蕎麦で');
    });
    await vi.waitFor(() => expect(shown(model, lunch.stream_id)).toEqual(['お昼どうしますか', '蕎麦で']));
    server.release();
    await server.send(ken, lunch.stream_id, '行きましょう');
    await vi.waitFor(() => expect(shown(model, lunch.stream_id)).toEqual(['お昼どうしますか', '蕎麦で', '行きましょう']));
  });

  it('A page of messages whose load failed is loaded after reconnecting', async () => {
    const { server, clock, model } = await started();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(3));
    server.fail('GET /messages', 'cut');
    server.fail('GET /events', 'cut');
    await server.endPolls();
    model.open(lunch.stream_id);
    await vi.waitFor(() => expect(selectTimeline(model.state(), lunch.stream_id)?.failure).toEqual({ kind: 'network' }));
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('reconnecting'));
    await clock.pass(1000);
    await vi.waitFor(() => expect(shown(model, lunch.stream_id)).toEqual(['お昼どうしますか']));
  });

  it('The model reports when its connection is lost and when it is restored', async () => {
    const { server, clock, model } = await started();
    const heard: string[] = [];
    model.watch(selectConnection, () => heard.push(selectConnection(model.state())));
    server.fail('GET /events', 'cut');
    await server.send(ken, general.stream_id, '一');
    await clock.pass(1000);
    await vi.waitFor(() => expect(heard).toEqual(['reconnecting', 'online']));
  });

  it('After a programming error, the model reports that it is broken', async () => {
    const logged: unknown[] = [];
    const { server, model } = await started({ environment: { log: (_, error) => logged.push(error) } });
    const mistake = new RangeError('a mistake');
    model.watch(selectTotalUnread, () => {
      throw mistake;
    });
    await server.send(ken, lunch.stream_id, '一');
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('broken'));
    expect(logged).toEqual([mistake]);
    expect(shown(model, general.stream_id)).toEqual(['おはようございます']);
    await model.stop();
  });

  it('After a programming error during its start, the model reports that it is broken', async () => {
    const { model } = await eg();
    model.watch(selectStreamIds, () => {
      throw new RangeError('a mistake');
    });
    model.start();
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('broken'));
  });

  it('The model deletes its event queue on the server when it is stopped', async () => {
    const { server, model } = await started();
    await model.stop();
    expect(server.called('DELETE /events')).toHaveLength(1);
  });
});

describe('Listeners', () => {
  const selectors: Readonly<Record<string, (state: State) => unknown>> = {
    connection: selectConnection,
    me: selectMe,
    departments: selectDepartments,
    streams: selectStreamIds,
    current: selectCurrent,
    totalUnread: selectTotalUnread,
    [`conversation:${general.stream_id}`]: (state) => selectConversation(state, general.stream_id),
    [`conversation:${lunch.stream_id}`]: (state) => selectConversation(state, lunch.stream_id),
    [`timeline:${general.stream_id}`]: (state) => selectTimeline(state, general.stream_id),
    [`timeline:${lunch.stream_id}`]: (state) => selectTimeline(state, lunch.stream_id),
    ['message:2']: (state) => selectMessage(state, 2),
  };

  async function listening(): Promise<Example & { readonly heard: string[] }> {
    const example = await started();
    await vi.waitFor(() => expect(example.server.called('GET /messages')).toHaveLength(3));
    await vi.waitFor(() => expect(selectDepartments(example.model.state())).toBeDefined());
    await example.server.send(ken, lunch.stream_id, '今日は混んでいます');
    await vi.waitFor(() => expect(selectStreamIds(example.model.state())?.[0]).toBe(lunch.stream_id));
    const heard: string[] = [];
    for (const [name, select] of Object.entries(selectors)) example.model.watch(select, () => heard.push(name));
    return { ...example, heard };
  }

  it('A message in a stream that is not open notifies only the listeners of its row in the list and of the total', async () => {
    const { server, heard } = await listening();
    await server.send(ken, lunch.stream_id, '蕎麦にしましょう');
    await vi.waitFor(() => expect(heard).toEqual(['totalUnread', `conversation:${lunch.stream_id}`]));
  });

  it('A message that changes the order of the streams notifies the listeners of that order', async () => {
    const { server, heard } = await listening();
    await server.send(ken, general.stream_id, 'お知らせです');
    await vi.waitFor(() =>
      expect(heard).toEqual(['streams', 'totalUnread', `conversation:${general.stream_id}`, `timeline:${general.stream_id}`]),
    );
  });

  it('An edit notifies only the listeners of the edited message and of the stream row that previews it', async () => {
    const { server, model, heard } = await listening();
    await server.edit(ken, 2, 'おはようございます。');
    await vi.waitFor(() => expect(heard).toEqual([`conversation:${general.stream_id}`, 'message:2']));
    expect(selectMessage(model.state(), 2)).toMatchObject({ content: 'おはようございます。', edited: true });
  });

  it('Several events that arrive together notify each listener once', async () => {
    const { server, heard } = await listening();
    server.fail('GET /events', 'hold');
    await server.send(ken, lunch.stream_id, '一');
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    await server.send(ken, lunch.stream_id, '二');
    await server.send(ken, lunch.stream_id, '三');
    server.release();
    await vi.waitFor(() => expect(heard).toHaveLength(4));
    expect(heard.slice(2)).toEqual(['totalUnread', `conversation:${lunch.stream_id}`]);
  });

  it('A selector returns the identical value until the selected state changes', async () => {
    const { server, model } = await listening();
    const read = () => [
      selectMe(model.state()),
      selectStreamIds(model.state()),
      selectStream(model.state(), general.stream_id),
      selectTimeline(model.state(), general.stream_id),
      selectMessage(model.state(), 2),
    ];
    const before = read();
    await server.send(ken, lunch.stream_id, '一');
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toBe('一'));
    read().forEach((view, index) => expect(view).toBe(before[index]));
  });
});
