import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Span } from '../conversations/access.ts';
import { fetchMessages } from '../messages/fetch.ts';
import { SharedMessages } from '../messages/sharedMessages.ts';
import { messages } from '../messages/store.ts';
import * as eg from '../testing/eg.ts';
import { resultOf } from '../testing/steps.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { noGroups } from '../identity/groups.ts';
import type { SearchQuery } from './searchIndex.ts';

type Term = readonly [operator: string, operand: string | number];

/** The hits of a member, the newest last. An operator that begins with `-` is negated. */
async function hits(client: eg.Client, ...terms: readonly Term[]) {
  const narrow = terms.map(([operator, operand]) => {
    return { operator: operator.replace('-', ''), operand, negated: operator.startsWith('-') };
  });
  return client.ok(api.getMessages, { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false });
}

async function found(client: eg.Client, ...terms: readonly Term[]): Promise<string[]> {
  return (await hits(client, ...terms)).messages.map(({ content }) => content);
}

async function send(client: eg.Client, content: string, to = eg.general, topic = 'stream events'): Promise<number> {
  return (await client.ok(api.sendMessage, { type: 'stream', to, topic, content })).id;
}

/** A server with these messages. */
async function setup(...contents: readonly string[]) {
  const server = await eg.server();
  const client = eg.signIn(server, 'tanaka');
  for (const content of contents) await send(client, content);
  return { server, client };
}

it('[R2.9.1] A search finds words of one, two and more characters, and parts of words', async () => {
  const one = '東京都内の売上会議は明日です';
  const two = '議事録を送ります。プロジェクトの報告書も';
  const { client } = await setup(one, two, '障害');
  const expected: readonly (readonly [string, readonly string[]])[] = [
    ['会議', [one]],
    ['売上', [one]],
    ['議', [one, two]],
    ['都', [one]],
    ['害', ['障害']],
    ['す', [one, two]],
    ['議事録', [two]],
    ['プロジェクトの報告書', [two]],
    ['ろじぇくと', [two]],
    ['京都', [one]],
    ['鬱蒼', []],
    ['会議事', []],
    ['会議 東京', [one]],
    ['会議　議事録', []],
    ['"売上会議は"', [one]],
    ['"売上 会議"', []],
  ];
  for (const [query, contents] of expected) expect(await found(client, ['search', query]), query).toEqual(contents);
});

it('[R2.9.1] A search ignores character width, the kind of kana, letter case and variants of kanji', async () => {
  const contents = ['ﾐｰﾃｨﾝｸﾞは３時', 'ミーティング室', 'Ｚｕｌｉｐと zulip', '髙橋さん', '渡邊さん', '𠮷野家', '😀👨‍👩‍👧'];
  const [half, full, zulip, takahashi, watanabe, yoshi, emoji] = contents;
  const { client } = await setup(...contents);
  for (const query of ['みーてぃんぐ', 'ﾐｰﾃｨﾝｸﾞ', 'ミーティング']) {
    expect(await found(client, ['search', query]), query).toEqual([half, full]);
  }
  expect(await found(client, ['search', '3時'])).toEqual([half]);
  expect(await found(client, ['search', 'ZULIP'])).toEqual([zulip]);
  expect(await found(client, ['search', '高橋'])).toEqual([takahashi]);
  expect(await found(client, ['search', '渡辺'])).toEqual([watanabe]);
  for (const query of ['吉野', '𠮷野家', '𠮷', '吉']) expect(await found(client, ['search', query])).toEqual([yoshi]);
  for (const query of ['😀', '👩', '😀👨']) expect(await found(client, ['search', query])).toEqual([emoji]);
});

