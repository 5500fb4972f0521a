import { type ParametersIn, getMessages, newestAnchor, registerQueue, sendMessage, updateMessageFlags } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { statement } from '../schema.ts';
import { around } from '../testing/around.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';

type Asked = ParametersIn<typeof getMessages>;
const everything = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false } as const;

async function contents(client: eg.Client, asked: Partial<Asked> = {}): Promise<string[]> {
  const { messages } = await client.ok(getMessages, { ...everything, ...asked });
  return messages.map(({ content }) => content);
}

/** Seven messages of which 佐藤 sees five: one is deleted, one is in a stream that she does not read. */
const withHistory = eg.organisation({
  messages: [
    eg.said('a', { topic: '昼食' }),
    eg.said('b', { stream: eg.personnel, by: 'sato' }),
    eg.said('c', { deleted: true, topic: '昼食' }),
    eg.said('d', { by: 'suzuki', topic: '昼食' }),
    eg.said('hidden', { by: 'suzuki', stream: eg.board }),
    eg.said('e', { by: 'sato', topic: 'Lunch' }),
    eg.said('f', { topic: 'lunch' }),
  ],
  unread: [{ email: eg.emailOf('sato'), stream: eg.general, count: 2 }],
});

async function someHistory() {
  const server = await eg.server({ organisation: withHistory });
  return { server, sato: eg.signIn(server, 'sato') };
}

