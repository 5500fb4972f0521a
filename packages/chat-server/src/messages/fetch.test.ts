import {
  type ParametersIn,
  checkMessagesMatchNarrow,
  editMessage,
  getMessages,
  maxMessagesPerFlagCall,
  newestAnchor,
  registerQueue,
  sendMessage,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
} from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Value } from '../database/index.ts';
import { reactions } from '../reactions/store.ts';
import { queries } from '../schema.ts';
import { expectedRange } from '../testing/expectedRange.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';

type Options = ParametersIn<typeof getMessages>;
const everything = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false } as const;

async function contents(client: eg.Client, options: Partial<Options> = {}): Promise<string[]> {
  const { messages } = await client.ok(getMessages, { ...everything, ...options });
  return messages.map(({ content }) => content);
}

/** Seven messages, of which sato can see five: one is deleted, and one is in a stream outside hers. */
const withHistory = eg.organisation({
  messages: [
    eg.pastMessage('a', { topic: '昼食' }),
    eg.pastMessage('b', { stream: eg.personnel, by: 'sato' }),
    eg.pastMessage('c', { deleted: true, topic: '昼食' }),
    eg.pastMessage('d', { by: 'suzuki', topic: '昼食' }),
    eg.pastMessage('hidden', { by: 'suzuki', stream: eg.board }),
    eg.pastMessage('e', { by: 'sato', topic: 'Lunch' }),
    eg.pastMessage('f', { topic: 'lunch' }),
  ],
  unread: [{ email: eg.emailOf('sato'), stream: eg.general, count: 2 }],
});

async function setup() {
  const server = await eg.server({ organisation: withHistory });
  return { server, sato: eg.signIn(server, 'sato') };
}

it('[R7.7] GET /messages returns the newest messages of a stream as source text', async () => {
  const { sato } = await setup();
  const answer = await sato.ok(getMessages, {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'stream', operand: eg.general }],
  });
  const found = { anchor: newestAnchor, found_newest: true, found_oldest: true, history_limited: false };
  expect(answer).toMatchObject(found);
  expect(answer.messages.map(({ content }) => content)).toEqual(['a', 'd', 'e', 'f']);
  expect(answer.messages.map(({ content_type }) => content_type)).toContain('text/x-markdown');
});

it('[R6.1] GET /messages without a narrow (filter) returns all messages that the caller received, and no others', async () => {
  const { server, sato } = await setup();
  expect(await contents(sato)).toEqual(['a', 'b', 'd', 'e', 'f']);
  expect(await contents(eg.signIn(server, 'takahashi'))).toEqual(['a', 'd', 'e', 'f']);
  expect(await contents(eg.signIn(server, 'ito'))).toEqual([]);
});

it('[R2.9.1] GET /messages returns in oldest_examined the id from which the next call can continue', async () => {
  const { server, sato } = await setup();
  const page = async (options: Partial<Options>) => {
    const { oldest_examined, messages } = await sato.ok(getMessages, { ...everything, num_after: 0, ...options });
    return { oldest_examined, contents: messages.map(({ content }) => content) };
  };
  const [a, , , , , e] = server.messages;
  expect(await page({ anchor: 'newest', num_before: 2 })).toEqual({ oldest_examined: e, contents: ['e', 'f'] });
  const rest = { anchor: String(e), include_anchor: false };
  expect(await page({ ...rest, num_before: 3 })).toEqual({ oldest_examined: a, contents: ['a', 'b', 'd'] });
  expect(await page({ ...rest, num_before: 4 })).toEqual({ oldest_examined: undefined, contents: ['a', 'b', 'd'] });
  expect(await page({ ...rest, num_before: 0 })).toEqual({ oldest_examined: undefined, contents: [] });
});

it('GET /messages returns the same messages before and after every anchor (message id) as a simple model', async () => {
  const { server, sato } = await setup();
  const visible = (await sato.ok(getMessages, everything)).messages.map(({ id }) => id);
  const first = server.messages[0] ?? 0;
  for (const anchor of [-5, 0, ...server.messages, first + 100, newestAnchor - 2, newestAnchor, 2 * newestAnchor]) {
    for (const num_before of [0, 1, 2, 9]) {
      for (const num_after of [0, 1, 2, 9]) {
        for (const include_anchor of num_before > 0 && num_after > 0 ? [true] : [true, false]) {
          const options = { anchor: String(anchor), num_before, num_after, include_anchor };
          const { messages, ...found } = await sato.ok(getMessages, options);
          const answer = { ...found, ids: messages.map(({ id }) => id) };
          expect(answer, JSON.stringify(options)).toEqual(expectedRange(visible, { ...options, anchor }));
        }
      }
    }
  }
});

