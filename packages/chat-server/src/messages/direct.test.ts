import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { queries } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { inShort, queueOf } from '../testing/queue.ts';

type Sending = api.ParametersIn<typeof api.sendMessage>;

const everything = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false } as const;

async function setup() {
  const server = await eg.server();
  const ids = (...names: readonly string[]) => names.map(server.user);
  return {
    server,
    ids,
    send: (by: string, to: readonly string[], content: string, more: Partial<Sending> = {}) =>
      eg.signIn(server, by).ok(api.sendMessage, { type: 'direct', to: JSON.stringify(ids(...to)), content, ...more }),
    refused: (sending: Partial<Sending>) =>
      eg.signIn(server, 'tanaka').refused(api.sendMessage, { type: 'direct', content: '内緒', ...sending }),
    /** The messages that a member fetches without a narrow. */
    contentsFor: async (name: string) =>
      (await eg.signIn(server, name).ok(api.getMessages, everything)).messages.map(({ content }) => content),
    stateOf: (name: string) => eg.signIn(server, name).ok(api.registerQueue, {}),
  };
}

async function fetchOne(client: eg.Client, id: number) {
  const {
    messages: [found],
  } = await client.ok(api.getMessages, { ...everything, anchor: String(id), num_after: 0 });
  return found;
}

const person = (server: eg.Server, name: string, full_name: string) => ({
  id: server.user(name),
  email: eg.emailOf(name),
  full_name,
  is_mirror_dummy: false,
});

it('[R1.7] [R7.6] The server stores a direct message without stream and topic, and its participants can read it', async () => {
  const { server, send } = await setup();
  const { id } = await send('tanaka', ['sato'], '内緒', { topic: 'not kept' });
  const message = await fetchOne(eg.signIn(server, 'sato'), id);
  expect(message).toMatchObject({
    type: 'private',
    sender_id: server.user('tanaka'),
    content: '内緒',
    subject: '',
    display_recipient: [person(server, 'sato', '佐藤 花子'), person(server, 'tanaka', '田中 太郎')],
    flags: [],
  });
  expect(message).not.toHaveProperty('stream_id');
  expect(await fetchOne(eg.signIn(server, 'tanaka'), id)).toMatchObject({ flags: ['read'] });
});

it('[R6.1] Only the participants of a direct conversation find its messages; an owner outside it does not', async () => {
  const { contentsFor, send } = await setup();
  await send('sato', ['suzuki', 'takahashi'], '内緒');
  for (const name of ['sato', 'suzuki', 'takahashi']) expect(await contentsFor(name)).toEqual(['内緒']);
  for (const name of ['tanaka', 'ito']) expect(await contentsFor(name)).toEqual([]);
});

it('[R6.1] A member outside a direct conversation can neither star its messages nor fetch them by id', async () => {
  const { server, send } = await setup();
  const { id } = await send('sato', ['suzuki'], '内緒');
  const tanaka = eg.signIn(server, 'tanaka');
  const star = { messages: [id], op: 'add', flag: 'starred' };
  expect(await tanaka.refused(api.updateMessageFlags, star)).toMatchObject({ msg: 'Invalid message(s)' });
  const byId = { ...everything, narrow: [{ operator: 'id', operand: id }] };
  expect(await tanaka.ok(api.getMessages, byId)).toMatchObject({ messages: [] });
});

it.each<[string, (server: eg.Server) => string]>([
  ['an id in a list', (server) => `[${server.user('sato')}]`],
  ['an id alone', (server) => String(server.user('sato'))],
  ['an id twice, with one’s own', (server) => JSON.stringify(['sato', 'tanaka', 'sato'].map(server.user))],
  ['an email in a list', () => '["sato@example.com"]'],
  ['an email in JSON', () => '"sato@example.com"'],
  ['an email as it is', () => ' SATO@example.com '],
  ['emails with commas between them', () => 'sato@example.com,, tanaka@example.com'],
])('POST /messages accepts %s as the recipients of a direct message', async (_, to) => {
  const { server, send, ids } = await setup();
  const tanaka = eg.signIn(server, 'tanaka');
  const first = await send('sato', ['tanaka'], '先に');
  const { id } = await tanaka.ok(api.sendMessage, { type: 'private', to: to(server), content: '後で' });
  const [one, other] = [await fetchOne(tanaka, first.id), await fetchOne(tanaka, id)];
  expect(other?.recipient_id).toBe(one?.recipient_id);
  expect(other?.display_recipient).toMatchObject(ids('sato', 'tanaka').map((userId) => ({ id: userId })));
});

