import {
  type NarrowTerm,
  addAlertWords,
  addReaction,
  composeFileMessage,
  getMessages,
  newestAnchor,
  roles,
  sendMessage,
  updateMessageFlags,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import type { Span } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { statement } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { noGroups } from '../identity/groups.ts';
import { fetchMessages } from './fetch.ts';
import { narrowOf } from './narrow.ts';
import { Allowance } from './operators.ts';
import { messages } from './store.ts';

/** Streams that everybody but guests may read; 佐藤 is in neither, 高橋, a guest, is in the first. */
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

const picture = composeFileMessage({ name: '庭.png', storedName: 'abcdefghij0123456789.png', size: 9 });
const mute = statement<{ user_id: number; conversation_id: number }>()((query, value) =>
  query
    .updateTable('membership')
    .set({ is_muted: 1 })
    .where('user_id', '=', value.user_id)
    .where('conversation_id', '=', value.conversation_id),
);

/** Messages by a letter each, most of which 佐藤 finds. */
async function talked() {
  const server = await eg.server({ organisation });
  const ids = new Map<string, number>();
  const letters = new Map<number, string>();
  const note = (letter: string, { id }: { readonly id: number }) => {
    ids.set(letter, id);
    letters.set(id, letter);
  };
  const says = async (letter: string, by: string, to: string, topic: string, content = letter) =>
    note(letter, await eg.signIn(server, by).ok(sendMessage, { type: 'stream', to, topic, content }));
  const tells = async (letter: string, by: string, to: readonly string[]) => {
    const named = JSON.stringify(to.map(server.user));
    note(letter, await eg.signIn(server, by).ok(sendMessage, { type: 'direct', to: named, content: letter }));
  };
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  await sato.ok(addAlertWords, { alert_words: ['縁側'] });

  await says('a', 'tanaka', eg.general, '昼食', 'https://x.example/');
  await says('b', 'suzuki', eg.general, 'Lunch', '縁側で');
  await says('c', 'sato', eg.general, 'lunch');
  await says('d', 'tanaka', eg.general, '✔ 昼食', '@**佐藤 花子** さん');
  await says('e', 'tanaka', eg.personnel, '相談', '@**all** へ');
  await says('f', 'suzuki', plaza, '昼食');
  await says('g', 'suzuki', eg.board, '昼食');
  await tells('h', 'tanaka', ['sato']);
  await tells('i', 'sato', ['sato']);
  await tells('j', 'tanaka', ['sato', 'suzuki']);
  await tells('k', 'suzuki', ['tanaka']);
  await says('l', 'suzuki', eg.general, '昼食', picture);
  await says('m', 'tanaka', court, '昼食');

  const idOf = (letter: string) => ids.get(letter) ?? 0;
  await sato.ok(updateMessageFlags, { messages: ['a', 'f'].map(idOf), op: 'add', flag: 'starred' });
  await sato.ok(updateMessageFlags, { messages: [idOf('b')], op: 'add', flag: 'read' });
  await tanaka.ok(addReaction, { message_id: idOf('b'), emoji_name: 'tada' });
  const { database } = fileOf(server);
  const muted = { user_id: server.user('sato'), conversation_id: server.stream(eg.personnel) };
  await database.write((tx) => void tx.run(mute, muted));
  database.close();
  return { server, sato, idOf, letters };
}

type Story = Awaited<ReturnType<typeof talked>>;
type Operand = string | number | number[];
/** An operator with a dash is turned round. */
type Term = readonly [operator: string, operand: Operand | ((story: Story) => Operand)];

const written = (story: Story, terms: readonly Term[]) =>
  terms.map(([operator, operand]) => ({
    operator: operator.replace(/^-/, ''),
    operand: typeof operand === 'function' ? operand(story) : operand,
    negated: operator.startsWith('-'),
  }));

async function found(story: Story, terms: readonly Term[], client = story.sato): Promise<string> {
  const narrow = written(story, terms);
  const { messages } = await client.ok(getMessages, { anchor: 'oldest', num_before: 0, num_after: 100, narrow });
  return messages.map(({ id }) => story.letters.get(id)).join('');
}

const user =
  (...names: readonly string[]) =>
  ({ server }: Story) =>
    names.map(server.user);
const message =
  (letter: string) =>
  ({ idOf }: Story) =>
    idOf(letter);

const received = 'abcdehijl';

/** By what, what it finds, and what it finds turned round. */
const alone: readonly (readonly [Term, found: string, negated: string])[] = [
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

const together: readonly (readonly [readonly Term[], found: string])[] = [
  [
    [
      ['stream', eg.general],
      ['-topic', 'lunch'],
    ],
    'adl',
  ],
  [
    [
      ['stream', eg.general],
      ['is', 'unread'],
    ],
    'adl',
  ],
  [
    [
      ['stream', eg.general],
      ['topic', 'lunch'],
      ['-sender', 'sato@example.com'],
    ],
    'b',
  ],
  [
    [
      ['stream', plaza],
      ['is', 'starred'],
    ],
    'f',
  ],
  [
    [
      ['stream', plaza],
      ['-is', 'unread'],
    ],
    'f',
  ],
  [
    [
      ['streams', 'public'],
      ['-stream', plaza],
    ],
    'm',
  ],
  [
    [
      ['streams', 'public'],
      ['id', message('f')],
    ],
    'f',
  ],
  [
    [
      ['stream', eg.general],
      ['streams', 'public'],
    ],
    '',
  ],
  [
    [
      ['is', 'starred'],
      ['-stream', plaza],
    ],
    'a',
  ],
  [
    [
      ['is', 'starred'],
      ['is', 'unread'],
    ],
    'a',
  ],
  [
    [
      ['is', 'dm'],
      ['sender', 'tanaka@example.com'],
    ],
    'hj',
  ],
  [
    [
      ['is', 'dm'],
      ['-dm', user('tanaka')],
    ],
    'ij',
  ],
  [
    [
      ['dm', user('tanaka')],
      ['stream', eg.general],
    ],
    '',
  ],
  [
    [
      ['is', 'mentioned'],
      ['is', 'unread'],
      ['-is', 'muted'],
    ],
    'd',
  ],
  [
    [
      ['is', 'mentioned'],
      ['has', 'link'],
    ],
    '',
  ],
  [
    [
      ['has', 'attachment'],
      ['has', 'image'],
    ],
    'l',
  ],
  [
    [
      ['-has', 'link'],
      ['sender', 'tanaka@example.com'],
    ],
    'dehj',
  ],
  [
    [
      ['topic', '昼食'],
      ['topic', 'lunch'],
    ],
    '',
  ],
  [
    [
      ['-is', 'dm'],
      ['-in', 'home'],
    ],
    'e',
  ],
  [
    [
      ['with', message('c')],
      ['stream', eg.personnel],
      ['topic', '相談'],
      ['dm', user('ito')],
    ],
    'bc',
  ],
  [
    [
      ['with', message('c')],
      ['-topic', 'lunch'],
    ],
    '',
  ],
];

const meaningless: readonly (readonly [Term, desc: string])[] = [
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

describe('a narrow', () => {
  it('by each operator finds what it asks for, and turned round all else', async () => {
    const story = await talked();
    for (const [[operator, operand], is, isNot] of alone) {
      expect(await found(story, [[operator, operand]]), `${operator} ${String(operand)}`).toBe(is);
      expect(await found(story, [[`-${operator}`, operand]]), `-${operator} ${String(operand)}`).toBe(isNot);
    }
  });

  it('by several terms finds what fulfils all, in whatever order they stand', async () => {
    const story = await talked();
    for (const [terms, letters] of together) {
      expect(await found(story, terms), String(terms)).toBe(letters);
      expect(await found(story, terms.toReversed()), String(terms)).toBe(letters);
    }
  });

  it('that means nothing is refused, also turned round', async () => {
    const story = await talked();
    for (const [[operator, operand], desc] of meaningless) {
      for (const narrow of [written(story, [[operator, operand]]), written(story, [[`-${operator}`, operand]])]) {
        const refusal = await story.sato.refused(getMessages, { anchor: '1', num_before: 1, num_after: 1, narrow });
        const msg = `Invalid narrow operator: ${desc}`;
        expect(refusal, desc).toMatchObject({ status: 400, code: 'BAD_NARROW', msg, desc });
      }
    }
  });

  it('of many messages finds all, each once and in their order', async () => {
    const said = Array.from({ length: 300 }, (_, index) =>
      eg.said(`https://x.example/${index}`, {
        by: index % 3 === 0 ? 'sato' : 'tanaka',
        stream: index % 2 === 0 ? eg.general : eg.personnel,
        topic: index % 5 === 0 ? '昼食' : '夕食',
      }),
    );
    const unread = { email: eg.emailOf('sato'), stream: eg.general, count: 100 };
    const server = await eg.server({ organisation: eg.organisation({ messages: said, unread: [unread] }) });
    const sato = eg.signIn(server, 'sato');
    await sato.ok(updateMessageFlags, { messages: [...server.messages], op: 'add', flag: 'starred' });
    const cases: readonly (readonly [NarrowTerm['operator'], string, (index: number) => boolean])[] = [
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
      const asked = { narrow: [{ operator, operand }], num_before: 0, num_after: 0 };
      const up = await sato.ok(getMessages, { ...asked, anchor: 'oldest', num_after: 300 });
      const down = await sato.ok(getMessages, { ...asked, anchor: 'newest', num_before: 300 });
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

  it('finds by its place what a page does not hold', async () => {
    const story = await talked();
    const narrow = [{ operator: 'is', operand: 'unread' }];
    const asked = { anchor: String(story.idOf('d')), num_before: 1, num_after: 2, narrow };
    const { messages, ...answer } = await story.sato.ok(getMessages, asked);
    expect(messages.map(({ id }) => story.letters.get(id)).join('')).toBe('adeh');
    expect(answer).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
  });

  it('[R6.1] of public streams finds for a guest only those in which they are', async () => {
    const story = await talked();
    const takahashi = eg.signIn(story.server, 'takahashi');
    expect(await found(story, [['streams', 'public']], takahashi)).toBe('f');
    expect(await found(story, [['-streams', 'public']], takahashi)).toBe('abcdl');
  });

  it('has its first unread, in a muted stream only where it names that stream', async () => {
    const story = await talked();
    const first = async (terms: readonly Term[]) => {
      const narrow = written(story, terms);
      const asked = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow };
      const { anchor } = await story.sato.ok(getMessages, asked);
      return anchor === newestAnchor ? 'newest' : story.letters.get(anchor);
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

  it('that must look at too many says that it has not found the ends', async () => {
    const story = await talked();
    const { server, idOf } = story;
    const { database } = fileOf(server);
    const member = { id: server.user('sato'), email: eg.emailOf('sato'), role: roles.administrator, keyId: 1 };
    const noIndex = { find: () => [], indexed: (span: Span) => span };
    const fetched = (terms: readonly Term[], anchor: number | string, mostExamined: number) => {
      const asked = {
        anchor: String(anchor),
        num_before: 5,
        num_after: 5,
        include_anchor: true,
        narrow: written(story, terms),
        apply_markdown: false,
        client_gravatar: false,
        use_first_unread_anchor: false,
        include_deleted: false,
      };
      const answer = fetchMessages(database.reader, member, asked, { index: noIndex, groups: noGroups }, mostExamined);
      const { messages, found_oldest, found_newest } = answer;
      return [messages.map(({ id }) => story.letters.get(id)).join(''), found_oldest, found_newest];
    };
    // Of a b c d e h i j l, before l or after a, the eight others.
    expect(fetched([['has', 'reaction']], 'newest', 9)).toEqual(['b', true, true]);
    expect(fetched([['has', 'reaction']], 'newest', 8)).toEqual(['b', false, true]);
    expect(fetched([['has', 'reaction']], 'newest', 7)).toEqual(['', false, true]);
    expect(fetched([['is', 'resolved']], idOf('a'), 3)).toEqual(['d', true, false]);
    expect(fetched([['is', 'resolved']], idOf('a'), 2)).toEqual(['', true, false]);
    // What an index finds is not looked for.
    expect(fetched([['has', 'link']], 'newest', 1)).toEqual(['a', true, true]);
    expect(fetched([['sender', 'sato@example.com']], 'newest', 2)).toEqual(['ci', true, true]);
  });

  it('looks at what is unread with few queries, however often it is interrupted by what is read', async () => {
    const { server, sato } = await talked();
    const { database } = fileOf(server);
    const place = { conversation_id: server.stream(eg.general), sender_id: server.user('tanaka'), topic: 'x' };
    const row = { ...place, client: 'Engawa', content: '一', features: 0, timestamp: 1 };
    const ids: number[] = [];
    await database.write((tx) => {
      for (let count = 0; count < 4001; count += 1) ids.push(messages.insert(tx, row));
    });
    const every = (rest: number) => ids.filter((_, index) => index % 2 === rest);
    await sato.ok(updateMessageFlags, { messages: every(0), op: 'add', flag: 'read' });
    const narrow = [
      { operator: 'is', operand: 'unread' },
      { operator: 'topic', operand: 'x' },
    ];
    const asked = { anchor: 'newest', num_before: 5000, num_after: 0, narrow };
    const { messages: found, found_oldest } = await sato.ok(getMessages, asked);
    expect([found.map(({ id }) => id), found_oldest]).toEqual([every(1), true]);

    let queries = 0;
    const counting: Reader = {
      get: (...query) => ((queries += 1), database.reader.get(...query)),
      all: (...query) => ((queries += 1), database.reader.all(...query)),
    };
    const member = { id: server.user('sato'), email: eg.emailOf('sato'), role: roles.administrator, keyId: 1 };
    const means = { index: { find: () => [], indexed: (span: Span) => span }, allowance: new Allowance() };
    const terms = narrow.map((term) => ({ ...term, negated: false }));
    const walk = { direction: 'down', span: { after: 0, upTo: newestAnchor }, includeDeleted: false } as const;
    expect([...narrowOf(counting, member, terms, means).candidates(walk)].length).toBeGreaterThanOrEqual(2000);
    expect(queries).toBeLessThan(800);
  });
});

const named = (index: number) => `部屋 ${index}`;

describe('everything that a member of many streams reads', () => {
  it('is theirs alone, whole and in order, however much is said elsewhere', async () => {
    const own = Array.from({ length: 60 }, (_, index) => eg.stream(named(index), ['tanaka', 'sato']));
    const server = await eg.server({ organisation: eg.organisation({ streams: [...own, eg.stream(board.name, ['tanaka'])] }) });
    const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
    const say = async (to: string) => (await tanaka.ok(sendMessage, { type: 'stream', to, topic: 't', content: to })).id;
    const theirs: number[] = [];
    for (let number = 0; number < 30; number += 1) theirs.push(await say(named((number * 7) % 60)));
    // More than twice as many as there are streams.
    for (let number = 0; number < 125; number += 1) await say(board.name);
    for (let number = 0; number < 10; number += 1) theirs.push(await say(named(number)));
    const fetched = async (anchor: number | 'newest', num_before: number) => {
      const answer = await sato.ok(getMessages, {
        anchor: String(anchor),
        num_before,
        num_after: 0,
        include_anchor: anchor === 'newest',
      });
      return { ids: answer.messages.map(({ id }) => id), oldest: answer.found_oldest };
    };
    expect(await fetched('newest', 5)).toEqual({ ids: theirs.slice(-5), oldest: false });
    expect(await fetched('newest', 25)).toEqual({ ids: theirs.slice(-25), oldest: false });
    expect(await fetched('newest', 100)).toEqual({ ids: theirs, oldest: true });
    expect(await fetched(theirs[5] ?? 0, 100)).toEqual({ ids: theirs.slice(0, 5), oldest: true });
  });
});
