import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Span } from '../conversations/access.ts';
import type { Reader, Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { resultOf } from '../testing/steps.ts';
import { fileOf } from '../testing/membership.ts';
import { noGroups } from '../identity/groups.ts';
import { fetchMessages } from './fetch.ts';
import { narrowOf } from './narrow.ts';
import { SharedMessages } from './sharedMessages.ts';
import { messages } from './store.ts';

/** Public streams. sato subscribes to neither, and takahashi, a guest, to the first. */
const plaza = '広場';
const court = '中庭';

const [general, personnel, board] = eg.organisation().streams;
if (!general || !personnel || !board) throw new Error('these tests need the streams of the organisation');
const organisation = eg.organisation({
  streams: [
    general,
    personnel,
    board,
    { ...eg.stream(plaza, ['tanaka', 'suzuki', 'takahashi']), invite_only: false },
    { ...eg.stream(court, ['tanaka']), invite_only: false },
  ],
});

const picture = api.composeFileMessage({ name: '庭.png', storedName: 'abcdefghij0123456789.png', size: 9 });
const mute = queries.run((query, userId: Value<number>, conversationId: Value<number>) =>
  query
    .updateTable('membership')
    .set({ is_muted: 1 })
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId),
);

/** Sends messages that are named by a letter each. sato finds most of them. */
async function setup() {
  const server = await eg.server({ organisation });
  const ids = new Map<string, number>();
  const letters = new Map<number, string>();
  const remember = (letter: string, { id }: { readonly id: number }) => {
    ids.set(letter, id);
    letters.set(id, letter);
  };
  const sendToStream = async (letter: string, by: string, to: string, topic: string, content = letter) =>
    remember(letter, await eg.signIn(server, by).ok(api.sendMessage, { type: 'stream', to, topic, content }));
  const sendDirect = async (letter: string, by: string, to: readonly string[]) => {
    const streamName = JSON.stringify(to.map(server.user));
    remember(letter, await eg.signIn(server, by).ok(api.sendMessage, { type: 'direct', to: streamName, content: letter }));
  };
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  await sato.ok(api.addAlertWords, { alert_words: ['縁側'] });

  await sendToStream('a', 'tanaka', eg.general, '昼食', 'https://x.example/');
  await sendToStream('b', 'suzuki', eg.general, 'Lunch', '縁側で');
  await sendToStream('c', 'sato', eg.general, 'lunch');
  await sendToStream('d', 'tanaka', eg.general, '✔ 昼食', '@**佐藤 花子** さん');
  await sendToStream('e', 'tanaka', eg.personnel, '相談', '@**all** へ');
  await sendToStream('f', 'suzuki', plaza, '昼食');
  await sendToStream('g', 'suzuki', eg.board, '昼食');
  await sendDirect('h', 'tanaka', ['sato']);
  await sendDirect('i', 'sato', ['sato']);
  await sendDirect('j', 'tanaka', ['sato', 'suzuki']);
  await sendDirect('k', 'suzuki', ['tanaka']);
  await sendToStream('l', 'suzuki', eg.general, '昼食', picture);
  await sendToStream('m', 'tanaka', court, '昼食');

  const idOf = (letter: string) => ids.get(letter) ?? 0;
  await sato.ok(api.updateMessageFlags, { messages: ['a', 'f'].map(idOf), op: 'add', flag: 'starred' });
  await sato.ok(api.updateMessageFlags, { messages: [idOf('b')], op: 'add', flag: 'read' });
  await tanaka.ok(api.addReaction, { message_id: idOf('b'), emoji_name: 'tada' });
  const { database } = fileOf(server);
  await database.write((tx) => mute(tx, server.user('sato'), server.stream(eg.personnel)));
  database.close();
  return { server, sato, idOf, letters };
}

type Context = Awaited<ReturnType<typeof setup>>;
type Operand = string | number | number[];
/** A dash before the operator negates the term. */
type Term = readonly [operator: string, operand: Operand | ((context: Context) => Operand)];

const termsOf = (context: Context, terms: readonly Term[]) =>
  terms.map(([operator, operand]) => ({
    operator: operator.replace(/^-/, ''),
    operand: typeof operand === 'function' ? operand(context) : operand,
    negated: operator.startsWith('-'),
  }));