it('A direct message that a member sends to themselves is visible to no other member', async () => {
  const { server, send, contentsFor } = await setup();
  const { id } = await send('tanaka', ['tanaka'], '覚え書き');
  const mine = [person(server, 'tanaka', '田中 太郎')];
  expect(await fetchOne(eg.signIn(server, 'tanaka'), id)).toMatchObject({ display_recipient: mine });
  expect(await contentsFor('sato')).toEqual([]);
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
])('POST /messages refuses a direct message to “%s”: %s', async (to, msg) => {
  const { refused } = await setup();
  expect(await refused({ to })).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it('POST /messages refuses a direct message without recipients', async () => {
  const { refused } = await setup();
  expect(await refused({})).toMatchObject({ status: 400, msg: 'Message must have recipients' });
});

it('POST /messages refuses a direct message to a deactivated member', async () => {
  const { server, refused } = await setup();
  await eg.signIn(server, 'sato').ok(api.deactivateUser, { user_id: server.user('ito') });
  const msg = "'ito@example.com' is no longer using Zulip.";
  for (const to of ['Ito@example.com', `[${server.user('ito')}]`]) {
    expect(await refused({ to })).toMatchObject({ status: 400, msg });
  }
});

it('POST /messages refuses a direct message with more than the maximum number of participants', async () => {
  const { refused } = await setup();
  const to = JSON.stringify(Array.from({ length: api.maxDirectParticipants + 1 }, (_, index) => index + 1));
  expect(await refused({ to })).toMatchObject({ status: 400, msg: 'Too many recipients (maximum 100).' });
});

it('A direct message that POST /messages refuses creates no conversation', async () => {
  const { server, refused } = await setup();
  const to = `[${server.user('sato')}]`;
  expect(await refused({ to, content: ' ' })).toMatchObject({ msg: 'Message must not be empty' });
  const { database } = fileOf(server);
  expect(allDirects(database.reader)).toEqual([]);
});

it('Two members who write to each other in the same turn of the event loop share one conversation', async () => {
  const { server, send } = await setup();
  await Promise.all([send('tanaka', ['sato'], '一'), send('sato', ['tanaka'], '二'), send('tanaka', ['ito'], '三')]);
  const { database } = fileOf(server);
  expect(allDirects(database.reader)).toHaveLength(2);
});

it('[R4.8.2] POST /messages stores a direct message once if the client sends it twice with one client_message_id', async () => {
  const { server, send, contentsFor } = await setup();
  const sato = await queueOf(eg.signIn(server, 'sato'));
  const again = { client_message_id: '0b1f4a52-7c1e-4f0e-9a52-3b5d8d3c9a11' };
  const sent = await Promise.all([send('tanaka', ['sato'], '一', again), send('tanaka', ['sato'], '一', again)]);
  expect(sent[0]).toEqual(sent[1]);
  expect(await send('tanaka', ['sato'], '一', again)).toEqual(sent[0]);
  expect((await sato.take()).map(inShort)).toEqual(['message 一']);
  expect(await contentsFor('sato')).toEqual(['一']);
});

const allDirects = queries.rows((query) => query.selectFrom('direct').selectAll());

it('[R1.7] The participants receive the event of a direct message, with local_message_id only on the queue that the sender named', async () => {
  const { server, send } = await setup();
  const queue = (name: string) => queueOf(eg.signIn(server, name));
  const [named, other, sato] = [await queue('tanaka'), await queue('tanaka'), await queue('sato')];
  const { id } = await send('tanaka', ['sato'], '一', { queue_id: named.id, local_id: '7.01' });
  expect(await named.take()).toMatchObject([
    { type: 'message', message: { id, type: 'private' }, flags: ['read'], local_message_id: '7.01' },
  ]);
  const [onOther, onSatos] = [...(await other.take()), ...(await sato.take())];
  expect(onOther).toMatchObject({ message: { id } });
  expect(onSatos).toMatchObject({ message: { id, display_recipient: expect.any(Array) }, flags: [] });
  for (const event of [onOther, onSatos]) expect(event).not.toHaveProperty('local_message_id');
});

it('[R6.1] A member outside a direct conversation does not receive its messages, whatever options their queue has', async () => {
  const { server, send } = await setup();
  const wide = [{ all_public_streams: true }, { narrow: [{ operator: 'is', operand: 'dm' }] }];
  const queues = await Promise.all(wide.map((options) => queueOf(eg.signIn(server, 'ito'), options)));
  await send('tanaka', ['sato'], '一');
  await send('sato', ['tanaka'], '二');
  for (const queue of queues) expect(await queue.take()).toEqual([]);
});

it('A direct message publishes a message event, but no stream or subscription event', async () => {
  const { server, send } = await setup();
  const sato = await queueOf(eg.signIn(server, 'sato'));
  await send('tanaka', ['sato', 'ito'], '一');
  await send('sato', ['tanaka', 'ito'], '二');
  expect((await sato.take()).map(inShort)).toEqual(['message 一', 'message 二']);
});

it('unread_msgs of POST /register lists unread direct messages under the other member, the member (notes) or the group', async () => {
  const { send, ids, stateOf } = await setup();
  const { id: one } = await send('sato', ['tanaka'], '一');
  const { id: two } = await send('suzuki', ['tanaka', 'ito'], '二');
  const { id: three } = await send('tanaka', ['tanaka'], '三', { read_by_sender: false });
  const { id: four } = await send('sato', ['tanaka'], '四');
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

it('A member can mark a direct message as read and unread, and the unread event lists the other participants', async () => {
  const { server, send, ids, stateOf } = await setup();
  const { id } = await send('sato', ['tanaka', 'ito'], '一');
  const tanaka = eg.signIn(server, 'tanaka');
  await tanaka.ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
  expect((await stateOf('tanaka')).unread_msgs).toMatchObject({ count: 0, huddles: [] });
  const queue = await queueOf(tanaka);
  await tanaka.ok(api.updateMessageFlags, { messages: [id], op: 'remove', flag: 'read' });
  expect(await queue.take()).toMatchObject([
    { messages: [id], message_details: { [id]: { type: 'private', user_ids: ids('sato', 'ito') } } },
  ]);
  expect((await stateOf('tanaka')).unread_msgs).toMatchObject({ count: 1, huddles: [{ unread_message_ids: [id] }] });
});

it('A participant can star a direct message', async () => {
  const { server, send, stateOf } = await setup();
  const { id } = await send('sato', ['tanaka'], '一');
  const tanaka = eg.signIn(server, 'tanaka');
  await tanaka.ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  expect(await stateOf('tanaka')).toMatchObject({ starred_messages: [id] });
  expect(await fetchOne(tanaka, id)).toMatchObject({ flags: ['starred'] });
});

it('recent_private_conversations of POST /register lists conversations by their newest undeleted message, newest first', async () => {
  const { server, send, ids, stateOf } = await setup();
  const { id: one } = await send('sato', ['tanaka'], '一');
  const { id: two } = await send('tanaka', ['tanaka'], '二');
  const { id: three } = await send('tanaka', ['suzuki', 'ito'], '三');
  const { id: four } = await send('tanaka', ['sato'], '四');
  const { id: five } = await send('tanaka', ['takahashi'], '五');
  const state = await stateOf('tanaka');
  expect(state.max_message_id).toBe(five);
  expect(state.recent_private_conversations).toEqual([
    { max_message_id: five, user_ids: ids('takahashi') },
    { max_message_id: four, user_ids: ids('sato') },
    { max_message_id: three, user_ids: ids('suzuki', 'ito') },
    { max_message_id: two, user_ids: [] },
  ]);
  for (const message_id of [four, five]) await eg.signIn(server, 'tanaka').ok(api.deleteMessage, { message_id });
  expect((await stateOf('tanaka')).recent_private_conversations).toEqual([
    { max_message_id: three, user_ids: ids('suzuki', 'ito') },
    { max_message_id: two, user_ids: [] },
    { max_message_id: one, user_ids: ids('sato') },
  ]);
  expect((await stateOf('sato')).recent_private_conversations).toEqual([{ max_message_id: one, user_ids: ids('tanaka') }]);
});

it('POST /register returns recent_private_conversations only if the client requests it', async () => {
  const { server } = await setup();
  const sato = eg.signIn(server, 'sato');
  const list = 'recent_private_conversations';
  expect(await sato.ok(api.registerQueue, { event_types: ['message'] })).not.toHaveProperty(list);
  expect(await sato.ok(api.registerQueue, { fetch_event_types: [list] })).toMatchObject({ [list]: [] });
});

it('Calls about streams do not list a direct conversation, and refuse its id', async () => {
  const { server, send, stateOf } = await setup();
  const before = await stateOf('sato');
  const { id } = await send('tanaka', ['sato'], '一');
  const after = await stateOf('sato');
  for (const key of ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'] as const) {
    expect(after[key]).toEqual(before[key]);
  }
  const sato = eg.signIn(server, 'sato');
  expect((await sato.ok(api.getSubscriptions, {})).subscriptions).toHaveLength(before.subscriptions?.length ?? 0);
  const conversation = (await fetchOne(sato, id))?.recipient_id ?? 0;
  const sending = { type: 'stream', to: String(conversation), topic: 't', content: 'c' };
  expect(await sato.refused(api.sendMessage, sending)).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  const narrow = [{ operator: 'stream', operand: conversation }];
  expect(await sato.refused(api.getMessages, { ...everything, narrow })).toMatchObject({ code: 'BAD_NARROW' });
});