it('GET /messages with the anchor "oldest" begins at the first message', async () => {
  const { sato } = await setup();
  const answer = await sato.ok(getMessages, { anchor: 'oldest', num_before: 3, num_after: 2, apply_markdown: false });
  expect(answer).toMatchObject({ anchor: 0, found_anchor: false, found_oldest: true, found_newest: false });
  expect(answer.messages.map(({ content }) => content)).toEqual(['a', 'b']);
});

it('[R2.9.1] GET /messages with a date or time as the anchor begins at the first message sent since then', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const ids: number[] = [];
  // The clock starts at midnight (UTC) of 20 November 2026.
  for (const hours of [0, 1, 23, 24]) {
    await server.clock.jump(Math.max(hours * 3600 + Date.UTC(2026, 10, 20) / 1000 - server.clock.now() / 1000, 0));
    ids.push((await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 'x', content: `${hours}` })).id);
  }
  const at = async (anchor_date: string) =>
    (await tanaka.ok(getMessages, { anchor: 'date', anchor_date, num_before: 0, num_after: 0 })).anchor;
  expect(await at('2026-11-20')).toBe(ids[0]);
  expect(await at('2026-11-20T00:00:01Z')).toBe(ids[1]);
  expect(await at('2026-11-20T01:00:00')).toBe(ids[1]);
  expect(await at('2026-11-20T10:00:00+09:00')).toBe(ids[1]);
  expect(await at('2026-11-20T10:00:01+09:00')).toBe(ids[2]);
  expect(await at('2026-11-21')).toBe(ids[3]);
  expect(await at('1970-01-01')).toBe(ids[0]);
  expect(await at('2026-11-22')).toBe(newestAnchor);
  const before = { anchor: 'date', anchor_date: '2026-11-21', include_anchor: false, num_before: 2, num_after: 0 };
  const { messages } = await tanaka.ok(getMessages, before);
  expect(messages.map(({ id }) => id)).toEqual(ids.slice(1, 3));
});

it('[R2.9.1] GET /messages with a date as the anchor begins at the newest message if none was sent since then', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const options = { anchor: 'date', anchor_date: '2026-11-20', num_before: 0, num_after: 0 };
  expect((await tanaka.ok(getMessages, options)).anchor).toBe(newestAnchor);
});

it.each([undefined, '', 'yesterday', '2026-13-40', '1', '2026-11-20T25:00:00Z', '20 November 2026'])(
  'GET /messages refuses %j as a date',
  async (anchor_date) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const options = { anchor: 'date', num_before: 1, num_after: 0, ...(anchor_date === undefined ? {} : { anchor_date }) };
    expect(await tanaka.refused(getMessages, options)).toMatchObject({ code: 'BAD_REQUEST' });
  },
);

it('GET /messages with the anchor "first_unread" begins at the oldest unread message that matches the narrow (filter)', async () => {
  const { server, sato } = await setup();
  const firstUnread = async (narrow: Options['narrow'] = []) =>
    (await sato.ok(getMessages, { anchor: 'first_unread', num_before: 0, num_after: 0, narrow })).anchor;
  expect(await firstUnread()).toBe(server.messages[3]);
  expect(await firstUnread([{ operator: 'topic', operand: 'lunch' }])).toBe(server.messages[6]);
  expect(await firstUnread([{ operator: 'stream', operand: eg.personnel }])).toBe(newestAnchor);
  const older = { num_before: 0, num_after: 0, use_first_unread_anchor: true };
  expect(await sato.ok(getMessages, older)).toMatchObject({ anchor: server.messages[3], found_anchor: true });
  expect(await sato.ok(getMessages, { ...older, anchor: 'newest' })).toMatchObject({ anchor: server.messages[3] });
});

