import {
  addressDirect,
  countReadReceipts,
  deactivateUser,
  deleteMessage,
  getReadReceipts,
  maxMessagesPerReceiptsCall,
  receiptsPerTurn,
  sendMessage,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updateSettings,
} from '@engawa/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memberships } from '../conversations/memberships.ts';
import * as eg from '../testing/eg.ts';

const hello = { type: 'stream', to: eg.general, topic: 'お知らせ', content: '明日は休みです' };

async function says(server: eg.Server, by = 'tanaka', message = hello): Promise<number> {
  return (await eg.signIn(server, by).ok(sendMessage, message)).id;
}

async function reads(server: eg.Server, name: string, ...messages: readonly number[]): Promise<void> {
  await eg.signIn(server, name).ok(updateMessageFlags, { messages: [...messages], op: 'add', flag: 'read' });
}

const switches = (server: eg.Server, name: string, send_read_receipts: boolean) =>
  eg.signIn(server, name).ok(updateSettings, { send_read_receipts });

const asks = (server: eg.Server, message_id: number, by = 'tanaka') => eg.signIn(server, by).ok(getReadReceipts, { message_id });

const counts = async (server: eg.Server, messages: readonly number[], by = 'tanaka') =>
  (await eg.signIn(server, by).ok(countReadReceipts, { messages: [...messages] })).read_counts;

describe('GET /messages/{message_id}/read_receipts', () => {
  it('names who has read it, and who has not, without its author', async () => {
    const server = await eg.server();
    const id = await says(server);
    await reads(server, 'suzuki', id);
    expect(await asks(server, id)).toEqual({
      user_ids: [server.user('suzuki')],
      unread_user_ids: [server.user('sato'), server.user('takahashi')],
      withheld_user_ids: [],
    });
  });

  it('[R2.25.2] never says of one who withholds it whether they have read it', async () => {
    const server = await eg.server();
    const id = await says(server);
    await switches(server, 'suzuki', false);
    await switches(server, 'sato', false);
    await reads(server, 'suzuki', id);
    expect(await asks(server, id)).toEqual({
      user_ids: [],
      unread_user_ids: [server.user('takahashi')],
      withheld_user_ids: [server.user('sato'), server.user('suzuki')],
    });
    expect(await counts(server, [id])).toEqual([{ message_id: id, count: 0 }]);
    await switches(server, 'suzuki', true);
    expect(await asks(server, id)).toMatchObject({ user_ids: [server.user('suzuki')] });
  });

  it('[R2.25.2] shows nothing to one who withholds their own', async () => {
    const server = await eg.server();
    const id = await says(server);
    await switches(server, 'tanaka', false);
    const tanaka = eg.signIn(server, 'tanaka');
    const refusal = { status: 400, msg: 'Read receipts are shown to those who send them.' };
    expect(await tanaka.refused(getReadReceipts, { message_id: id })).toMatchObject(refusal);
    expect(await tanaka.refused(countReadReceipts, { messages: [id] })).toMatchObject(refusal);
  });

  it('is the author’s to ask, unless the organisation shows all or none', async () => {
    const usual = await eg.server();
    const refusal = await eg.signIn(usual, 'sato').refused(getReadReceipts, { message_id: await says(usual) });
    expect(refusal.msg).toBe('Read receipts are shown to the author of a message only.');

    const open = await eg.server({ organisation: eg.organisation({ readReceipts: 'all' }) });
    const seen = await says(open);
    await reads(open, 'suzuki', seen);
    expect(await asks(open, seen, 'sato')).toMatchObject({ user_ids: [open.user('suzuki')] });

    const closed = await eg.server({ organisation: eg.organisation({ readReceipts: 'none' }) });
    const own = await eg.signIn(closed, 'tanaka').refused(getReadReceipts, { message_id: await says(closed) });
    expect(own.msg).toBe('Read receipts are disabled in this organization.');
  });

  it('[R6.1] refuses what one may not read as if it did not exist', async () => {
    const server = await eg.server();
    const id = await says(server);
    const secret = await says(server, 'suzuki', { ...hello, to: eg.board });
    const tanaka = eg.signIn(server, 'tanaka');
    await tanaka.ok(deleteMessage, { message_id: id });
    for (const message_id of [id, secret, 987_654]) {
      expect(await tanaka.refused(getReadReceipts, { message_id })).toMatchObject({ msg: 'Invalid message(s)' });
    }
  });

  it('leaves out who came later, who has left, and who is no longer active', async () => {
    const server = await eg.server();
    const id = await says(server);
    const tanaka = eg.signIn(server, 'tanaka');
    await tanaka.ok(subscribe, { subscriptions: [{ name: eg.general }], principals: [server.user('ito')] });
    await eg.signIn(server, 'suzuki').ok(unsubscribe, { subscriptions: [eg.general] });
    await tanaka.ok(deactivateUser, { user_id: server.user('takahashi') });
    expect(await asks(server, id)).toEqual({
      user_ids: [],
      unread_user_ids: [server.user('sato')],
      withheld_user_ids: [],
    });
  });

  it('works for a direct message', async () => {
    const server = await eg.server();
    const to = addressDirect([server.user('suzuki')]);
    const id = await says(server, 'tanaka', { type: 'direct', to, topic: '', content: '少しよろしいですか' });
    expect(await asks(server, id)).toMatchObject({ user_ids: [], unread_user_ids: [server.user('suzuki')] });
    await reads(server, 'suzuki', id);
    expect(await asks(server, id)).toMatchObject({ user_ids: [server.user('suzuki')], unread_user_ids: [] });
  });
});