async function found(context: Context, terms: readonly Term[], client = context.sato): Promise<string> {
  const narrow = termsOf(context, terms);
  const { messages } = await client.ok(api.getMessages, { anchor: 'oldest', num_before: 0, num_after: 100, narrow });
  return messages.map(({ id }) => context.letters.get(id)).join('');
}

const user =
  (...names: readonly string[]) =>
  ({ server }: Context) =>
    names.map(server.user);
const message =
  (letter: string) =>
  ({ idOf }: Context) =>
    idOf(letter);

const term = (operator: string, operand: Term[1]): Term => [operator, operand];

const received = 'abcdehijl';

/** A term, the messages that it finds, and those that its negation finds. */
const single: readonly (readonly [Term, found: string, negated: string])[] = [
  [['stream', eg.general], 'abcdl', 'ehij'],
  [['channel', plaza], 'f', received],
  [['stream', ({ server }) => server.stream(eg.personnel)], 'e', 'abcdhijl'],
  [['streams', 'public'], 'fm', received],
  [['channels', 'public'], 'fm', received],
  [['streams', 'web-public'], '', received],
  [['topic', 'LUNCH'], 'bc', 'adehijl'],
  [['subject', '昼食'], 'al', 'bcdehij'],
  [['sender', 'Suzuki@example.com'], 'bl', 'acdehij'],
  [['sender', ({ server }) => server.user('sato')], 'ci', 'abdehjl'],
  [['dm', user('tanaka')], 'h', 'abcdeijl'],
  [['dm', user('tanaka', 'sato', 'tanaka')], 'h', 'abcdeijl'],
  [['pm-with', 'suzuki@example.com, tanaka@example.com'], 'j', 'abcdehil'],
  [['pm_with', 'sato@example.com'], 'i', 'abcdehjl'],
  [['dm', ({ server }) => server.user('ito')], '', received],
  [['dm-including', ({ server }) => server.user('tanaka')], 'hj', 'abcdeil'],
  [['dm-including', 'sato@example.com'], 'hij', 'abcdel'],
  [['dm-including', 'ito@example.com'], '', received],
  [['group-pm-with', 'tanaka@example.com'], 'j', 'abcdehil'],
  [['group-pm-with', 'ito@example.com'], '', received],
  [['is', 'dm'], 'hij', 'abcdel'],
  [['is', 'private'], 'hij', 'abcdel'],
  [['is', 'starred'], 'af', 'bcdehijl'],
  [['is', 'unread'], 'adehjl', 'bci'],
  [['is', 'mentioned'], 'de', 'abchijl'],
  [['is', 'alerted'], 'b', 'acdehijl'],
  [['is', 'resolved'], 'd', 'abcehijl'],
  [['is', 'followed'], '', received],
  [['is', 'muted'], 'e', 'abcdhijl'],
  [['has', 'link'], 'a', 'bcdehijl'],
  [['has', 'image'], 'l', 'abcdehij'],
  [['has', 'attachment'], 'l', 'abcdehij'],
  [['has', 'reaction'], 'b', 'acdehijl'],
  [['in', 'home'], 'abcdhijl', 'e'],
  [['in', 'all'], received, ''],
  [['in', 'own'], received, ''],
  [['id', message('d')], 'd', 'abcehijl'],
  [['id', ({ idOf }) => String(idOf('d'))], 'd', 'abcehijl'],
  [['id', message('g')], '', received],
  [['id', message('f')], '', received],
  [['near', 5], received, ''],
  [['with', message('c')], 'bc', 'adehijl'],
  [['with', message('h')], 'h', 'abcdeijl'],
  [['with', message('m')], 'm', received],
];