it('GET /messages with the anchor "first_unread" ignores muted streams, and begins at the newest message if all is read', async () => {
  const { server, sato } = await setup();
  const { database } = fileOf(server);
  await database.write((tx) => mute(tx, server.user('sato')));
  const options = { anchor: 'first_unread', num_before: 1, num_after: 1, apply_markdown: false };
  const answer = await sato.ok(getMessages, options);
  expect(answer.anchor).toBe(newestAnchor);
  expect(answer.messages.map(({ content }) => content)).toEqual(['f']);
});

it.each([
  [{}, "Missing 'anchor' argument."],
  [{ anchor: '' }, 'Invalid anchor'],
  [{ anchor: 'middle' }, 'Invalid anchor'],
  [{ anchor: '1.5' }, 'Invalid anchor'],
  [{ anchor: '1e3' }, 'Invalid anchor'],
  [{ anchor: '--1' }, 'Invalid anchor'],
  [{ anchor: '1', num_before: 2501, num_after: 2500 }, 'Too many messages requested (maximum 5000).'],
  [{ anchor: '1', include_anchor: false }, 'The anchor can only be excluded at an end of the range'],
])('GET /messages refuses %j: %s', async (options, msg) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const refusal = await tanaka.refused(getMessages, { num_before: 1, num_after: 1, ...options });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it('GET /messages accepts an anchor of any number of digits', async () => {
  const { sato } = await setup();
  const at = async (anchor: string) => (await sato.ok(getMessages, { anchor, num_before: 0, num_after: 0 })).anchor;
  expect(await at('9'.repeat(400))).toBe(newestAnchor);
  expect(await at(`-${'9'.repeat(400)}`)).toBe(0);
  expect(await at('10000000000000001')).toBe(newestAnchor);
});

it('GET /messages accepts a request for 5,000 messages', async () => {
  const { sato } = await setup();
  expect(await contents(sato, { anchor: 'newest', num_before: 5000, num_after: 0 })).toHaveLength(5);
});

const mute = queries.run((query, userId: Value<number>) =>
  query.updateTable('membership').set({ is_muted: 1 }).where('user_id', '=', userId),
);

async function fetchNarrowed(narrow: Options['narrow']) {
  const { server, sato } = await setup();
  return { server, contents: await contents(sato, { narrow }) };
}

it.each(['stream', 'channel'])('A narrow (filter) by %s accepts the name or the id of a stream', async (operator) => {
  const { server, contents: byName } = await fetchNarrowed([{ operator, operand: ` ${eg.general} ` }]);
  expect(byName).toEqual(['a', 'd', 'e', 'f']);
  expect((await fetchNarrowed([{ operator, operand: server.stream(eg.personnel) }])).contents).toEqual(['b']);
});

it('A narrow (filter) by stream finds a stream by its name even if the name looks like an id', async () => {
  const organisation = eg.organisation({ messages: [eg.pastMessage('x', { stream: eg.numbered })] });
  const server = await eg.server({ organisation });
  for (const operand of ['123', '１２３']) {
    expect(await contents(eg.signIn(server, 'tanaka'), { narrow: [{ operator: 'stream', operand }] })).toEqual(['x']);
  }
});

it.each(['topic', 'subject'])('A narrow (filter) by %s ignores the letter case of the topic', async (operator) => {
  expect((await fetchNarrowed([{ operator, operand: 'LUNCH' }])).contents).toEqual(['e', 'f']);
  expect((await fetchNarrowed([{ operator, operand: '夕食' }])).contents).toEqual([]);
});

it('A narrow (filter) by sender accepts the email address or the id of a member', async () => {
  const { server, contents: byAddress } = await fetchNarrowed([{ operator: 'sender', operand: 'SATO@example.com' }]);
  expect(byAddress).toEqual(['b', 'e']);
  expect((await fetchNarrowed([{ operator: 'sender', operand: server.user('suzuki') }])).contents).toEqual(['d']);
});

it('A narrow (filter) with several terms finds only messages that match all of them', async () => {
  const terms = [
    { operator: 'stream', operand: eg.general },
    { operator: 'topic', operand: '昼食' },
    { operator: 'sender', operand: 'tanaka@example.com' },
  ];
  expect((await fetchNarrowed(terms)).contents).toEqual(['a']);
});

it.each([
  ['stream', eg.general, eg.personnel],
  ['topic', '昼食', 'lunch'],
  ['sender', 'tanaka@example.com', 'sato@example.com'],
])('A narrow (filter) with two different operands of %s finds nothing', async (operator, one, other) => {
  for (const operands of [
    [one, other],
    [other, one],
  ]) {
    const narrow = operands.map((operand) => ({ operator, operand }));
    expect((await fetchNarrowed(narrow)).contents).toEqual([]);
  }
});

it('A narrow (filter) that contains a term twice finds the same messages as with the term once', async () => {
  const twice = [
    { operator: 'stream', operand: eg.personnel },
    { operator: 'channel', operand: eg.personnel },
  ];
  expect((await fetchNarrowed(twice)).contents).toEqual(['b']);
});

/** 600 messages, and a function that fetches as many. */
async function setupMany() {
  const many = Array.from({ length: 600 }, () => eg.pastMessage('縁', { topic: '0' }));
  const server = await eg.server({ organisation: eg.organisation({ messages: many }) });
  const tanaka = eg.signIn(server, 'tanaka');
  const fetch = (range: Partial<Options> = {}) =>
    tanaka.ok(getMessages, { anchor: 'newest', num_before: 600, num_after: 0, ...range });
  expect((await fetch()).messages).toHaveLength(600);
  return { server, tanaka, fetch };
}

it('GET /messages answers fewer messages if their edit histories are long, and the next call the others', async () => {
  const { server, tanaka, fetch } = await setupMany();
  const [message_id = 0] = server.messages;
  for (let number = 1; number <= 10; number += 1) {
    await tanaka.ok(editMessage, { message_id, topic: `${number}`, propagate_mode: 'change_all' });
  }
  const { messages, found_oldest } = await fetch();
  expect(found_oldest).toBe(false);
  expect(messages.length).toBeLessThan(510);
  const [first] = messages;
  const older = await fetch({ anchor: String(first?.id), include_anchor: false });
  expect([...older.messages, ...messages].map(({ id }) => id)).toEqual(server.messages);
});

it('GET /messages answers fewer messages if they have many reactions', async () => {
  const { server, fetch } = await setupMany();
  const user_id = server.user('tanaka');
  await fileOf(server).database.write((tx) => {
    for (const message_id of server.messages) {
      for (let number = 0; number < 10; number += 1) {
        const emoji = { emoji_name: 'tea', emoji_code: `1f37${number}`, reaction_type: 'unicode_emoji' } as const;
        reactions.insert(tx, { message_id, user_id, ...emoji });
      }
    }
  });
  const { messages, found_oldest } = await fetch();
  expect(found_oldest).toBe(false);
  expect(messages.length).toBeLessThan(510);
});

it('GET /messages accepts a narrow (filter) that is written as a list of pairs', async () => {
  expect(
    (
      await fetchNarrowed([
        ['stream', eg.general],
        ['topic', 'lunch'],
      ])
    ).contents,
  ).toEqual(['e', 'f']);
});

it.each([
  [{ operator: 'stream', operand: '存在しない' }, 'unknown stream 存在しない'],
  [{ operator: 'stream', operand: 987 }, 'unknown stream 987'],
  [{ operator: 'stream', operand: [1] }, 'unknown stream 1'],
  [{ operator: 'sender', operand: 'nobody@example.com' }, 'unknown user nobody@example.com'],
  [{ operator: 'sender', operand: 987 }, 'unknown user 987'],
  [{ operator: 'colour', operand: 'red' }, 'unknown operator colour'],
])('GET /messages refuses a narrow (filter) with an invalid term: %j', async (term, desc) => {
  const { sato } = await setup();
  const refusal = await sato.refused(getMessages, { ...everything, narrow: [term] });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_NARROW', msg: `Invalid narrow operator: ${desc}`, desc });
});

/** ito joins a stream after one message and before another. */
async function setupJoinedLater(stream: string) {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const send = (content: string) => tanaka.ok(sendMessage, { type: 'stream', to: stream, topic: 't', content });
  await send('before');
  await joins(server, 'ito', stream);
  await send('after');
  return { server, send, ito: eg.signIn(server, 'ito'), narrow: [{ operator: 'stream', operand: stream }] };
}

it('A new subscriber of a stream with shared history sees its earlier messages, with the flag historical', async () => {
  const { ito, narrow } = await setupJoinedLater(eg.general);
  const { messages } = await ito.ok(getMessages, { ...everything, narrow });
  expect(messages.map(({ content, flags }) => [content, flags])).toEqual([
    ['before', ['read', 'historical']],
    ['after', []],
  ]);
  expect(await contents(ito)).toEqual(['after']);
});

it('[R6.1] A new subscriber of a stream with protected history does not see its earlier messages', async () => {
  const { ito, narrow } = await setupJoinedLater(eg.personnel);
  expect(await contents(ito, { narrow })).toEqual(['after']);
  const answer = await ito.ok(getMessages, { anchor: '1', num_before: 5, num_after: 5, narrow });
  expect(answer).toMatchObject({ found_oldest: true, found_anchor: false });
});

it('[R6.1] A member who joins a stream and leaves it can no longer fetch its messages', async () => {
  const { server, ito, narrow } = await setupJoinedLater(eg.general);
  await leaves(server, 'ito', eg.general);
  expect(await contents(ito)).toEqual([]);
  expect(await ito.refused(getMessages, { ...everything, narrow })).toMatchObject({ code: 'BAD_NARROW' });
});

it('[R6.1] A member who leaves and rejoins a stream with protected history does not see the messages sent in between', async () => {
  const { server, send, ito, narrow } = await setupJoinedLater(eg.personnel);
  await leaves(server, 'ito', eg.personnel);
  await send('in between');
  await joins(server, 'ito', eg.personnel);
  await send('again');
  expect(await contents(ito, { narrow })).toEqual(['after', 'again']);
  expect(await contents(ito, { narrow, anchor: 'newest', num_before: 9, num_after: 0 })).toEqual(['after', 'again']);
});

it('max_message_id of POST /register is the newest message that the member received in their current streams', async () => {
  const { server, send, ito } = await setupJoinedLater(eg.personnel);
  const newest = async () => (await ito.ok(registerQueue, { event_types: ['message'] })).max_message_id;
  const received = await newest();
  expect(received).toBeGreaterThan(0);
  await leaves(server, 'ito', eg.personnel);
  expect(await newest()).toBe(-1);
  await send('in between');
  await joins(server, 'ito', eg.personnel);
  expect(await newest()).toBe(received);
  const { id } = await send('again');
  expect(await newest()).toBe(id);
});

it('GET /messages omits deleted messages, and returns them as placeholders with include_deleted', async () => {
  const { server, sato } = await setup();
  expect(await contents(sato)).toEqual(['a', 'b', 'd', 'e', 'f']);
  const { messages } = await sato.ok(getMessages, { ...everything, include_deleted: true });
  expect(messages.map(({ id, content, deleted }) => [id, content, deleted])).toEqual([
    [server.messages[0], 'a', undefined],
    [server.messages[1], 'b', undefined],
    [server.messages[2], '', true],
    [server.messages[3], 'd', undefined],
    [server.messages[5], 'e', undefined],
    [server.messages[6], 'f', undefined],
  ]);
});

it('GET /messages counts deleted messages in num_before only with include_deleted', async () => {
  const { server, sato } = await setup();
  const options = { anchor: String(server.messages[3]), num_before: 1, num_after: 0, apply_markdown: false };
  expect(await contents(sato, { ...options, narrow: [['topic', '昼食']] })).toEqual(['a', 'd']);
  expect(await contents(sato, { ...options, narrow: [['topic', '昼食']], include_deleted: true })).toEqual(['', 'd']);
  const at = { anchor: String(server.messages[2]), num_before: 0, num_after: 0 };
  expect(await sato.ok(getMessages, at)).toMatchObject({ found_anchor: false, messages: [] });
});

const linkTo = (url: string): string => `<a href="${url}">${url}</a>`;
const marks = ['<', '>', '"', "'", '&', '`', ' ', '\n', '\n\n', '=', '/'];
const pieces = [...marks, 'http://', 'https://a', 'javascript:', 'on', '縁', '<a href="'];

it.each([
  ['<script>alert(1)</script>', '<p>&#60;script&#62;alert(1)&#60;/script&#62;</p>'],
  [`<img src=x onerror='alert("1")'>`, '<p>&#60;img src=x onerror=&#39;alert(&#34;1&#34;)&#39;&#62;</p>'],
  ['&lt;b&gt;', '<p>&#38;lt;b&#38;gt;</p>'],
  ['a\nb\n\n\nc', '<p>a<br>\nb</p>\n<p>c</p>'],
  ['javascript:alert(1)', '<p>javascript:alert(1)</p>'],
  ['見て→https://x.example/?a=1&b=2。', `<p>見て→${linkTo('https://x.example/?a=1&#38;b=2')}。</p>`],
  ['https://x.example/" on="alert(1)', `<p>${linkTo('https://x.example/')}&#34; on=&#34;alert(1)</p>`],
  [`https://x.example/'><svg/on=a()>`, `<p>${linkTo('https://x.example/')}&#39;&#62;&#60;svg/on=a()&#62;</p>`],
  ['https://a.example https://b.example', `<p>${linkTo('https://a.example')} ${linkTo('https://b.example')}</p>`],
])('[R5.3.2] GET /messages escapes HTML that a member typed into a message: %s', async (content, html) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: '<b>', content });
  const { messages } = await tanaka.ok(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
  expect(messages).toMatchObject([{ content: html, content_type: 'text/html', subject: '<b>' }]);
});