it('[R2.9.1] A search finds punctuation marks', async () => {
  const contents = ['#45 を見て', '#451', 'jira-123', 'jira 123', 'a_b.c', '100% です', 'say "x"'];
  const { client } = await setup(...contents);
  expect(await found(client, ['search', '#45'])).toEqual(['#45 を見て', '#451']);
  expect(await found(client, ['search', '#'])).toEqual(['#45 を見て', '#451']);
  expect(await found(client, ['search', 'jira-123'])).toEqual(['jira-123']);
  expect(await found(client, ['search', 'ira-'])).toEqual(['jira-123']);
  expect(await found(client, ['search', '123 jira'])).toEqual(['jira-123', 'jira 123']);
  expect(await found(client, ['search', 'a_b'])).toEqual(['a_b.c']);
  expect(await found(client, ['search', '_'])).toEqual(['a_b.c']);
  expect(await found(client, ['search', '0%'])).toEqual(['100% です']);
  expect(await found(client, ['search', "'; DROP TABLE x; -- OR * ^ NEAR("])).toEqual([]);
});

it('[R2.9.1] A search looks in the text that members see: without markup, with file names and shown topics', async () => {
  const file = api.composeFileMessage({ name: '見積,最終.xlsx', storedName: 'abcdefghij0123456789.xlsx', size: 1234 });
  const { client } = await setup('*売上* _会議_ ~中止~', '売上*会議*', file, '```\nconst 会議室 = 1;\n```');
  await send(client, '本文', eg.general, '議題');
  expect(await found(client, ['search', '上会'])).toEqual(['売上*会議*']);
  expect(await found(client, ['search', '会議室'])).toHaveLength(1);
  expect(await found(client, ['search', '見積,最終'])).toEqual([file]);
  for (const query of ['abcdefghij', '1234', 'engawa-file', 'stream', '題本']) {
    expect(await found(client, ['search', query]), query).toEqual([]);
  }
  expect(await found(client, ['search', '議題'])).toEqual(['本文']);
  expect(await found(client, ['search', '議題 本文'])).toEqual(['本文']);
});

it('[R2.9.1] A search term can be combined with every other operator of a narrow (filter), and can be negated', async () => {
  const { server, client } = await setup('会議 一', '会議 二', '昼食 三');
  const sato = eg.signIn(server, 'sato');
  await send(sato, '会議 四');
  const five = await send(client, '会議 五', eg.personnel);
  await client.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('sato')]), content: '会議 六' });
  await client.ok(api.addReaction, { message_id: five, emoji_name: 'tada' });
  await client.ok(api.updateMessageFlags, { messages: [five], op: 'add', flag: 'starred' });
  const search: Term = ['search', '会議'];
  expect(await found(client, search)).toEqual(['会議 一', '会議 二', '会議 四', '会議 五', '会議 六']);
  expect(await found(client, search, ['stream', eg.general])).toEqual(['会議 一', '会議 二', '会議 四']);
  expect(await found(client, search, ['sender', eg.emailOf('sato')])).toEqual(['会議 四']);
  expect(await found(client, search, ['-stream', eg.general])).toEqual(['会議 五', '会議 六']);
  expect(await found(client, search, ['is', 'starred'])).toEqual(['会議 五']);
  expect(await found(client, search, ['is', 'dm'])).toEqual(['会議 六']);
  expect(await found(client, search, ['has', 'reaction'])).toEqual(['会議 五']);
  expect(await found(client, search, ['id', five])).toEqual(['会議 五']);
  expect(await found(client, search, ['with', five])).toEqual(['会議 五']);
  expect(await found(client, ['search', '三'], ['id', five])).toEqual([]);
  expect(await found(sato, search, ['is', 'unread'], ['stream', eg.general])).toEqual(['会議 一', '会議 二']);
  expect(await found(client, search, ['search', '二'])).toEqual(['会議 二']);
  expect(await found(client, search, ['-search', '二 会'], ['stream', eg.general])).toEqual(['会議 一', '会議 四']);
  expect(await found(client, ['-search', '会議'])).toEqual(['昼食 三']);
});