const combined: readonly (readonly [readonly Term[], found: string])[] = [
  [[term('stream', eg.general), term('-topic', 'lunch')], 'adl'],
  [[term('stream', eg.general), term('is', 'unread')], 'adl'],
  [[term('stream', eg.general), term('topic', 'lunch'), term('-sender', 'sato@example.com')], 'b'],
  [[term('stream', plaza), term('is', 'starred')], 'f'],
  [[term('stream', plaza), term('-is', 'unread')], 'f'],
  [[term('streams', 'public'), term('-stream', plaza)], 'm'],
  [[term('streams', 'public'), term('id', message('f'))], 'f'],
  [[term('stream', eg.general), term('streams', 'public')], ''],
  [[term('is', 'starred'), term('-stream', plaza)], 'a'],
  [[term('is', 'starred'), term('is', 'unread')], 'a'],
  [[term('is', 'dm'), term('sender', 'tanaka@example.com')], 'hj'],
  [[term('is', 'dm'), term('-dm', user('tanaka'))], 'ij'],
  [[term('dm', user('tanaka')), term('stream', eg.general)], ''],
  [[term('is', 'mentioned'), term('is', 'unread'), term('-is', 'muted')], 'd'],
  [[term('is', 'mentioned'), term('has', 'link')], ''],
  [[term('has', 'attachment'), term('has', 'image')], 'l'],
  [[term('-has', 'link'), term('sender', 'tanaka@example.com')], 'dehj'],
  [[term('topic', '昼食'), term('topic', 'lunch')], ''],
  [[term('-is', 'dm'), term('-in', 'home')], 'e'],
  [[term('with', message('c')), term('stream', eg.personnel), term('topic', '相談'), term('dm', user('ito'))], 'bc'],
  [[term('with', message('c')), term('-topic', 'lunch')], ''],
];

const invalid: readonly (readonly [Term, desc: string])[] = [
  [['search', '　'], 'nothing to search for'],
  [['constructor', 'x'], 'unknown operator constructor'],
  [['stream', eg.board], `unknown stream ${eg.board}`],
  [['streams', 'private'], 'unknown streams operand private'],
  [['dm', 'nobody@example.com'], 'unknown user in nobody@example.com'],
  [['dm', 'sato@example.com, nobody@example.com'], 'unknown user in sato@example.com, nobody@example.com'],
  [['dm', [987]], 'unknown user in 987'],
  [['pm-with', ''], 'unknown user in '],
  [['dm', []], 'unknown user in '],
  [['dm', Array.from({ length: 101 }, () => 1)], `unknown user in ${Array.from({ length: 101 }, () => 1).join()}`],
  [['dm-including', 'nobody@example.com'], 'unknown user nobody@example.com'],
  [['group-pm-with', 987], 'unknown user 987'],
  [['sender', [1]], 'unknown user 1'],
  [['is', 'lost'], "unknown 'is' operand lost"],
  [['is', 'constructor'], "unknown 'is' operand constructor"],
  [['has', 'wings'], "unknown 'has' operand wings"],
  [['in', 'doubt'], "unknown 'in' operand doubt"],
  [['id', 'x'], 'Invalid message ID'],
  [['id', '1'.repeat(20)], 'Invalid message ID'],
  [['with', 'x'], 'Invalid message ID'],
  [['with', 987_654], 'Invalid message ID'],
  [['with', message('g')], 'Invalid message ID'],
];

it('A narrow (filter) with one operator finds the matching messages, and its negation finds all others', async () => {
  const context = await setup();
  for (const [[operator, operand], is, isNot] of single) {
    expect(await found(context, [[operator, operand]]), `${operator} ${String(operand)}`).toBe(is);
    expect(await found(context, [[`-${operator}`, operand]]), `-${operator} ${String(operand)}`).toBe(isNot);
  }
});

it('A narrow (filter) with several terms finds messages that match all of them, in any order of the terms', async () => {
  const context = await setup();
  for (const [terms, letters] of combined) {
    expect(await found(context, terms), String(terms)).toBe(letters);
    expect(await found(context, terms.toReversed()), String(terms)).toBe(letters);
  }
});

it('GET /messages refuses a narrow (filter) with an invalid term, even if the term is negated', async () => {
  const context = await setup();
  for (const [[operator, operand], desc] of invalid) {
    for (const narrow of [termsOf(context, [[operator, operand]]), termsOf(context, [[`-${operator}`, operand]])]) {
      const refusal = await context.sato.refused(api.getMessages, { anchor: '1', num_before: 1, num_after: 1, narrow });
      const msg = `Invalid narrow operator: ${desc}`;
      expect(refusal, desc).toMatchObject({ status: 400, code: 'BAD_NARROW', msg, desc });
    }
  }
});