it('[R5.3.2] GET /messages returns only known HTML tags and attributes, whatever the source text of a message contains', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const content = Array.from({ length: 900 }, (_, step) => pieces[(step * step + step * 7) % pieces.length]).join('');
  const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content });
  const { messages } = await tanaka.ok(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
  const html = messages[0]?.content ?? '';
  expect(html).toContain('&#60;');
  expect(html.replace(/<\/?p>|<br>|<a href="https?:\/\/[^"<>]+">|<\/a>/g, '')).not.toMatch(/[<>"']/);
});

it('GET /messages returns the flags of the member who calls, not those of other members', async () => {
  const { server, sato } = await setup();
  const [first = 0] = server.messages;
  await sato.ok(updateMessageFlags, { messages: [first], op: 'add', flag: 'starred' });
  const flags = async (client: eg.Client) =>
    (await client.ok(getMessages, { anchor: String(first), num_before: 0, num_after: 0 })).messages[0]?.flags;
  expect(await flags(sato)).toEqual(['read', 'starred']);
  expect(await flags(eg.signIn(server, 'tanaka'))).toEqual(['read']);
});

it('GET /messages with message_ids returns these messages in order, without counts, and none that the caller may not read', async () => {
  const { server, sato } = await setup();
  const [a = 0, b = 0, c = 0, , hidden = 0, , f = 0] = server.messages;
  const at = { message_ids: [f, hidden, a, c, a, 999_999], apply_markdown: false };
  expect(await sato.ok(getMessages, at)).toMatchObject({ anchor: a, messages: [{ id: a }, { id: f }] });
  const narrow: Options['narrow'] = [{ operator: 'stream', operand: eg.general }];
  expect((await sato.ok(getMessages, { message_ids: [a, b, f], narrow })).messages.map(({ id }) => id)).toEqual([a, f]);
  expect((await sato.ok(getMessages, { message_ids: [hidden, 999_999] })).messages).toEqual([]);
  expect((await sato.ok(getMessages, { message_ids: [] })).messages).toEqual([]);
});