it('[R2.9.1] A search returns hits before and after any message, and reports whether there are more', async () => {
  const { client } = await setup(...Array.from({ length: 130 }, (_, index) => (index % 2 ? `会議 ${index}` : '昼食')));
  const narrow = [{ operator: 'search', operand: '会議' }];
  const newest = await client.ok(api.getMessages, { anchor: 'newest', num_before: 60, num_after: 0, narrow });
  expect(newest).toMatchObject({ found_newest: true, found_oldest: false });
  expect(newest.messages).toHaveLength(60);
  const oldest = await client.ok(api.getMessages, { anchor: 'oldest', num_before: 0, num_after: 40, narrow });
  expect(oldest).toMatchObject({ found_newest: false, found_oldest: true });
  const middle = String(oldest.messages.at(-1)?.id);
  const around = await client.ok(api.getMessages, { anchor: middle, num_before: 100, num_after: 100, narrow });
  expect(around).toMatchObject({ found_newest: true, found_oldest: true, found_anchor: true });
  expect(around.messages).toHaveLength(65);
});

const hit = (text: string) => `<span class="highlight">${text}</span>`;

it('[R2.9.2] A search finds a message that was just sent', async () => {
  const { client } = await setup();
  for (const word of ['一番', '二番', '三番']) {
    await send(client, word);
    expect(await found(client, ['search', word])).toEqual([word]);
  }
});

it('[R2.9.2] A search finds neither deleted messages nor the former text of edited messages', async () => {
  const { client } = await setup();
  const [gone, changed] = [await send(client, '秘密の会議'), await send(client, '会議です')];
  await client.ok(api.deleteMessage, { message_id: gone });
  await client.ok(api.editMessage, { message_id: changed, content: '昼食です' });
  expect(await found(client, ['search', '会議'])).toEqual([]);
  expect(await found(client, ['search', '秘密'])).toEqual([]);
  expect(await found(client, ['search', '昼食'])).toEqual(['昼食です']);
  const deleted = { anchor: 'newest', num_before: 9, num_after: 0, include_deleted: true };
  const { messages } = await client.ok(api.getMessages, { ...deleted, narrow: [['search', '会議']] });
  expect(messages).toEqual([]);
});

it('[R2.9.2] After a topic change, a search finds the messages by the new topic only', async () => {
  const { client } = await setup();
  const id = await send(client, '本文', eg.general, '旧題');
  await send(client, '続き', eg.general, '旧題');
  await client.ok(api.editMessage, { message_id: id, topic: '新題', propagate_mode: 'change_all' });
  expect(await found(client, ['search', '旧題'])).toEqual([]);
  expect(await found(client, ['search', '新題'])).toEqual(['本文', '続き']);
});

it('[R2.9.2] A search finds no messages of conversations that the member is not in', async () => {
  const { server } = await setup();
  const [suzuki, sato, ito] = ['suzuki', 'sato', 'ito'].map((name) => eg.signIn(server, name));
  if (!suzuki || !sato || !ito) throw new Error('need three members');
  await send(suzuki, '会議の秘密', eg.board);
  await suzuki.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('ito')]), content: '会議の内緒' });
  expect(await found(sato, ['search', '会議'])).toEqual([]);
  expect(await found(ito, ['search', '会議'])).toEqual(['会議の内緒']);
  expect(await found(suzuki, ['search', '会議'])).toEqual(['会議の秘密', '会議の内緒']);
});

it('[R2.9.2] A search finds no messages of streams that the member has left, and none that a protected history hides', async () => {
  const { server, client } = await setup('会議の資料');
  const suzuki = eg.signIn(server, 'suzuki');
  expect(await found(suzuki, ['search', '会議'])).toEqual(['会議の資料']);
  await leaves(server, 'suzuki', eg.general);
  expect(await found(suzuki, ['search', '会議'])).toEqual([]);
  await send(client, '前の会議', eg.personnel);
  await joins(server, 'suzuki', eg.personnel);
  await send(client, '後の会議', eg.personnel);
  expect(await found(suzuki, ['search', '会議'])).toEqual(['後の会議']);
});

