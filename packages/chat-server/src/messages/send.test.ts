import {
  addressStream,
  deactivateUser,
  getMessages,
  maxMessageLength,
  sendMessage,
  truncationNotice,
  unsubscribe,
} from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { leaves } from '../testing/membership.ts';

const toGeneral = { type: 'stream', to: eg.general, topic: 'stream events', content: 'おはようございます' } as const;

const badRequest = { status: 400, code: 'BAD_REQUEST' };

async function fetchOne(client: eg.Client, id: number) {
  const options = { anchor: String(id), num_before: 0, num_after: 0, apply_markdown: false };
  const { messages } = await client.ok(getMessages, options);
  return messages[0];
}

type Change = Partial<Record<keyof typeof toGeneral, string>>;

async function setup(name: string) {
  const server = await eg.server();
  const client = eg.signIn(server, name);
  return {
    server,
    fetchOne: async (change: Change) => {
      const { id } = await client.ok(sendMessage, { ...toGeneral, ...change });
      return fetchOne(client, id);
    },
    refused: (change: Change) => client.refused(sendMessage, { ...toGeneral, ...change }),
  };
}

it('[R1.7] [R7.7] POST /messages sends a message to a stream, and its subscribers can read it', async () => {
  const server = await eg.server();
  const { id } = await eg.signIn(server, 'tanaka').ok(sendMessage, toGeneral);
  expect(await fetchOne(eg.signIn(server, 'sato'), id)).toEqual({
    id,
    type: 'stream',
    sender_id: server.user('tanaka'),
    sender_email: 'tanaka@example.com',
    sender_full_name: '田中 太郎',
    sender_realm_str: '',
    avatar_url: '/avatars/tanaka.png',
    client: 'Engawa',
    timestamp: server.clock.now() / 1000,
    content: 'おはようございます',
    content_type: 'text/x-markdown',
    is_me_message: false,
    recipient_id: server.stream(eg.general),
    display_recipient: eg.general,
    stream_id: server.stream(eg.general),
    subject: 'stream events',
    topic_links: [],
    reactions: [],
    submessages: [],
    flags: [],
  });
});

it('POST /messages marks a new message as read for its sender, unless the parameter read_by_sender is false', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const { id } = await tanaka.ok(sendMessage, toGeneral);
  expect((await fetchOne(tanaka, id))?.flags).toEqual(['read']);
  const unread = await tanaka.ok(sendMessage, { ...toGeneral, read_by_sender: false });
  expect((await fetchOne(tanaka, unread.id))?.flags).toEqual([]);
});

it('POST /messages does not mark earlier messages of the stream as read for the sender', async () => {
  const server = await eg.server();
  const { id } = await eg.signIn(server, 'sato').ok(sendMessage, toGeneral);
  const tanaka = eg.signIn(server, 'tanaka');
  await tanaka.ok(sendMessage, toGeneral);
  expect((await fetchOne(tanaka, id))?.flags).toEqual([]);
});

it('[R6.1] POST /messages refuses a sender who was deactivated earlier in the same turn of the event loop', async () => {
  const server = await eg.server();
  const [, refusal] = await Promise.all([
    eg.signIn(server, 'tanaka').ok(deactivateUser, { user_id: server.user('suzuki') }),
    eg.signIn(server, 'suzuki').refused(sendMessage, toGeneral),
  ]);
  expect(refusal).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
});

it('[R6.1] POST /messages refuses a sender of earlier messages after their account or membership ends, also in the same turn', async () => {
  const server = await eg.server();
  const [tanaka, suzuki, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'suzuki'), eg.signIn(server, 'sato')];
  for (const sender of [suzuki, sato]) await sender.ok(sendMessage, toGeneral);
  const [, , ended, left] = await Promise.all([
    tanaka.ok(deactivateUser, { user_id: server.user('suzuki') }),
    sato.ok(unsubscribe, { subscriptions: [eg.general] }),
    suzuki.refused(sendMessage, toGeneral),
    sato.refused(sendMessage, toGeneral),
  ]);
  expect(ended).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
  expect(left).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  expect(await sato.refused(sendMessage, toGeneral)).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
});