it('GET /messages requires the counts or message_ids, not both, and at most 5,000 ids', async () => {
  const { sato } = await setup();
  expect(await sato.refused(getMessages, { anchor: 'newest', num_after: 0 })).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'num_before',
  });
  expect(await sato.refused(getMessages, { message_ids: [1], num_before: 0, num_after: 0 })).toMatchObject({
    msg: 'Unsupported parameter combination: message_ids, num_before',
  });
  const message_ids = Array.from({ length: 5001 }, (_, id) => id);
  expect(await sato.refused(getMessages, { message_ids })).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  expect((await sato.ok(getMessages, { message_ids: message_ids.slice(1) })).messages).toHaveLength(5);
});

it('GET /messages/matches_narrow returns, with the found words marked, those of the messages that match and may be read', async () => {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const send = async (content: string, to: string) =>
    (await eg.signIn(server, 'suzuki').ok(sendMessage, { type: 'stream', to, topic: '予定', content })).id;
  const lunch = await send('お昼の予定です', eg.general);
  const other = await send('明日は休みです', eg.general);
  const secret = await send('お昼は会議です', eg.board);
  const msg_ids = [secret, other, lunch, 999_999];
  const narrow: Options['narrow'] = [{ operator: 'search', operand: 'お昼' }];
  expect(await sato.ok(checkMessagesMatchNarrow, { msg_ids, narrow })).toEqual({
    messages: {
      [lunch]: {
        match_content: '<p><span class="highlight">お昼</span>の予定です</p>',
        match_subject: '予定',
      },
    },
  });
  const all = await tanaka.ok(checkMessagesMatchNarrow, { msg_ids, narrow: [] });
  expect(Object.keys(all.messages)).toEqual([String(lunch), String(other)]);
  const unknown = [{ operator: 'nothing', operand: 'x' }];
  expect(await sato.refused(checkMessagesMatchNarrow, { msg_ids, narrow: unknown })).toMatchObject({ code: 'BAD_NARROW' });
  const many = Array.from({ length: 5001 }, (_, id) => id);
  expect(await sato.refused(checkMessagesMatchNarrow, { msg_ids: many, narrow: [] })).toMatchObject({ status: 400 });
});

