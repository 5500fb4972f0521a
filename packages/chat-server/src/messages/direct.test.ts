import {
  type ParametersIn,
  deactivateUser,
  deleteMessage,
  getMessages,
  getSubscriptions,
  maxDirectParticipants,
  registerQueue,
  sendMessage,
  updateMessageFlags,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { statement } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { inShort, queueOf } from '../testing/queue.ts';

type Sending = ParametersIn<typeof sendMessage>;

const everything = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false } as const;

async function talking() {
  const server = await eg.server();
  const ids = (...names: readonly string[]) => names.map(server.user);
  return {
    server,
    ids,
    says: (by: string, to: readonly string[], content: string, more: Partial<Sending> = {}) =>
      eg.signIn(server, by).ok(sendMessage, { type: 'direct', to: JSON.stringify(ids(...to)), content, ...more }),
    refused: (sending: Partial<Sending>) =>
      eg.signIn(server, 'tanaka').refused(sendMessage, { type: 'direct', content: '内緒', ...sending }),
    /** What a member finds, by no narrow at all. */
    finds: async (name: string) =>
      (await eg.signIn(server, name).ok(getMessages, everything)).messages.map(({ content }) => content),
    stateOf: (name: string) => eg.signIn(server, name).ok(registerQueue, {}),
  };
}

async function shown(client: eg.Client, id: number) {
  const {
    messages: [found],
  } = await client.ok(getMessages, { ...everything, anchor: String(id), num_after: 0 });
  return found;
}

const person = (server: eg.Server, name: string, full_name: string) => ({
  id: server.user(name),
  email: eg.emailOf(name),
  full_name,
  is_mirror_dummy: false,
});