describe('GET /read_receipts', () => {
  it('counts the readers of each message of one’s own, and leaves out all others', async () => {
    const server = await eg.server();
    const [first, second] = [await says(server), await says(server)];
    const another = await says(server, 'sato');
    const secret = await says(server, 'suzuki', { ...hello, to: eg.board });
    await reads(server, 'suzuki', first, second);
    await reads(server, 'sato', first);
    expect(await counts(server, [first, second, another, secret, 987_654])).toEqual([
      { message_id: first, count: 2 },
      { message_id: second, count: 1 },
    ]);
    expect(await counts(server, [])).toEqual([]);
  });

  it('refuses messages of several conversations, and too many', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const messages = [await says(server), await says(server, 'tanaka', { ...hello, to: eg.personnel })];
    expect(await tanaka.refused(countReadReceipts, { messages })).toMatchObject({
      msg: 'Messages of one conversation are counted at once.',
    });
    const many = Array.from({ length: maxMessagesPerReceiptsCall + 1 }, (_, index) => index + 1);
    expect((await tanaka.refused(countReadReceipts, { messages: many })).msg).toMatch(/^Too many messages/);
  });
});

describe('an audience that is larger than what is looked at in one turn', () => {
  const names = Array.from({ length: 2 * receiptsPerTurn + 1 }, (_, index) => `member${index}`);
  const [template] = eg.organisation().users;
  const crowd = eg.organisation({
    users: [
      ...eg.organisation().users,
      ...names.flatMap((name) => (template ? [{ ...template, email: eg.emailOf(name), full_name: name }] : [])),
    ],
    streams: [eg.stream(eg.general, ['tanaka', ...names])],
  });

  it('is counted whole, and others have their turn meanwhile', async () => {
    const signedIn = ['tanaka', 'member0', 'member400'].map(eg.emailOf);
    const server = await eg.server({ organisation: crowd, signedIn });
    const id = await says(server);
    await reads(server, 'member0', id);
    await reads(server, 'member400', id);
    const order: string[] = [];
    const counted = counts(server, [id]).then((answer) => {
      order.push('counted');
      return answer;
    });
    const other = eg
      .signIn(server, 'member0')
      .ok(countReadReceipts, { messages: [] })
      .then(() => order.push('another call'));
    await Promise.all([counted, other]);
    expect(await counted).toEqual([{ message_id: id, count: 2 }]);
    expect(order).toEqual(['another call', 'counted']);
    const { user_ids, unread_user_ids = [] } = await asks(server, id);
    expect([user_ids.length, unread_user_ids.length]).toEqual([2, names.length - 2]);
  });

  it('is looked up once for each member, however many messages are older than their stay', async () => {
    const late = { ...crowd, streams: [eg.stream(eg.general, ['tanaka'])] };
    const server = await eg.server({ organisation: late, signedIn: [eg.emailOf('tanaka')] });
    const ids = [await says(server), await says(server), await says(server)];
    const tanaka = eg.signIn(server, 'tanaka');
    const principals = names.map((name) => server.user(name));
    await tanaka.ok(subscribe, { subscriptions: [{ name: eg.general }], principals });
    const looks = vi.spyOn(memberships, 'of');
    onTestFinished(() => looks.mockRestore());
    expect(await counts(server, ids)).toEqual(ids.map((message_id) => ({ message_id, count: 0 })));
    expect(looks.mock.calls.length).toBeLessThan(names.length + 10);
  });
});