it('A narrow (filter) that matches many messages returns each of them once and in order', async () => {
  const history = Array.from({ length: 300 }, (_, index) =>
    eg.pastMessage(`https://x.example/${index}`, {
      by: index % 3 === 0 ? 'sato' : 'tanaka',
      stream: index % 2 === 0 ? eg.general : eg.personnel,
      topic: index % 5 === 0 ? '昼食' : '夕食',
    }),
  );
  const unread = { email: eg.emailOf('sato'), stream: eg.general, count: 100 };
  const server = await eg.server({ organisation: eg.organisation({ messages: history, unread: [unread] }) });
  const sato = eg.signIn(server, 'sato');
  await sato.ok(api.updateMessageFlags, { messages: [...server.messages], op: 'add', flag: 'starred' });
  const cases: readonly (readonly [api.NarrowTerm['operator'], string, (index: number) => boolean])[] = [
    ['in', 'all', () => true],
    ['stream', eg.general, (index) => index % 2 === 0],
    ['topic', '夕食', (index) => index % 5 !== 0],
    ['sender', 'tanaka@example.com', (index) => index % 3 !== 0],
    ['is', 'starred', () => true],
    ['is', 'unread', (index) => index % 2 === 0 && index % 3 !== 0],
    ['has', 'link', () => true],
  ];
  for (const [operator, operand, holds] of cases) {
    const expected = server.messages.filter((_, index) => holds(index));
    const options = { narrow: [{ operator, operand }], num_before: 0, num_after: 0 };
    const up = await sato.ok(api.getMessages, { ...options, anchor: 'oldest', num_after: 300 });
    const down = await sato.ok(api.getMessages, { ...options, anchor: 'newest', num_before: 300 });
    expect(
      up.messages.map(({ id }) => id),
      operator,
    ).toEqual(expected);
    expect(
      down.messages.map(({ id }) => id),
      operator,
    ).toEqual(expected);
  }
});

it('GET /messages with a narrow (filter) returns the matching messages before and after an anchor', async () => {
  const context = await setup();
  const narrow = [{ operator: 'is', operand: 'unread' }];
  const options = { anchor: String(context.idOf('d')), num_before: 1, num_after: 2, narrow };
  const { messages, ...answer } = await context.sato.ok(api.getMessages, options);
  expect(messages.map(({ id }) => context.letters.get(id)).join('')).toBe('adeh');
  expect(answer).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
});

it('[R6.1] A guest who filters by streams:public finds only messages of public streams that they subscribe to', async () => {
  const context = await setup();
  const takahashi = eg.signIn(context.server, 'takahashi');
  expect(await found(context, [['streams', 'public']], takahashi)).toBe('f');
  expect(await found(context, [['-streams', 'public']], takahashi)).toBe('abcdl');
});

it('A narrow (filter) begins at an unread message of a muted stream only if it names that stream', async () => {
  const context = await setup();
  const first = async (terms: readonly Term[]) => {
    const narrow = termsOf(context, terms);
    const options = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow };
    const { anchor } = await context.sato.ok(api.getMessages, options);
    return anchor === api.newestAnchor ? 'newest' : context.letters.get(anchor);
  };
  expect(await first([])).toBe('a');
  expect(await first([['is', 'mentioned']])).toBe('d');
  expect(await first([['stream', eg.personnel]])).toBe('e');
  expect(await first([['with', message('e')]])).toBe('e');
  expect(await first([['topic', '相談']])).toBe('newest');
  expect(await first([['is', 'dm']])).toBe('h');
  expect(
    await first([
      ['-topic', '昼食'],
      ['-topic', '✔ 昼食'],
    ]),
  ).toBe('h');
  expect(await first([['stream', plaza]])).toBe('newest');
});

it('GET /messages does not claim to have reached the end of the history if the limit of examined messages stopped it', async () => {
  const context = await setup();
  const { server, idOf } = context;
  const { database } = fileOf(server);
  const member = eg.memberOf(server, 'sato', api.roles.administrator);
  const noIndex = { find: () => [], indexed: (span: Span) => span };
  const fetched = (terms: readonly Term[], anchor: number | string, mostExamined: number) => {
    const options = {
      anchor: String(anchor),
      num_before: 5,
      num_after: 5,
      include_anchor: true,
      narrow: termsOf(context, terms),
      apply_markdown: false,
      client_gravatar: false,
      use_first_unread_anchor: false,
      include_deleted: false,
    };
    const dependencies = { index: noIndex, groups: noGroups, shared: new SharedMessages() };
    const answer = resultOf(fetchMessages(database.reader, member, options, dependencies, mostExamined));
    const { messages, found_oldest, found_newest } = answer;
    return [messages.map(({ id }) => context.letters.get(id)).join(''), found_oldest, found_newest];
  };
  // Of a b c d e h i j l, eight messages before l or after a.
  expect(fetched([['has', 'reaction']], 'newest', 9)).toEqual(['b', true, true]);
  expect(fetched([['has', 'reaction']], 'newest', 8)).toEqual(['b', false, true]);
  expect(fetched([['has', 'reaction']], 'newest', 7)).toEqual(['', false, true]);
  expect(fetched([['is', 'resolved']], idOf('a'), 3)).toEqual(['d', true, false]);
  expect(fetched([['is', 'resolved']], idOf('a'), 2)).toEqual(['', true, false]);
  // Messages that an index finds are not examined.
  expect(fetched([['has', 'link']], 'newest', 1)).toEqual(['a', true, true]);
  expect(fetched([['sender', 'sato@example.com']], 'newest', 2)).toEqual(['ci', true, true]);
});