it('[R2.9.1] A search with channels:subscribed finds messages from before the subscription, in subscribed streams with shared history only', async () => {
  const { server, client } = await setup('会議の資料');
  await joins(server, 'ito', eg.general);
  const ito = eg.signIn(server, 'ito');
  const subscribed: Term = ['channels', 'subscribed'];
  expect(await found(ito, ['search', '会議'])).toEqual([]);
  expect(await found(ito, ['search', '会議'], subscribed)).toEqual(['会議の資料']);
  await send(client, '会議の相談', eg.personnel);
  await ito.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('tanaka')]), content: '会議の内緒' });
  expect(await found(ito, ['search', '会議'], subscribed)).toEqual(['会議の資料']);
  await joins(server, 'ito', eg.personnel);
  await send(client, '会議の続き', eg.personnel);
  expect(await found(ito, ['search', '会議'], subscribed)).toEqual(['会議の資料', '会議の続き']);
  await leaves(server, 'ito', eg.general);
  expect(await found(ito, ['search', '会議'], subscribed)).toEqual(['会議の続き']);
});

it('[R1.8] [R2.9.1] A search with in:own finds messages of the member’s own streams and direct conversations, and no others', async () => {
  const { server, client } = await setup('会議の資料');
  await joins(server, 'ito', eg.general);
  const ito = eg.signIn(server, 'ito');
  const own: Term = ['in', 'own'];
  await ito.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('tanaka')]), content: '会議の内緒' });
  await client.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('sato')]), content: '会議の陰口' });
  await send(client, '会議の相談', eg.personnel);
  expect(await found(ito, ['search', '会議'], own)).toEqual(['会議の資料', '会議の内緒']);
  expect(await found(client, ['search', '会議'], own)).toEqual(['会議の資料', '会議の内緒', '会議の陰口', '会議の相談']);
  await leaves(server, 'ito', eg.general);
  expect(await found(ito, ['search', '会議'], own)).toEqual(['会議の内緒']);
});

it('[R2.9.2] A search highlights its words in the content and in the topic of a hit, even across markup', async () => {
  const { server, client } = await setup();
  const highlightsOf = async (content: string, query: string, topic = 'stream events', sender = client) => {
    const id = await send(sender, content, eg.general, topic);
    const { messages } = await hits(client, ['search', query], ['id', id]);
    return messages.map(({ match_content, match_subject }) => [match_content, match_subject]).flat();
  };
  expect(await highlightsOf('東京都内の売上会議は明日です', '会議')).toEqual([
    `<p>東京都内の売上${hit('会議')}は明日です</p>`,
    'stream events',
  ]);
  expect(await highlightsOf('ﾐｰﾃｨﾝｸﾞとミーティング', 'みーてぃんぐ')).toContain(`<p>${hit('ﾐｰﾃｨﾝｸﾞ')}と${hit('ミーティング')}</p>`);
  expect(await highlightsOf('売上*会議*です', '上会')).toContain(`<p>売${hit('上')}<strong>${hit('会')}議</strong>です</p>`);
  expect(await highlightsOf('a<b>&"c', '<b>&')).toContain(`<p>a${hit('&#60;b&#62;&#38;')}&#34;c</p>`);
  expect(await highlightsOf('a<b>&"c', 'lt')).toEqual([]);
  expect(await highlightsOf('https://example.com/を見て', 'm/を')).toContain(
    `<p><a href="https://example.com/">https://example.co${hit('m/')}</a>${hit('を')}見て</p>`,
  );
  const marked = /^<p>会議 <span class="highlight"><span [^>]*>:tada:<\/span><\/span><\/p>$/;
  expect(await highlightsOf('会議 :tada:', 'tada')).toContainEqual(expect.stringMatching(marked));
  expect(await highlightsOf('一\n二', '一')).toContain(`<p>${hit('一')}<br>\n二</p>`);
  expect(await highlightsOf('本文', '<議>', 'x<議>y')).toEqual(['<p>本文</p>', `x${hit('&#60;議&#62;')}y`]);
  const file = api.composeFileMessage({ name: '会議.pdf', storedName: 'abcdefghij0123456789.pdf', size: 1 });
  expect((await highlightsOf(file, '会議'))[0]).toContain(`>${hit('会議')}.pdf</a>`);
  expect(await highlightsOf('会議', '会議', 'stream events', eg.signIn(server, 'sato'))).toContain(`<p>${hit('会議')}</p>`);
});

