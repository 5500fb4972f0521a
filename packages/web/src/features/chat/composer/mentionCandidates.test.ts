import { describe, expect, it } from 'vitest';
import { memberMention, mentionIndex, type MentionCandidate, type MentionSources } from './mentionCandidates.ts';

const member = (userId: number, fullName: string, reading: string, name: string) => ({
  userId,
  fullName,
  reading,
  email: `${name}@engawa.example`,
  avatarUrl: undefined,
});
const members = [
  member(1, '石川 健', 'いしかわ けん', 'ishikawa'),
  member(2, '佐藤 花子', 'さとう はなこ', 'h.sato'),
  member(3, '佐藤 健太', 'さとう けんた', 'k.sato'),
  member(4, '田中 愛', 'たなか あい', 'tanaka'),
  member(5, '髙橋 しょうじ', 'たかはし しょうじ', 'takahashi'),
  member(6, 'Kevin Smith', '', 'kevin'),
  member(7, '花田 健', 'はなだ けん', 'hanada'),
];
const departments = [
  {
    departmentCd: '1',
    displayName: '開発本部',
    memberIds: [1],
    children: [
      { departmentCd: '1-1', displayName: 'デザイン室', memberIds: [2, 4] },
      { departmentCd: '1-2', displayName: '基盤技術部', memberIds: [7] },
    ],
  },
];
const sources: MentionSources = {
  me: 4,
  members,
  subscribers: [1, 2, 4, 5, 6],
  departments,
  groups: [],
  allNames: ['全員', 'ぜんいん', 'みんな'],
};
const shown = (candidate: MentionCandidate): string => {
  if (candidate.kind === 'all') return `all ${candidate.count}`;
  if (candidate.kind === 'group') return `${candidate.name} ${candidate.count}`;
  return candidate.joined ? candidate.member.fullName : `(${candidate.member.fullName})`;
};
const found = (query: string, change: Partial<MentionSources> = {}) =>
  mentionIndex({ ...sources, ...change })
    .find(query)
    .map(shown);

describe('mention candidates', () => {
  it('[I5.5] The mention index finds groups that members made after the departments, and leaves out those without another subscriber', () => {
    const groups = [
      { id: 101, name: '登山部', members: new Set([1, 4, 7]) },
      { id: 102, name: '外の会', members: new Set([3, 4]) },
    ];
    expect(found('登山', { groups })).toEqual(['登山部 1']);
    expect(found('外の', { groups })).toEqual([]);
    expect(found('', { groups }).slice(4, 7)).toEqual(['開発本部 2', 'デザイン室 1', '登山部 1']);
  });

  it('[I5.5] For an empty query, the mention index lists subscribers, departments, all and then other members, never the own member', () => {
    expect(found('')).toEqual([
      '石川 健',
      '佐藤 花子',
      '髙橋 しょうじ',
      'Kevin Smith',
      '開発本部 2',
      'デザイン室 1',
      'all 4',
      '(佐藤 健太)',
      '(花田 健)',
    ]);
  });

  it.each([
    ['佐藤', ['佐藤 花子', '(佐藤 健太)']],
    ['さとう', ['佐藤 花子', '(佐藤 健太)']],
    ['ｻﾄｳ', ['佐藤 花子', '(佐藤 健太)']],
    ['sato', ['佐藤 花子', '(佐藤 健太)']],
    ['satou', ['佐藤 花子', '(佐藤 健太)']],
    ['Ｓａｔｏ', ['佐藤 花子', '(佐藤 健太)']],
    ['高橋', ['髙橋 しょうじ']],
    ['shoji', ['髙橋 しょうじ']],
    ['はな', ['佐藤 花子', '(花田 健)']],
    ['hana', ['佐藤 花子', '(花田 健)']],
    ['佐藤 花', ['佐藤 花子']],
    ['佐藤花子', ['佐藤 花子']],
    ['さとう　はな', ['佐藤 花子']],
    ['sato hana', ['佐藤 花子']],
    ['kevin', ['Kevin Smith']],
    ['smith', ['Kevin Smith']],
    ['ishikawa', ['石川 健']],
    ['デザ', ['デザイン室 1']],
    ['ぜん', ['all 4']],
    ['all', ['all 4']],
    ['基盤', []],
    ['愛', []],
    ['tanaka', []],
    ['example', []],
    ['佐藤 花子 さん、お願いします', []],
    ['sato wrote', []],
  ])('[I5.5] The mention index finds for the query %j the mentions %j', (query, names) => {
    expect(found(query)).toEqual(names);
  });

  it('[I5.5] The mention index ranks a name that starts with the query above a name that contains it', () => {
    const subscribers = members.map(({ userId }) => userId);
    expect(found('けん', { subscribers })).toEqual(['石川 健', '佐藤 健太', '花田 健']);
    expect(found('花', { subscribers })).toEqual(['花田 健', '佐藤 花子']);
  });

  it('[I5.5] The mention index lists only members outside the stream if the own member is its only subscriber', () => {
    expect(found('', { subscribers: [4] })).toEqual(
      members.filter(({ userId }) => userId !== 4).map((each) => `(${each.fullName})`),
    );
  });

  it('[I5.5] The mention index returns at most 20 members for a query', () => {
    const many = Array.from({ length: 1000 }, (_, index) => member(100 + index, `社員 ${index}`, '', `m${index}`));
    expect(found('社員', { members: many, subscribers: many.map(({ userId }) => userId) })).toHaveLength(20);
  });
});

describe('the markup of a mention', () => {
  it.each([
    ['佐藤 花子', true, '@**佐藤 花子**'],
    ['佐藤 花子', false, '@**佐藤 花子|7**'],
    ['all', true, '@**all|7**'],
    ['x|12', true, '@**x|12|7**'],
    ['五*星', true, '@**|7**'],
    [' ', true, '@**|7**'],
  ])('[I5.5] memberMention writes the mention of %j (the only member with this name: %s) as %s', (name, isAlone, text) => {
    expect(memberMention(7, name, isAlone)).toBe(text);
  });

  it('[I5.5] The mention index adds the user id to the mention of a name that several members share', () => {
    const same = [member(1, '佐藤 花子', '', 'a'), member(2, '佐藤 花子', '', 'b')];
    const index = mentionIndex({ ...sources, members: same, subscribers: [1, 2], departments: [] });
    expect(index.find('佐藤').map(({ text }) => text)).toEqual(['@**佐藤 花子|1**', '@**佐藤 花子|2**']);
  });
});