it('GET /messages finds unread messages with few database queries, even if read and unread messages alternate', async () => {
  const { server, sato } = await setup();
  const { database } = fileOf(server);
  const target = { conversation_id: server.stream(eg.general), sender_id: server.user('tanaka'), topic: 'x' };
  const row = { ...target, client: 'Engawa', content: '一', features: 0, read_by_sender: 0, notice: null, timestamp: 1 };
  const ids: number[] = [];
  await database.write((tx) => {
    for (let count = 0; count < 4001; count += 1) ids.push(messages.insert(tx, row));
  });
  const every = (rest: number) => ids.filter((_, index) => index % 2 === rest);
  await sato.ok(api.updateMessageFlags, { messages: every(0), op: 'add', flag: 'read' });
  const narrow = [
    { operator: 'is', operand: 'unread' },
    { operator: 'topic', operand: 'x' },
  ];
  const options = { anchor: 'newest', num_before: 5000, num_after: 0, narrow };
  const { messages: found, found_oldest } = await sato.ok(api.getMessages, options);
  expect([found.map(({ id }) => id), found_oldest]).toEqual([every(1), true]);

  let queries = 0;
  const counting: Reader = {
    get: (...query) => ((queries += 1), database.reader.get(...query)),
    all: (...query) => ((queries += 1), database.reader.all(...query)),
  };
  const member = eg.memberOf(server, 'sato', api.roles.administrator);
  const dependencies = {
    index: { find: () => [], indexed: (span: Span) => span },
    allowance: { characters: api.maxCharactersRead },
  };
  const terms = narrow.map((term) => ({ ...term, negated: false }));
  const walk = { direction: 'down', span: { after: 0, upTo: api.newestAnchor }, includeDeleted: false } as const;
  expect([...narrowOf(counting, member, terms, dependencies).candidates(walk)].length).toBeGreaterThanOrEqual(2000);
  expect(queries).toBeLessThan(800);
});

const streamName = (index: number) => `部屋 ${index}`;

it('A member of many streams fetches all their messages in order, even if other streams have many more messages', async () => {
  const own = Array.from({ length: 60 }, (_, index) => eg.stream(streamName(index), ['tanaka', 'sato']));
  const server = await eg.server({ organisation: eg.organisation({ streams: [...own, eg.stream(board.name, ['tanaka'])] }) });
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const send = async (to: string) => (await tanaka.ok(api.sendMessage, { type: 'stream', to, topic: 't', content: to })).id;
  const expected: number[] = [];
  for (let number = 0; number < 30; number += 1) expected.push(await send(streamName((number * 7) % 60)));
  // More than twice the number of streams.
  for (let number = 0; number < 125; number += 1) await send(board.name);
  for (let number = 0; number < 10; number += 1) expected.push(await send(streamName(number)));
  const fetched = async (anchor: number | 'newest', num_before: number) => {
    const answer = await sato.ok(api.getMessages, {
      anchor: String(anchor),
      num_before,
      num_after: 0,
      include_anchor: anchor === 'newest',
    });
    return { ids: answer.messages.map(({ id }) => id), oldest: answer.found_oldest };
  };
  expect(await fetched('newest', 5)).toEqual({ ids: expected.slice(-5), oldest: false });
  expect(await fetched('newest', 25)).toEqual({ ids: expected.slice(-25), oldest: false });
  expect(await fetched('newest', 100)).toEqual({ ids: expected, oldest: true });
  expect(await fetched(expected[5] ?? 0, 100)).toEqual({ ids: expected.slice(0, 5), oldest: true });
});