it.each(['stream', 'channel'])('POST /messages accepts the message type %s', async (type) => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  expect(await sendAndFetch({ type })).toMatchObject({ type: 'stream' });
});

it('POST /messages refuses an unknown message type', async () => {
  const { refused } = await setup('tanaka');
  expect(await refused({ type: 'letter' })).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid type' });
});

it.each(['queue_id', 'local_id'])('POST /messages refuses the parameter %s if it is longer than 100 characters', async (name) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const refusal = await tanaka.refused(sendMessage, { ...toGeneral, [name]: 'x'.repeat(101) });
  expect(refusal).toMatchObject({ ...badRequest, msg: `${name} is too long (limit: 100 characters)` });
});

it.each(['type', 'content'])('POST /messages refuses a call without the parameter %s', async (missing) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { [missing]: _, ...form }: Record<string, string> = toGeneral;
  const refusal = eg.refusal(await tanaka.raw({ method: 'POST', path: '/messages', form }));
  expect(refusal).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: missing });
});

it.each([
  ['by its name', () => eg.general],
  ['by its name with space around it', () => ` ${eg.general} `],
  ['by its name as JSON', () => JSON.stringify(eg.general)],
  ['by its id', (server: eg.Server) => String(server.stream(eg.general))],
  ['by its name in a list of one', () => JSON.stringify([eg.general])],
  ['by its id in a list of one', (server: eg.Server) => JSON.stringify([server.stream(eg.general)])],
])('POST /messages finds a stream that is addressed %s', async (_, to) => {
  const { server, fetchOne: sendAndFetch } = await setup('tanaka');
  expect(await sendAndFetch({ to: to(server) })).toMatchObject({ stream_id: server.stream(eg.general) });
});

it('POST /messages finds a stream by its name in another letter case or character width', async () => {
  const organisation = eg.organisation();
  const [stream] = organisation.streams;
  if (!stream) throw new Error('this test needs a stream');
  const server = await eg.server({ organisation: { ...organisation, streams: [{ ...stream, name: 'Design ギルド' }] } });
  const tanaka = eg.signIn(server, 'tanaka');
  for (const to of ['design ギルド', 'ＤＥＳＩＧＮ ｷﾞﾙﾄﾞ', '"DESIGN ギルド"']) {
    const { id } = await tanaka.ok(sendMessage, { ...toGeneral, to });
    expect(await fetchOne(tanaka, id)).toMatchObject({ display_recipient: 'Design ギルド' });
  }
});

it('POST /messages finds a stream whose name looks like an id only if the name is in quotation marks', async () => {
  const { server, fetchOne: sendAndFetch, refused } = await setup('tanaka');
  expect(await sendAndFetch({ to: addressStream(eg.numbered) })).toMatchObject({ stream_id: server.stream(eg.numbered) });
  expect(await refused({ to: eg.numbered })).toMatchObject({
    code: 'STREAM_DOES_NOT_EXIST',
    msg: "Stream with ID '123' does not exist",
    stream_id: 123,
  });
});

it('POST /messages refuses a stream name or id that does not exist', async () => {
  const { refused } = await setup('tanaka');
  expect(await refused({ to: '"存在しない"' })).toMatchObject({
    status: 400,
    code: 'STREAM_DOES_NOT_EXIST',
    msg: "Stream '存在しない' does not exist",
    stream: '存在しない',
  });
  expect(await refused({ to: '987' })).toMatchObject({ status: 400, code: 'STREAM_DOES_NOT_EXIST', stream_id: 987 });
});

it('[R6.1] POST /messages refuses a sender who does not subscribe to the stream or has left it', async () => {
  const { server, refused } = await setup('sato');
  expect(await refused({ to: eg.board })).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  expect(await refused({ to: String(server.stream(eg.board)) })).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  await leaves(server, 'sato', eg.general);
  expect(await refused({})).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream: eg.general });
});