describe('GET /messages', () => {
  it('[R7.7] answers the newest of a stream by its name, as they were typed', async () => {
    const { sato } = await someHistory();
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

  it('[R6.1] answers without a narrow what I received, of all my streams and no other', async () => {
    const { server, sato } = await someHistory();
    expect(await contents(sato)).toEqual(['a', 'b', 'd', 'e', 'f']);
    expect(await contents(eg.signIn(server, 'takahashi'))).toEqual(['a', 'd', 'e', 'f']);
    expect(await contents(eg.signIn(server, 'ito'))).toEqual([]);
  });

  it('[R2.9.1] says down to where it has looked, so that the next call goes on there', async () => {
    const { server, sato } = await someHistory();
    const page = async (asked: Partial<Asked>) => {
      const { oldest_examined, messages } = await sato.ok(getMessages, { ...everything, num_after: 0, ...asked });
      return { oldest_examined, contents: messages.map(({ content }) => content) };
    };
    const [a, , , , , e] = server.messages;
    expect(await page({ anchor: 'newest', num_before: 2 })).toEqual({ oldest_examined: e, contents: ['e', 'f'] });
    const rest = { anchor: String(e), include_anchor: false };
    expect(await page({ ...rest, num_before: 3 })).toEqual({ oldest_examined: a, contents: ['a', 'b', 'd'] });
    expect(await page({ ...rest, num_before: 4 })).toEqual({ oldest_examined: undefined, contents: ['a', 'b', 'd'] });
    expect(await page({ ...rest, num_before: 0 })).toEqual({ oldest_examined: undefined, contents: [] });
  });

  it('finds around every anchor what a plain list finds', async () => {
    const { server, sato } = await someHistory();
    const seen = (await sato.ok(getMessages, everything)).messages.map(({ id }) => id);
    const first = server.messages[0] ?? 0;
    for (const anchor of [-5, 0, ...server.messages, first + 100, newestAnchor - 2, newestAnchor, 2 * newestAnchor]) {
      for (const num_before of [0, 1, 2, 9]) {
        for (const num_after of [0, 1, 2, 9]) {
          for (const include_anchor of num_before > 0 && num_after > 0 ? [true] : [true, false]) {
            const asked = { anchor: String(anchor), num_before, num_after, include_anchor };
            const { messages, ...found } = await sato.ok(getMessages, asked);
            const answer = { ...found, ids: messages.map(({ id }) => id) };
            expect(answer, JSON.stringify(asked)).toEqual(around(seen, { ...asked, anchor }));
          }
        }
      }
    }
  });

  it('takes the oldest as its anchor', async () => {
    const { sato } = await someHistory();
    const answer = await sato.ok(getMessages, { anchor: 'oldest', num_before: 3, num_after: 2, apply_markdown: false });
    expect(answer).toMatchObject({ anchor: 0, found_anchor: false, found_oldest: true, found_newest: false });
    expect(answer.messages.map(({ content }) => content)).toEqual(['a', 'b']);
  });

  it('[R2.9.1] takes the first message of a day or a time as its anchor', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const ids: number[] = [];
    // The clock stands at midnight (UTC) of 20 November 2026.
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

  it('[R2.9.1] takes the newest as the anchor of a day where nothing was said at all', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const asked = { anchor: 'date', anchor_date: '2026-11-20', num_before: 0, num_after: 0 };
    expect((await tanaka.ok(getMessages, asked)).anchor).toBe(newestAnchor);
  });

  it.each([undefined, '', 'yesterday', '2026-13-40', '1', '2026-11-20T25:00:00Z', '20 November 2026'])(
    'refuses %j as a day',
    async (anchor_date) => {
      const tanaka = eg.signIn(await eg.server(), 'tanaka');
      const asked = { anchor: 'date', num_before: 1, num_after: 0, ...(anchor_date === undefined ? {} : { anchor_date }) };
      expect(await tanaka.refused(getMessages, asked)).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  it('takes the first unread of the narrow as its anchor', async () => {
    const { server, sato } = await someHistory();
    const firstUnread = async (narrow: Asked['narrow'] = []) =>
      (await sato.ok(getMessages, { anchor: 'first_unread', num_before: 0, num_after: 0, narrow })).anchor;
    expect(await firstUnread()).toBe(server.messages[3]);
    expect(await firstUnread([{ operator: 'topic', operand: 'lunch' }])).toBe(server.messages[6]);
    expect(await firstUnread([{ operator: 'stream', operand: eg.personnel }])).toBe(newestAnchor);
    const older = { num_before: 0, num_after: 0, use_first_unread_anchor: true };
    expect(await sato.ok(getMessages, older)).toMatchObject({ anchor: server.messages[3], found_anchor: true });
    expect(await sato.ok(getMessages, { ...older, anchor: 'newest' })).toMatchObject({ anchor: server.messages[3] });
  });

  it('takes the newest as the first unread where all is read, and passes over muted streams', async () => {
    const { server, sato } = await someHistory();
    const { database } = fileOf(server);
    await database.write((tx) => tx.run(mute, { user_id: server.user('sato') }));
    const asked = { anchor: 'first_unread', num_before: 1, num_after: 1, apply_markdown: false };
    const answer = await sato.ok(getMessages, asked);
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
  ])('refuses %j: %s', async (asked, msg) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const refusal = await tanaka.refused(getMessages, { num_before: 1, num_after: 1, ...asked });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  });

  it('takes an anchor of any length', async () => {
    const { sato } = await someHistory();
    const at = async (anchor: string) => (await sato.ok(getMessages, { anchor, num_before: 0, num_after: 0 })).anchor;
    expect(await at('9'.repeat(400))).toBe(newestAnchor);
    expect(await at(`-${'9'.repeat(400)}`)).toBe(0);
    expect(await at('10000000000000001')).toBe(newestAnchor);
  });

  it('answers 5,000 at once', async () => {
    const { sato } = await someHistory();
    expect(await contents(sato, { anchor: 'newest', num_before: 5000, num_after: 0 })).toHaveLength(5);
  });
});

const mute = statement<{ user_id: number }>()((query, value) =>
  query.updateTable('membership').set({ is_muted: 1 }).where('user_id', '=', value.user_id),
);

async function narrowed(narrow: Asked['narrow']) {
  const { server, sato } = await someHistory();
  return { server, contents: await contents(sato, { narrow }) };
}

describe('a narrow', () => {
  it.each(['stream', 'channel'])('by %s, by its name or its id', async (operator) => {
    const { server, contents: byName } = await narrowed([{ operator, operand: ` ${eg.general} ` }]);
    expect(byName).toEqual(['a', 'd', 'e', 'f']);
    expect((await narrowed([{ operator, operand: server.stream(eg.personnel) }])).contents).toEqual(['b']);
  });

  it('by a stream whose name reads like an id', async () => {
    const organisation = eg.organisation({ messages: [eg.said('x', { stream: eg.numbered })] });
    const server = await eg.server({ organisation });
    for (const operand of ['123', '１２３']) {
      expect(await contents(eg.signIn(server, 'tanaka'), { narrow: [{ operator: 'stream', operand }] })).toEqual(['x']);
    }
  });

  it.each(['topic', 'subject'])('by %s, in any case', async (operator) => {
    expect((await narrowed([{ operator, operand: 'LUNCH' }])).contents).toEqual(['e', 'f']);
    expect((await narrowed([{ operator, operand: '夕食' }])).contents).toEqual([]);
  });

  it('by sender, by address or id', async () => {
    const { server, contents: byAddress } = await narrowed([{ operator: 'sender', operand: 'SATO@example.com' }]);
    expect(byAddress).toEqual(['b', 'e']);
    expect((await narrowed([{ operator: 'sender', operand: server.user('suzuki') }])).contents).toEqual(['d']);
  });

  it('by several terms, all of which hold', async () => {
    const terms = [
      { operator: 'stream', operand: eg.general },
      { operator: 'topic', operand: '昼食' },
      { operator: 'sender', operand: 'tanaka@example.com' },
    ];
    expect((await narrowed(terms)).contents).toEqual(['a']);
  });

  it.each([
    [
      'streams',
      [
        ['stream', eg.general],
        ['stream', eg.personnel],
      ],
    ],
    [
      'topics',
      [
        ['topic', '昼食'],
        ['topic', 'lunch'],
      ],
    ],
    [
      'senders',
      [
        ['sender', 'tanaka@example.com'],
        ['sender', 'sato@example.com'],
      ],
    ],
  ] as const)('by two different %s finds nothing, for no message is in both', async (_, terms) => {
    for (const ordered of [terms, terms.toReversed()]) {
      const narrow = ordered.map(([operator, operand]) => ({ operator, operand }));
      expect((await narrowed(narrow)).contents).toEqual([]);
    }
  });

  it('by the same term twice finds what it finds once', async () => {
    const twice = [
      { operator: 'stream', operand: eg.personnel },
      { operator: 'channel', operand: eg.personnel },
    ];
    expect((await narrowed(twice)).contents).toEqual(['b']);
  });

  it('may be written in pairs', async () => {
    expect(
      (
        await narrowed([
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
  ])('that means nothing is refused: %j', async (term, desc) => {
    const { sato } = await someHistory();
    const refusal = await sato.refused(getMessages, { ...everything, narrow: [term] });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_NARROW', msg: `Invalid narrow operator: ${desc}`, desc });
  });
});

/** 伊藤 joins a stream in which something was said before, and something after. */
async function joined(stream: string) {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const send = (content: string) => tanaka.ok(sendMessage, { type: 'stream', to: stream, topic: 't', content });
  await send('before');
  await joins(server, 'ito', stream);
  await send('after');
  return { server, send, ito: eg.signIn(server, 'ito'), narrow: [{ operator: 'stream', operand: stream }] };
}

describe('a stream that somebody joins later', () => {
  it('with shared history is theirs from the beginning, and what was before is history', async () => {
    const { ito, narrow } = await joined(eg.general);
    const { messages } = await ito.ok(getMessages, { ...everything, narrow });
    expect(messages.map(({ content, flags }) => [content, flags])).toEqual([
      ['before', ['read', 'historical']],
      ['after', []],
    ]);
    expect(await contents(ito)).toEqual(['after']);
  });

  it('[R6.1] without shared history is theirs from then on', async () => {
    const { ito, narrow } = await joined(eg.personnel);
    expect(await contents(ito, { narrow })).toEqual(['after']);
    const answer = await ito.ok(getMessages, { anchor: '1', num_before: 5, num_after: 5, narrow });
    expect(answer).toMatchObject({ found_oldest: true, found_anchor: false });
  });

  it('[R6.1] and leaves is theirs no more', async () => {
    const { server, ito, narrow } = await joined(eg.general);
    await leaves(server, 'ito', eg.general);
    expect(await contents(ito)).toEqual([]);
    expect(await ito.refused(getMessages, { ...everything, narrow })).toMatchObject({ code: 'BAD_NARROW' });
  });

  it('[R6.1] and leaves and joins again is theirs but for what was said in between', async () => {
    const { server, send, ito, narrow } = await joined(eg.personnel);
    await leaves(server, 'ito', eg.personnel);
    await send('in between');
    await joins(server, 'ito', eg.personnel);
    await send('again');
    expect(await contents(ito, { narrow })).toEqual(['after', 'again']);
    expect(await contents(ito, { narrow, anchor: 'newest', num_before: 9, num_after: 0 })).toEqual(['after', 'again']);
  });

  it('and leaves and joins again has the newest that they received then, until there is a newer one', async () => {
    const { server, send, ito } = await joined(eg.personnel);
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
});

describe('a deleted message', () => {
  it('is left out, and with include_deleted keeps its place without its content', async () => {
    const { server, sato } = await someHistory();
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

  it('counts among those asked for only where it is included', async () => {
    const { server, sato } = await someHistory();
    const asked = { anchor: String(server.messages[3]), num_before: 1, num_after: 0, apply_markdown: false };
    expect(await contents(sato, { ...asked, narrow: [['topic', '昼食']] })).toEqual(['a', 'd']);
    expect(await contents(sato, { ...asked, narrow: [['topic', '昼食']], include_deleted: true })).toEqual(['', 'd']);
    const at = { anchor: String(server.messages[2]), num_before: 0, num_after: 0 };
    expect(await sato.ok(getMessages, at)).toMatchObject({ found_anchor: false, messages: [] });
  });
});

const linkTo = (url: string): string => `<a href="${url}">${url}</a>`;
const marks = ['<', '>', '"', "'", '&', '`', ' ', '\n', '\n\n', '=', '/'];
const pieces = [...marks, 'http://', 'https://a', 'javascript:', 'on', '縁', '<a href="'];

describe('a message as HTML', () => {
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
  ])('[R5.3.2] cannot carry markup: %s', async (content, html) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: '<b>', content });
    const { messages } = await tanaka.ok(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
    expect(messages).toMatchObject([{ content: html, content_type: 'text/html', subject: '<b>' }]);
  });

  it('[R5.3.2] has no tag and no attribute but its own, whatever was typed', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const content = Array.from({ length: 900 }, (_, step) => pieces[(step * step + step * 7) % pieces.length]).join('');
    const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content });
    const { messages } = await tanaka.ok(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
    const html = messages[0]?.content ?? '';
    expect(html).toContain('&#60;');
    expect(html.replace(/<\/?p>|<br>|<a href="https?:\/\/[^"<>]+">|<\/a>/g, '')).not.toMatch(/[<>"']/);
  });
});

describe('flags in an answer', () => {
  it('are the reader’s own', async () => {
    const { server, sato } = await someHistory();
    const [first = 0] = server.messages;
    await sato.ok(updateMessageFlags, { messages: [first], op: 'add', flag: 'starred' });
    const flags = async (client: eg.Client) =>
      (await client.ok(getMessages, { anchor: String(first), num_before: 0, num_after: 0 })).messages[0]?.flags;
    expect(await flags(sato)).toEqual(['read', 'starred']);
    expect(await flags(eg.signIn(server, 'tanaka'))).toEqual(['read']);
  });
});