it('GET /messages without a search term, or with only a negated one, returns no highlights', async () => {
  const { client } = await setup('会議');
  const [message] = (await hits(client, ['stream', eg.general])).messages;
  expect(message).not.toHaveProperty('match_content');
  const [turned] = (await hits(client, ['-search', '昼食'])).messages;
  expect(turned).not.toHaveProperty('match_content');
});

/** Inserts rows directly, without events. */
async function setupRows(contents: readonly string[]) {
  const { server, client } = await setup();
  const target = { conversation_id: server.stream(eg.general), sender_id: server.user('sato'), topic: 'x' };
  const row = { ...target, client: 'Engawa', features: 0, read_by_sender: 0, notice: null, timestamp: 1 };
  await fileOf(server).database.write((tx) => {
    for (const content of contents) messages.insert(tx, { ...row, content });
  });
  return { server, client };
}

const without = (word: string) => [
  { operator: 'stream', operand: eg.general },
  { operator: 'search', operand: word, negated: true },
];

it('A search stops after a limited number of texts and reports that it has not reached the oldest message', async () => {
  const many = Array.from({ length: api.maxCharactersRead / api.charactersPerText }, () => '会議');
  const { client } = await setupRows(['昼食', ...many]);
  const options = { anchor: 'newest', num_before: 5, num_after: 0, narrow: without('会議') };
  const first = await client.ok(api.getMessages, options);
  expect(first).toMatchObject({ messages: [], found_oldest: false });
  const rest = { ...options, anchor: String(first.oldest_examined), include_anchor: false, apply_markdown: false };
  const second = await client.ok(api.getMessages, rest);
  expect(second.found_oldest).toBe(true);
  expect(second.messages.map(({ content }) => content)).toEqual(['昼食']);
  expect(await found(client, ['search', '昼食'])).toEqual(['昼食']);
});

it('POST /messages/flags/narrow reports how far it has come if it ends early without matches, so that a client can continue', async () => {
  const many = Array.from({ length: api.maxCharactersRead / api.charactersPerText }, () => '会議');
  const { client } = await setupRows(['昼食', ...many, '昼食']);
  const call = { narrow: [...without('会議'), { operator: 'topic', operand: 'x' }], op: 'add', flag: 'starred' };
  const from = (anchor: number | string, num_before: number, num_after: number) =>
    client.ok(api.updateMessageFlagsForNarrow, { ...call, anchor: String(anchor), num_before, num_after, include_anchor: false });
  const [oldest = 0, newest = 0] = (await hits(client, ['search', '昼食'])).messages.map(({ id }) => id);

  const up = await from(oldest, 0, 5);
  expect(up).toMatchObject({ processed_count: 0, found_newest: false, first_processed_id: null });
  expect(await from(up.last_processed_id ?? '', 0, 5)).toMatchObject({ last_processed_id: newest, found_newest: true });

  const down = await from(newest, 5, 0);
  expect(down).toMatchObject({ processed_count: 0, found_oldest: false, last_processed_id: null });
  expect(await from(down.first_processed_id ?? '', 5, 0)).toMatchObject({ first_processed_id: oldest, found_oldest: true });
});

it('A search limits the characters that it reads before and after the anchor together', async () => {
  const { client } = await setupRows(Array.from({ length: 80 }, () => 'あ'.repeat(api.maxMessageLength)));
  const narrow = without('会議');
  const options = { anchor: '40', num_before: 30, num_after: 30, apply_markdown: false, narrow };
  const answer = await client.ok(api.getMessages, options);
  expect(answer).toMatchObject({ found_oldest: false, found_newest: false });
  expect(answer.messages.length).toBeLessThanOrEqual(2 + api.maxCharactersRead / api.maxMessageLength);
});