it('POST /messages/flags/narrow changes a flag of the messages around an anchor that match the narrow', async () => {
  const { sato } = await setup();
  const narrow: Options['narrow'] = [{ operator: 'stream', operand: eg.general }];
  const { messages } = await sato.ok(getMessages, { ...everything, narrow });
  const [a = 0, b = 0, ...others] = messages.map(({ id }) => id);
  expect(others).not.toEqual([]);
  const star = { anchor: 'oldest', num_before: 0, num_after: 2, narrow, op: 'add', flag: 'starred' };
  const starred = async () => (await sato.ok(registerQueue, { fetch_event_types: ['starred_messages'] })).starred_messages;
  expect(await sato.ok(updateMessageFlagsForNarrow, star)).toEqual({
    processed_count: 2,
    updated_count: 2,
    first_processed_id: a,
    last_processed_id: b,
    found_oldest: true,
    found_newest: false,
    ignored_because_not_subscribed_channels: [],
  });
  expect(await starred()).toEqual([a, b]);
  const unstar = { ...star, anchor: String(b), num_before: 5, num_after: 0, include_anchor: false, op: 'remove' };
  expect(await sato.ok(updateMessageFlagsForNarrow, unstar)).toMatchObject({ processed_count: 1, updated_count: 1 });
  expect(await starred()).toEqual([b]);
});