describe('a direct message', () => {
  it('[R1.7] [R7.6] stands between those who take part, without a stream and a topic', async () => {
    const { server, says } = await talking();
    const { id } = await says('tanaka', ['sato'], '内緒', { topic: 'not kept' });
    const message = await shown(eg.signIn(server, 'sato'), id);
    expect(message).toMatchObject({
      type: 'private',
      sender_id: server.user('tanaka'),
      content: '内緒',
      subject: '',
      display_recipient: [person(server, 'sato', '佐藤 花子'), person(server, 'tanaka', '田中 太郎')],
      flags: [],
    });
    expect(message).not.toHaveProperty('stream_id');
    expect(await shown(eg.signIn(server, 'tanaka'), id)).toMatchObject({ flags: ['read'] });
  });

  it('[R6.1] is found by those who take part and by nobody else, not even an owner', async () => {
    const { finds, says } = await talking();
    await says('sato', ['suzuki', 'takahashi'], '内緒');
    for (const name of ['sato', 'suzuki', 'takahashi']) expect(await finds(name)).toEqual(['内緒']);
    for (const name of ['tanaka', 'ito']) expect(await finds(name)).toEqual([]);
  });

  it('[R6.1] is nobody else’s to star or to ask for by its id', async () => {
    const { server, says } = await talking();
    const { id } = await says('sato', ['suzuki'], '内緒');
    const tanaka = eg.signIn(server, 'tanaka');
    const star = { messages: [id], op: 'add', flag: 'starred' };
    expect(await tanaka.refused(updateMessageFlags, star)).toMatchObject({ msg: 'Invalid message(s)' });
    const byId = { ...everything, narrow: [{ operator: 'id', operand: id }] };
    expect(await tanaka.ok(getMessages, byId)).toMatchObject({ messages: [] });
  });

  it.each<[string, (server: eg.Server) => string]>([
    ['an id in a list', (server) => `[${server.user('sato')}]`],
    ['an id alone', (server) => String(server.user('sato'))],
    ['an id twice, with one’s own', (server) => JSON.stringify(['sato', 'tanaka', 'sato'].map(server.user))],
    ['an email in a list', () => '["sato@example.com"]'],
    ['an email in JSON', () => '"sato@example.com"'],
    ['an email as it is', () => ' SATO@example.com '],
    ['emails with commas between them', () => 'sato@example.com,, tanaka@example.com'],
  ])('is addressed by %s', async (_, to) => {
    const { server, says, ids } = await talking();
    const tanaka = eg.signIn(server, 'tanaka');
    const first = await says('sato', ['tanaka'], '先に');
    const { id } = await tanaka.ok(sendMessage, { type: 'private', to: to(server), content: '後で' });
    const [one, other] = [await shown(tanaka, first.id), await shown(tanaka, id)];
    expect(other?.recipient_id).toBe(one?.recipient_id);
    expect(other?.display_recipient).toMatchObject(ids('sato', 'tanaka').map((userId) => ({ id: userId })));
  });

  it('to oneself is a note', async () => {
    const { server, says, finds } = await talking();
    const { id } = await says('tanaka', ['tanaka'], '覚え書き');
    const mine = [person(server, 'tanaka', '田中 太郎')];
    expect(await shown(eg.signIn(server, 'tanaka'), id)).toMatchObject({ display_recipient: mine });
    expect(await finds('sato')).toEqual([]);
  });

  it.each<[string, string]>([
    ['', 'Message must have recipients'],
    ['[]', 'Message must have recipients'],
    [' , ', 'Message must have recipients'],
    ['[987]', 'Invalid user ID 987'],
    ['987', 'Invalid user ID 987'],
    ['nobody@example.com', "Invalid email 'nobody@example.com'"],
    ['["sato@example.com","nobody@example.com"]', "Invalid email 'nobody@example.com'"],
    ['[1,"sato@example.com"]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['{}', 'Invalid data type for recipients'],
    ['null', 'Invalid data type for recipients'],
    ['[true]', 'Invalid data type for recipients'],
    ['[1.5]', 'Invalid data type for recipients'],
    ['[[1]]', 'Invalid data type for recipients'],
  ])('to “%s” is refused: %s', async (to, msg) => {
    const { refused } = await talking();
    expect(await refused({ to })).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  });

  it('without anyone named is refused', async () => {
    const { refused } = await talking();
    expect(await refused({})).toMatchObject({ status: 400, msg: 'Message must have recipients' });
  });

  it('to one who was deactivated is refused', async () => {
    const { server, refused } = await talking();
    await eg.signIn(server, 'sato').ok(deactivateUser, { user_id: server.user('ito') });
    const msg = "'ito@example.com' is no longer using Zulip.";
    for (const to of ['Ito@example.com', `[${server.user('ito')}]`]) {
      expect(await refused({ to })).toMatchObject({ status: 400, msg });
    }
  });

  it('to more than a conversation holds is refused', async () => {
    const { refused } = await talking();
    const to = JSON.stringify(Array.from({ length: maxDirectParticipants + 1 }, (_, index) => index + 1));
    expect(await refused({ to })).toMatchObject({ status: 400, msg: 'Too many recipients (maximum 100).' });
  });

  it('that is refused leaves no conversation behind', async () => {
    const { server, refused } = await talking();
    const to = `[${server.user('sato')}]`;
    expect(await refused({ to, content: ' ' })).toMatchObject({ msg: 'Message must not be empty' });
    const { database } = fileOf(server);
    expect(database.reader.all(allDirects, {})).toEqual([]);
  });

  it('and another in the same turn make one conversation', async () => {
    const { server, says } = await talking();
    await Promise.all([says('tanaka', ['sato'], '一'), says('sato', ['tanaka'], '二'), says('tanaka', ['ito'], '三')]);
    const { database } = fileOf(server);
    expect(database.reader.all(allDirects, {})).toHaveLength(2);
  });

  it('[R4.8.2] sent twice is sent once', async () => {
    const { server, says, finds } = await talking();
    const sato = await queueOf(eg.signIn(server, 'sato'));
    const again = { client_message_id: '0b1f4a52-7c1e-4f0e-9a52-3b5d8d3c9a11' };
    const sent = await Promise.all([says('tanaka', ['sato'], '一', again), says('tanaka', ['sato'], '一', again)]);
    expect(sent[0]).toEqual(sent[1]);
    expect(await says('tanaka', ['sato'], '一', again)).toEqual(sent[0]);
    expect((await sato.take()).map(inShort)).toEqual(['message 一']);
    expect(await finds('sato')).toEqual(['一']);
  });
});

const allDirects = statement()((query) => query.selectFrom('direct').selectAll());

describe('the event of a direct message', () => {
  it('[R1.7] is heard by those who take part, with the sender’s mark on the queue that was named', async () => {
    const { server, says } = await talking();
    const queue = (name: string) => queueOf(eg.signIn(server, name));
    const [named, other, sato] = [await queue('tanaka'), await queue('tanaka'), await queue('sato')];
    const { id } = await says('tanaka', ['sato'], '一', { queue_id: named.id, local_id: '7.01' });
    expect(await named.take()).toMatchObject([
      { type: 'message', message: { id, type: 'private' }, flags: ['read'], local_message_id: '7.01' },
    ]);
    const [onOther, onSatos] = [...(await other.take()), ...(await sato.take())];
    expect(onOther).toMatchObject({ message: { id } });
    expect(onSatos).toMatchObject({ message: { id, display_recipient: expect.any(Array) }, flags: [] });
    for (const event of [onOther, onSatos]) expect(event).not.toHaveProperty('local_message_id');
  });

  it('[R6.1] is heard by nobody else, whatever their queue asks for', async () => {
    const { server, says } = await talking();
    const wide = [{ all_public_streams: true }, { narrow: [{ operator: 'is', operand: 'dm' }] }];
    const queues = await Promise.all(wide.map((asked) => queueOf(eg.signIn(server, 'ito'), asked)));
    await says('tanaka', ['sato'], '一');
    await says('sato', ['tanaka'], '二');
    for (const queue of queues) expect(await queue.take()).toEqual([]);
  });

  it('is the only one: no stream and no subscription is told of', async () => {
    const { server, says } = await talking();
    const sato = await queueOf(eg.signIn(server, 'sato'));
    await says('tanaka', ['sato', 'ito'], '一');
    await says('sato', ['tanaka', 'ito'], '二');
    expect((await sato.take()).map(inShort)).toEqual(['message 一', 'message 二']);
  });
});

describe('a direct conversation', () => {
  it('is unread under the other, under oneself, or under all who take part', async () => {
    const { says, ids, stateOf } = await talking();
    const { id: one } = await says('sato', ['tanaka'], '一');
    const { id: two } = await says('suzuki', ['tanaka', 'ito'], '二');
    const { id: three } = await says('tanaka', ['tanaka'], '三', { read_by_sender: false });
    const { id: four } = await says('sato', ['tanaka'], '四');
    const { unread_msgs } = await stateOf('tanaka');
    const [tanaka, sato] = ids('tanaka', 'sato');
    expect(unread_msgs).toMatchObject({
      count: 4,
      streams: [],
      huddles: [{ user_ids_string: ids('tanaka', 'suzuki', 'ito').join(), unread_message_ids: [two] }],
    });
    expect(unread_msgs?.pms).toEqual([
      { other_user_id: sato, sender_id: sato, unread_message_ids: [one, four] },
      { other_user_id: tanaka, sender_id: tanaka, unread_message_ids: [three] },
    ]);
    expect((await stateOf('sato')).unread_msgs).toMatchObject({ count: 0, pms: [], huddles: [] });
  });

  it('is read and unread again, and told with those who take part', async () => {
    const { server, says, ids, stateOf } = await talking();
    const { id } = await says('sato', ['tanaka', 'ito'], '一');
    const tanaka = eg.signIn(server, 'tanaka');
    await tanaka.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
    expect((await stateOf('tanaka')).unread_msgs).toMatchObject({ count: 0, huddles: [] });
    const queue = await queueOf(tanaka);
    await tanaka.ok(updateMessageFlags, { messages: [id], op: 'remove', flag: 'read' });
    expect(await queue.take()).toMatchObject([
      { messages: [id], message_details: { [id]: { type: 'private', user_ids: ids('sato', 'ito') } } },
    ]);
    expect((await stateOf('tanaka')).unread_msgs).toMatchObject({ count: 1, huddles: [{ unread_message_ids: [id] }] });
  });

  it('is starred', async () => {
    const { server, says, stateOf } = await talking();
    const { id } = await says('sato', ['tanaka'], '一');
    const tanaka = eg.signIn(server, 'tanaka');
    await tanaka.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
    expect(await stateOf('tanaka')).toMatchObject({ starred_messages: [id] });
    expect(await shown(tanaka, id)).toMatchObject({ flags: ['starred'] });
  });

  it('is listed by its newest message that is left, the newest first', async () => {
    const { server, says, ids, stateOf } = await talking();
    const { id: one } = await says('sato', ['tanaka'], '一');
    const { id: two } = await says('tanaka', ['tanaka'], '二');
    const { id: three } = await says('tanaka', ['suzuki', 'ito'], '三');
    const { id: four } = await says('tanaka', ['sato'], '四');
    const { id: five } = await says('tanaka', ['takahashi'], '五');
    const state = await stateOf('tanaka');
    expect(state.max_message_id).toBe(five);
    expect(state.recent_private_conversations).toEqual([
      { max_message_id: five, user_ids: ids('takahashi') },
      { max_message_id: four, user_ids: ids('sato') },
      { max_message_id: three, user_ids: ids('suzuki', 'ito') },
      { max_message_id: two, user_ids: [] },
    ]);
    for (const message_id of [four, five]) await eg.signIn(server, 'tanaka').ok(deleteMessage, { message_id });
    expect((await stateOf('tanaka')).recent_private_conversations).toEqual([
      { max_message_id: three, user_ids: ids('suzuki', 'ito') },
      { max_message_id: two, user_ids: [] },
      { max_message_id: one, user_ids: ids('sato') },
    ]);
    expect((await stateOf('sato')).recent_private_conversations).toEqual([{ max_message_id: one, user_ids: ids('tanaka') }]);
  });

  it('is listed only where it is asked for', async () => {
    const { server } = await talking();
    const sato = eg.signIn(server, 'sato');
    const list = 'recent_private_conversations';
    expect(await sato.ok(registerQueue, { event_types: ['message'] })).not.toHaveProperty(list);
    expect(await sato.ok(registerQueue, { fetch_event_types: [list] })).toMatchObject({ [list]: [] });
  });

  it('is no stream: not listed, not addressed and not narrowed to as one', async () => {
    const { server, says, stateOf } = await talking();
    const before = await stateOf('sato');
    const { id } = await says('tanaka', ['sato'], '一');
    const after = await stateOf('sato');
    for (const key of ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'] as const) {
      expect(after[key]).toEqual(before[key]);
    }
    const sato = eg.signIn(server, 'sato');
    expect((await sato.ok(getSubscriptions, {})).subscriptions).toHaveLength(before.subscriptions?.length ?? 0);
    const conversation = (await shown(sato, id))?.recipient_id ?? 0;
    const sending = { type: 'stream', to: String(conversation), topic: 't', content: 'c' };
    expect(await sato.refused(sendMessage, sending)).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    const narrow = [{ operator: 'stream', operand: conversation }];
    expect(await sato.refused(getMessages, { ...everything, narrow })).toMatchObject({ code: 'BAD_NARROW' });
  });
});