it('A search limits the characters of its answer, including highlights', async () => {
  const { client } = await setupRows(Array.from({ length: 60 }, () => '会議 '.repeat(1500)));
  const narrow = [{ operator: 'search', operand: '会議' }];
  const options = { anchor: 'newest', num_before: 60, num_after: 0, narrow, apply_markdown: false };
  const answer = await client.ok(api.getMessages, options);
  expect(answer.oldest_examined).toBe(answer.messages[0]?.id);
  const highlightsOf = answer.messages.slice(1).flatMap(({ content, match_content = '' }) => [content, match_content]);
  expect(highlightsOf.join('').length).toBeLessThanOrEqual(api.maxCharactersPerFetch);
  expect(answer).toMatchObject({ found_oldest: false });
});

it('[R2.9.2] A search queries the index only for conversations of its member, so that its duration reveals nothing about others', async () => {
  const names = Array.from({ length: 510 }, (_, index) => `部屋 ${index}`);
  const streams = [...names.map((name) => eg.stream(name, ['tanaka'])), eg.stream(eg.board, ['suzuki'])];
  const late = eg.stream(eg.personnel, ['suzuki'], false);
  const server = await eg.server({ organisation: eg.organisation({ streams: [...streams, late] }) });
  const before = await send(eg.signIn(server, 'suzuki'), '会議', eg.personnel);
  await joins(server, 'tanaka', eg.personnel);
  const options: { readonly ids: readonly number[]; readonly span: Span }[] = [];
  const index = {
    indexed: (span: Span) => span,
    find: ({ conversationIds }: SearchQuery, span: Span) => {
      options.push({ ids: conversationIds, span });
      return [];
    },
  };
  const member = eg.memberOf(server, 'tanaka', api.roles.member);
  const wanted = {
    anchor: String(api.newestAnchor),
    num_before: 5,
    num_after: 0,
    include_anchor: true,
    narrow: [{ operator: 'search', operand: '会議', negated: false }],
    apply_markdown: false,
    client_gravatar: false,
    use_first_unread_anchor: false,
    include_deleted: false,
  };
  const answer = resultOf(
    fetchMessages(fileOf(server).database.reader, member, wanted, { index, groups: noGroups, shared: new SharedMessages() }),
  );
  expect(answer).toMatchObject({ found_oldest: true, messages: [] });
  expect(answer).not.toHaveProperty('oldest_examined');
  expect(Math.max(...options.map(({ ids }) => ids.length))).toBeLessThanOrEqual(500);
  const own = [...names, eg.personnel].map((name) => server.stream(name));
  expect(options.flatMap(({ ids }) => ids).toSorted()).toEqual(own.toSorted());
  const joined = options.find(({ ids }) => ids.includes(server.stream(eg.personnel)));
  expect(joined).toMatchObject({ ids: [server.stream(eg.personnel)], span: { after: before } });
});

it('[R2.9.2] A search in more than 500 conversations uses several index queries and finds the messages of all', async () => {
  const names = Array.from({ length: 510 }, (_, index) => `部屋 ${index}`);
  const streams = [...names.map((name) => eg.stream(name, ['tanaka'])), eg.stream(eg.board, ['suzuki'])];
  const server = await eg.server({ organisation: eg.organisation({ streams }) });
  const [tanaka, suzuki] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'suzuki')];
  for (const index of [0, 100, 509]) await send(tanaka, `会議 ${index}`, `部屋 ${index}`);
  await send(suzuki, '会議 秘密', eg.board);
  expect(await found(tanaka, ['search', '会議'])).toEqual(['会議 0', '会議 100', '会議 509']);
  expect(await found(suzuki, ['search', '会議'])).toEqual(['会議 秘密']);
});

it('GET /messages refuses a search with more words than the maximum', async () => {
  const { client } = await setup('会議');
  const query = Array.from({ length: api.maxSearchWords + 1 }, (_, index) => `語${index}`).join(' ');
  const narrow = [{ operator: 'search', operand: query }];
  const options = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
  expect(await client.refused(api.getMessages, options)).toMatchObject({ code: 'BAD_NARROW' });
  const each = query.split(' ').map((operand) => ({ operator: 'search', operand, negated: true }));
  expect(await client.refused(api.getMessages, { ...options, narrow: each })).toMatchObject({ code: 'BAD_NARROW' });
  expect(await found(client, ['search', '会議'.repeat(400)])).toEqual([]);
});