it.each(['', '  ', '""', '"　"'])('POST /messages refuses a blank stream name: “%s”', async (to) => {
  const { refused } = await setup('tanaka');
  expect(await refused({ to })).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Missing stream' });
});

it('POST /messages refuses a stream message without the name or id of a stream', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { to: _, ...without } = toGeneral;
  expect(await tanaka.refused(sendMessage, without)).toMatchObject({ ...badRequest, msg: 'Missing stream' });
});

it.each(['null', 'true', '{}', '[]', '["a","b"]', '[[1]]', '1.5', '1e999'])(
  'POST /messages refuses a stream that is given in an invalid type: %s',
  async (to) => {
    const { refused } = await setup('tanaka');
    expect(await refused({ to })).toMatchObject({ ...badRequest, msg: 'Invalid data type for stream' });
  },
);

it('POST /messages removes spaces around a topic', async () => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  expect(await sendAndFetch({ topic: '　お昼 ' })).toMatchObject({ subject: 'お昼' });
});

it('POST /messages stores a topic of 60 characters unchanged, even if they are emoji', async () => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  expect(await sendAndFetch({ topic: '🍵'.repeat(60) })).toMatchObject({ subject: '🍵'.repeat(60) });
});

it('POST /messages truncates a topic of more than 60 characters to 57 characters and three dots', async () => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  expect(await sendAndFetch({ topic: '🍵'.repeat(61) })).toMatchObject({ subject: `${'🍵'.repeat(57)}...` });
});

it('POST /messages refuses a stream message without a topic', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { topic: _, ...without } = toGeneral;
  expect(await tanaka.refused(sendMessage, without)).toMatchObject({ ...badRequest, msg: 'Missing topic' });
});

it.each(['', '  ', '　', '(no topic)'])('POST /messages refuses an empty topic: “%s”', async (topic) => {
  const { refused } = await setup('tanaka');
  expect(await refused({ topic })).toMatchObject({ status: 400, msg: 'Topics are required in this organization' });
});

it.each([
  ['a line break', '一\n二', 2],
  ['a null byte', '🍵\0', 2],
  ['a noncharacter', '一二\u{FFFFF}', 3],
])('POST /messages refuses a topic that contains %s', async (_, topic, position) => {
  const { refused } = await setup('tanaka');
  const msg = `Invalid character in topic, at position ${position}!`;
  expect(await refused({ topic })).toMatchObject({ ...badRequest, msg });
});

it('POST /messages stores content of 10,000 characters unchanged, even if they are emoji', async () => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  const longest = '🍵'.repeat(maxMessageLength);
  expect((await sendAndFetch({ content: longest }))?.content).toBe(longest);
});

it('POST /messages truncates longer content to 10,000 characters including a notice, without splitting a character', async () => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  const content = (await sendAndFetch({ content: '🍵'.repeat(maxMessageLength + 1) }))?.content ?? '';
  expect([...content]).toHaveLength(maxMessageLength);
  expect(content).toBe('🍵'.repeat(maxMessageLength - truncationNotice.length) + truncationNotice);
});

it('POST /messages removes blank lines before the content and space after it', async () => {
  const { fetchOne: sendAndFetch } = await setup('tanaka');
  expect(await sendAndFetch({ content: '\n \t\n  一\n\n二　\n ' })).toMatchObject({ content: '  一\n\n二' });
});

it.each(['', ' ', '　', '\n\t\r\n'])('POST /messages refuses blank content: “%s”', async (content) => {
  const { refused } = await setup('tanaka');
  expect(await refused({ content })).toMatchObject({ ...badRequest, msg: 'Message must not be empty' });
});

it('POST /messages refuses content with null bytes', async () => {
  const { refused } = await setup('tanaka');
  const msg = 'Message must not contain null bytes';
  expect(await refused({ content: 'a\0b' })).toMatchObject({ ...badRequest, msg });
});
