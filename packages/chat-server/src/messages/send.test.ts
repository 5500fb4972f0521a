import { addressStream, deactivateUser, getMessages, maxMessageLength, sendMessage, truncationNotice } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { leaves } from '../testing/membership.ts';

const toGeneral = { type: 'stream', to: eg.general, topic: 'stream events', content: 'おはようございます' } as const;

const badRequest = { status: 400, code: 'BAD_REQUEST' };

async function kept(client: eg.Client, id: number) {
  const asked = { anchor: String(id), num_before: 0, num_after: 0, apply_markdown: false };
  const { messages } = await client.ok(getMessages, asked);
  return messages[0];
}

type Change = Partial<Record<keyof typeof toGeneral, string>>;

async function sendingAs(name: string) {
  const server = await eg.server();
  const client = eg.signIn(server, name);
  return {
    server,
    kept: async (change: Change) => {
      const { id } = await client.ok(sendMessage, { ...toGeneral, ...change });
      return kept(client, id);
    },
    refused: (change: Change) => client.refused(sendMessage, { ...toGeneral, ...change }),
  };
}

describe('POST /messages', () => {
  it('[R1.7] [R7.7] sends to a stream, and its members read it', async () => {
    const server = await eg.server();
    const { id } = await eg.signIn(server, 'tanaka').ok(sendMessage, toGeneral);
    expect(await kept(eg.signIn(server, 'sato'), id)).toEqual({
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

  it('is read by its sender at once, unless the sender says otherwise', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const { id } = await tanaka.ok(sendMessage, toGeneral);
    expect((await kept(tanaka, id))?.flags).toEqual(['read']);
    const unread = await tanaka.ok(sendMessage, { ...toGeneral, read_by_sender: false });
    expect((await kept(tanaka, unread.id))?.flags).toEqual([]);
  });

  it('does not read what stood unread before it', async () => {
    const server = await eg.server();
    const { id } = await eg.signIn(server, 'sato').ok(sendMessage, toGeneral);
    const tanaka = eg.signIn(server, 'tanaka');
    await tanaka.ok(sendMessage, toGeneral);
    expect((await kept(tanaka, id))?.flags).toEqual([]);
  });

  it('[R6.1] is refused where its sender was deactivated just before it, in the same turn', async () => {
    const server = await eg.server();
    const [, refusal] = await Promise.all([
      eg.signIn(server, 'tanaka').ok(deactivateUser, { user_id: server.user('suzuki') }),
      eg.signIn(server, 'suzuki').refused(sendMessage, toGeneral),
    ]);
    expect(refusal).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
  });

  it.each(['stream', 'channel'])('takes the type %s', async (type) => {
    const { kept: sent } = await sendingAs('tanaka');
    expect(await sent({ type })).toMatchObject({ type: 'stream' });
  });

  it('refuses a type that there is not', async () => {
    const { refused } = await sendingAs('tanaka');
    expect(await refused({ type: 'letter' })).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid type' });
  });

  it.each(['queue_id', 'local_id'])('refuses a %s that no client has, as its event would hold it', async (name) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const refusal = await tanaka.refused(sendMessage, { ...toGeneral, [name]: 'x'.repeat(101) });
    expect(refusal).toMatchObject({ ...badRequest, msg: `${name} is too long (limit: 100 characters)` });
  });

  it.each(['type', 'content'])('asks for the parameter %s', async (missing) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const { [missing]: _, ...form }: Record<string, string> = toGeneral;
    const refusal = eg.refusal(await tanaka.raw({ method: 'POST', path: '/messages', form }));
    expect(refusal).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: missing });
  });
});

