import * as api from '@engawa/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memberships } from '../conversations/memberships.ts';
import * as eg from '../testing/eg.ts';
import { advanceTaskTime } from '../testing/taskTime.ts';

const hello = { type: 'stream', to: eg.general, topic: 'お知らせ', content: '明日は休みです' };

async function send(server: eg.Server, by = 'tanaka', message = hello): Promise<number> {
  return (await eg.signIn(server, by).ok(api.sendMessage, message)).id;
}

async function markRead(server: eg.Server, name: string, ...messages: readonly number[]): Promise<void> {
  await eg.signIn(server, name).ok(api.updateMessageFlags, { messages: [...messages], op: 'add', flag: 'read' });
}

const setSendsReceipts = (server: eg.Server, name: string, send_read_receipts: boolean) =>
  eg.signIn(server, name).ok(api.updateSettings, { send_read_receipts });

const receiptsOf = (server: eg.Server, message_id: number, by = 'tanaka') =>
  eg.signIn(server, by).ok(api.getReadReceipts, { message_id });

const counts = async (server: eg.Server, messages: readonly number[], by = 'tanaka') =>
  (await eg.signIn(server, by).ok(api.countReadReceipts, { messages: [...messages] })).read_counts;

it('GET /messages/{message_id}/read_receipts lists who has read the message and who has not, without its author', async () => {
  const server = await eg.server();
  const id = await send(server);
  await markRead(server, 'suzuki', id);
  expect(await receiptsOf(server, id)).toEqual({
    user_ids: [server.user('suzuki')],
    unread_user_ids: [server.user('sato'), server.user('takahashi')],
    withheld_user_ids: [],
  });
});

it('[R2.25.2] GET /messages/{message_id}/read_receipts never reveals whether a member who disabled read receipts has read the message', async () => {
  const server = await eg.server();
  const id = await send(server);
  await setSendsReceipts(server, 'suzuki', false);
  await setSendsReceipts(server, 'sato', false);
  await markRead(server, 'suzuki', id);
  expect(await receiptsOf(server, id)).toEqual({
    user_ids: [],
    unread_user_ids: [server.user('takahashi')],
    withheld_user_ids: [server.user('sato'), server.user('suzuki')],
  });
  expect(await counts(server, [id])).toEqual([{ message_id: id, count: 0 }]);
  await setSendsReceipts(server, 'suzuki', true);
  expect(await receiptsOf(server, id)).toMatchObject({ user_ids: [server.user('suzuki')] });
});

it('[R2.25.2] GET /messages/{message_id}/read_receipts refuses a caller who disabled their own read receipts', async () => {
  const server = await eg.server();
  const id = await send(server);
  await setSendsReceipts(server, 'tanaka', false);
  const tanaka = eg.signIn(server, 'tanaka');
  const refusal = { status: 400, msg: 'Read receipts are shown to those who send them.' };
  expect(await tanaka.refused(api.getReadReceipts, { message_id: id })).toMatchObject(refusal);
  expect(await tanaka.refused(api.countReadReceipts, { messages: [id] })).toMatchObject(refusal);
});

it('GET /messages/{message_id}/read_receipts answers only the author, all members or nobody, as the organisation has set', async () => {
  const usual = await eg.server();
  const refusal = await eg.signIn(usual, 'sato').refused(api.getReadReceipts, { message_id: await send(usual) });
  expect(refusal.msg).toBe('Read receipts are shown to the author of a message only.');

  const open = await eg.server({ organisation: eg.organisation({ readReceipts: 'all' }) });
  const seen = await send(open);
  await markRead(open, 'suzuki', seen);
  expect(await receiptsOf(open, seen, 'sato')).toMatchObject({ user_ids: [open.user('suzuki')] });

  const closed = await eg.server({ organisation: eg.organisation({ readReceipts: 'none' }) });
  const own = await eg.signIn(closed, 'tanaka').refused(api.getReadReceipts, { message_id: await send(closed) });
  expect(own.msg).toBe('Read receipts are disabled in this organization.');
});

it('[R6.1] GET /messages/{message_id}/read_receipts gives the same error for a missing, deleted or unreadable message', async () => {
  const server = await eg.server();
  const id = await send(server);
  const secret = await send(server, 'suzuki', { ...hello, to: eg.board });
  const tanaka = eg.signIn(server, 'tanaka');
  await tanaka.ok(api.deleteMessage, { message_id: id });
  for (const message_id of [id, secret, 987_654]) {
    expect(await tanaka.refused(api.getReadReceipts, { message_id })).toMatchObject({ msg: 'Invalid message(s)' });
  }
});