it('POST /messages/flags/narrow reports no processed messages as null, and refuses unknown flags, operations and narrows', async () => {
  const { sato } = await setup();
  const call = { anchor: 'newest', num_before: 9000, num_after: 9000, op: 'add', flag: 'read' };
  const narrow: Options['narrow'] = [{ operator: 'topic', operand: '存在しない' }];
  expect(await sato.ok(updateMessageFlagsForNarrow, { ...call, narrow })).toMatchObject({
    processed_count: 0,
    first_processed_id: null,
    last_processed_id: null,
    found_oldest: true,
    found_newest: true,
  });
  const refused = (change: object) => sato.refused(updateMessageFlagsForNarrow, { ...call, narrow: [], ...change });
  expect(await refused({ flag: 'mentioned' })).toMatchObject({ msg: "Flag not editable: 'mentioned'" });
  expect(await refused({ op: 'set' })).toMatchObject({ msg: "Invalid message flag operation: 'set'" });
  expect(await refused({ num_after: undefined })).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
  expect(await refused({ narrow: [['x', 'y']] })).toMatchObject({ code: 'BAD_NARROW' });
});

it('POST /messages/flags/narrow processes at most 5,000 messages', async () => {
  const messages = Array.from({ length: maxMessagesPerFlagCall + 1 }, (_, index) => eg.pastMessage(`${index}`));
  const sato = eg.signIn(await eg.server({ organisation: eg.organisation({ messages }) }), 'sato');
  const call = { anchor: 'newest', num_before: 9000, num_after: 9000, narrow: [], op: 'add', flag: 'starred' };
  expect(await sato.ok(updateMessageFlagsForNarrow, call)).toMatchObject({
    processed_count: maxMessagesPerFlagCall,
    found_oldest: false,
  });
});