describe('a stream is addressed', () => {
  it.each([
    ['by its name', () => eg.general],
    ['by its name with space around it', () => ` ${eg.general} `],
    ['by its name as JSON', () => JSON.stringify(eg.general)],
    ['by its id', (server: eg.Server) => String(server.stream(eg.general))],
    ['by its name in a list of one', () => JSON.stringify([eg.general])],
    ['by its id in a list of one', (server: eg.Server) => JSON.stringify([server.stream(eg.general)])],
  ])('%s', async (_, to) => {
    const { server, kept: sent } = await sendingAs('tanaka');
    expect(await sent({ to: to(server) })).toMatchObject({ stream_id: server.stream(eg.general) });
  });

  it('by its name in another case and width', async () => {
    const organisation = eg.organisation();
    const [stream] = organisation.streams;
    if (!stream) throw new Error('this test needs a stream');
    const server = await eg.server({ organisation: { ...organisation, streams: [{ ...stream, name: 'Design ギルド' }] } });
    const tanaka = eg.signIn(server, 'tanaka');
    for (const to of ['design ギルド', 'ＤＥＳＩＧＮ ｷﾞﾙﾄﾞ', '"DESIGN ギルド"']) {
      const { id } = await tanaka.ok(sendMessage, { ...toGeneral, to });
      expect(await kept(tanaka, id)).toMatchObject({ display_recipient: 'Design ギルド' });
    }
  });

  it('by a quoted name where the name reads like an id', async () => {
    const { server, kept: sent, refused } = await sendingAs('tanaka');
    expect(await sent({ to: addressStream(eg.numbered) })).toMatchObject({ stream_id: server.stream(eg.numbered) });
    expect(await refused({ to: eg.numbered })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      msg: "Stream with ID '123' does not exist",
      stream_id: 123,
    });
  });

  it('in vain by a name or an id that there is not', async () => {
    const { refused } = await sendingAs('tanaka');
    expect(await refused({ to: '"存在しない"' })).toMatchObject({
      status: 400,
      code: 'STREAM_DOES_NOT_EXIST',
      msg: "Stream '存在しない' does not exist",
      stream: '存在しない',
    });
    expect(await refused({ to: '987' })).toMatchObject({ status: 400, code: 'STREAM_DOES_NOT_EXIST', stream_id: 987 });
  });

  it('[R6.1] in vain by one who is not its member, or not any more', async () => {
    const { server, refused } = await sendingAs('sato');
    expect(await refused({ to: eg.board })).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    expect(await refused({ to: String(server.stream(eg.board)) })).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    await leaves(server, 'sato', eg.general);
    expect(await refused({})).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream: eg.general });
  });

  it.each(['', '  ', '""', '"　"'])('not by nothing: “%s”', async (to) => {
    const { refused } = await sendingAs('tanaka');
    expect(await refused({ to })).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Missing stream' });
  });

  it('not by leaving it out', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const { to: _, ...without } = toGeneral;
    expect(await tanaka.refused(sendMessage, without)).toMatchObject({ ...badRequest, msg: 'Missing stream' });
  });

  it.each(['null', 'true', '{}', '[]', '["a","b"]', '[[1]]', '1.5', '1e999'])('not by %s', async (to) => {
    const { refused } = await sendingAs('tanaka');
    expect(await refused({ to })).toMatchObject({ ...badRequest, msg: 'Invalid data type for stream' });
  });
});

describe('a topic', () => {
  it('is trimmed', async () => {
    const { kept: sent } = await sendingAs('tanaka');
    expect(await sent({ topic: '　お昼 ' })).toMatchObject({ subject: 'お昼' });
  });

  it('of 60 characters is kept, also when they are emoji', async () => {
    const { kept: sent } = await sendingAs('tanaka');
    expect(await sent({ topic: '🍵'.repeat(60) })).toMatchObject({ subject: '🍵'.repeat(60) });
  });

  it('of more is cut to 57 and three dots', async () => {
    const { kept: sent } = await sendingAs('tanaka');
    expect(await sent({ topic: '🍵'.repeat(61) })).toMatchObject({ subject: `${'🍵'.repeat(57)}...` });
  });

  it('is asked for', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const { topic: _, ...without } = toGeneral;
    expect(await tanaka.refused(sendMessage, without)).toMatchObject({ ...badRequest, msg: 'Missing topic' });
  });

  it.each(['', '  ', '　', '(no topic)'])('is not nothing: “%s”', async (topic) => {
    const { refused } = await sendingAs('tanaka');
    expect(await refused({ topic })).toMatchObject({ status: 400, msg: 'Topics are required in this organization' });
  });

  it.each([
    ['a line break', '一\n二', 2],
    ['a null byte', '🍵\0', 2],
    ['a character that is none', '一二\u{FFFFF}', 3],
  ])('does not hold %s', async (_, topic, position) => {
    const { refused } = await sendingAs('tanaka');
    const msg = `Invalid character in topic, at position ${position}!`;
    expect(await refused({ topic })).toMatchObject({ ...badRequest, msg });
  });
});

describe('the content of a message', () => {
  it('of 10,000 characters is kept, also when they are emoji', async () => {
    const { kept: sent } = await sendingAs('tanaka');
    const longest = '🍵'.repeat(maxMessageLength);
    expect((await sent({ content: longest }))?.content).toBe(longest);
  });

  it('of more is cut to 10,000 characters together with the notice, and no character is halved', async () => {
    const { kept: sent } = await sendingAs('tanaka');
    const content = (await sent({ content: '🍵'.repeat(maxMessageLength + 1) }))?.content ?? '';
    expect([...content]).toHaveLength(maxMessageLength);
    expect(content).toBe('🍵'.repeat(maxMessageLength - truncationNotice.length) + truncationNotice);
  });

  it('loses the blank lines before it and the blank after it', async () => {
    const { kept: sent } = await sendingAs('tanaka');
    expect(await sent({ content: '\n \t\n  一\n\n二　\n ' })).toMatchObject({ content: '  一\n\n二' });
  });

  it.each(['', ' ', '　', '\n\t\r\n'])('is not nothing: “%s”', async (content) => {
    const { refused } = await sendingAs('tanaka');
    expect(await refused({ content })).toMatchObject({ ...badRequest, msg: 'Message must not be empty' });
  });

  it('does not hold null bytes', async () => {
    const { refused } = await sendingAs('tanaka');
    const msg = 'Message must not contain null bytes';
    expect(await refused({ content: 'a\0b' })).toMatchObject({ ...badRequest, msg });
  });
});