it('GET /messages/{message_id}/read_receipts omits members who joined after the message, left or were deactivated', async () => {
  const server = await eg.server();
  const id = await send(server);
  const tanaka = eg.signIn(server, 'tanaka');
  await tanaka.ok(api.subscribe, { subscriptions: [{ name: eg.general }], principals: [server.user('ito')] });
  await eg.signIn(server, 'suzuki').ok(api.unsubscribe, { subscriptions: [eg.general] });
  await tanaka.ok(api.deactivateUser, { user_id: server.user('takahashi') });
  expect(await receiptsOf(server, id)).toEqual({
    user_ids: [],
    unread_user_ids: [server.user('sato')],
    withheld_user_ids: [],
  });
});

it('GET /messages/{message_id}/read_receipts lists the readers of a direct message', async () => {
  const server = await eg.server();
  const to = api.addressDirect([server.user('suzuki')]);
  const id = await send(server, 'tanaka', { type: 'direct', to, topic: '', content: '少しよろしいですか' });
  expect(await receiptsOf(server, id)).toMatchObject({ user_ids: [], unread_user_ids: [server.user('suzuki')] });
  await markRead(server, 'suzuki', id);
  expect(await receiptsOf(server, id)).toMatchObject({ user_ids: [server.user('suzuki')], unread_user_ids: [] });
});

it('GET /read_receipts counts the readers of the caller’s own messages, and omits messages of other members', async () => {
  const server = await eg.server();
  const [first, second] = [await send(server), await send(server)];
  const another = await send(server, 'sato');
  const secret = await send(server, 'suzuki', { ...hello, to: eg.board });
  await markRead(server, 'suzuki', first, second);
  await markRead(server, 'sato', first);
  expect(await counts(server, [first, second, another, secret, 987_654])).toEqual([
    { message_id: first, count: 2 },
    { message_id: second, count: 1 },
  ]);
  expect(await counts(server, [])).toEqual([]);
});

it('GET /read_receipts refuses messages of more than one conversation, and more messages than the maximum', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const messages = [await send(server), await send(server, 'tanaka', { ...hello, to: eg.personnel })];
  expect(await tanaka.refused(api.countReadReceipts, { messages })).toMatchObject({
    msg: 'Messages of one conversation are counted at once.',
  });
  const many = Array.from({ length: api.maxMessagesPerReceiptsCall + 1 }, (_, index) => index + 1);
  expect((await tanaka.refused(api.countReadReceipts, { messages: many })).msg).toMatch(/^Too many messages/);
});

describe('A stream with more subscribers than one turn examines', () => {
  const names = Array.from({ length: 2 * api.receiptsPerTurn + 1 }, (_, index) => `member${index}`);
  const [template] = eg.organisation().users;
  const organisation = eg.organisation({
    users: [
      ...eg.organisation().users,
      ...names.flatMap((name) => (template ? [{ ...template, email: eg.emailOf(name), full_name: name }] : [])),
    ],
    streams: [eg.stream(eg.general, ['tanaka', ...names])],
  });

  it('GET /read_receipts counts hundreds of readers completely, and other calls are answered before it ends', async () => {
    const signedIn = ['tanaka', 'member0', 'member400'].map(eg.emailOf);
    const server = await eg.server({ organisation: organisation, signedIn });
    const id = await send(server);
    await markRead(server, 'member0', id);
    await markRead(server, 'member400', id);
    // Each step fills a turn. On a fast machine the whole count would end in the first one.
    advanceTaskTime(11);
    const order: string[] = [];
    const counted = counts(server, [id]).then((answer) => {
      order.push('counted');
      return answer;
    });
    const other = eg
      .signIn(server, 'member0')
      .ok(api.countReadReceipts, { messages: [] })
      .then(() => order.push('another call'));
    await Promise.all([counted, other]);
    expect(await counted).toEqual([{ message_id: id, count: 2 }]);
    expect(order).toEqual(['another call', 'counted']);
    const { user_ids, unread_user_ids = [] } = await receiptsOf(server, id);
    expect([user_ids.length, unread_user_ids.length]).toEqual([2, names.length - 2]);
  });

  it('GET /read_receipts looks up each subscriber of a large stream once, even if many messages are older than the subscription', async () => {
    const late = { ...organisation, streams: [eg.stream(eg.general, ['tanaka'])] };
    const server = await eg.server({ organisation: late, signedIn: [eg.emailOf('tanaka')] });
    const ids = [await send(server), await send(server), await send(server)];
    const tanaka = eg.signIn(server, 'tanaka');
    const principals = names.map((name) => server.user(name));
    await tanaka.ok(api.subscribe, { subscriptions: [{ name: eg.general }], principals });
    const lookups = vi.spyOn(memberships, 'of');
    onTestFinished(() => lookups.mockRestore());
    expect(await counts(server, ids)).toEqual(ids.map((message_id) => ({ message_id, count: 0 })));
    expect(lookups.mock.calls.length).toBeLessThan(names.length + 10);
  });
});
