import { expect, it } from 'vitest';
import { member } from '../../../test/member.ts';
import { ja } from '../../i18n/search.ja.ts';
import type { Hit } from '../../model/timeline/search.ts';
import type { StreamView } from '../../model/conversations/selectors.ts';
import { membersWithDepartments, hitSections, namedSections, senderSections, type Section } from './sections.ts';

const words = ja;
const yamada = member(1, '山田 健', 'やまだ けん', 'yamada');
const sato = member(2, '佐藤 花子', 'さとう はなこ', 'sato');
const members = membersWithDepartments([
  { key: '1', department: { name: '開発部', members: [yamada, sato] }, members: [yamada, sato] },
  { key: '2', department: { name: '広報室', members: [yamada] }, members: [yamada] },
  { key: '', department: undefined, members: [member(3, 'Lan', '', 'lan')] },
]);
const stream = (streamId: number, name: string): StreamView => ({
  kind: 'stream',
  key: streamId,
  streamId,
  name,
  description: '',
  profile: undefined,
  subscribers: [],
  status: 'active',
  isArchived: false,
  isPinned: false,
  notifies: 'all',
  creatorId: undefined,
  unReadCount: 0,
  mentionCount: 0,
  message: undefined,
  time: undefined,
});
const hit = (messageId: number): Hit => ({
  messageId,
  conversation: 1,
  senderId: 2,
  senderFullName: '',
  avatarUrl: undefined,
  timestamp: 0,
  content: '',
  dialect: 'engawa' as const,
  topic: '',
  file: undefined,
});
const keys = (sections: readonly Section[]) => sections.map(({ rows }) => rows.map(({ key }) => key));

it('[R2.9.1] The search lists a member of several departments once, with all of them', () => {
  expect(members.map(({ fullName, departments }) => [fullName, departments])).toEqual([
    ['山田 健', ['開発部', '広報室']],
    ['佐藤 花子', ['開発部']],
    ['Lan', []],
  ]);
});

it.each(['やまだ', 'ﾔﾏﾀﾞ', 'yamada', '山田'])('[R2.9.1] The search finds a member by the name or reading %s', (query) => {
  expect(keys(namedSections(words, query, [], members))).toEqual([[], ['member-1']]);
  expect(keys(senderSections(words, query, members))).toEqual([['member-1']]);
});

it('[R2.9.1] The search finds streams by name, and finds nothing for a blank query', () => {
  const streams = ['デザイン室', '営業部', 'ﾃﾞｻﾞｲﾝ相談'].map((name, index) => stream(index, name));
  expect(keys(namedSections(words, 'でざいん', streams, members))).toEqual([['stream-0', 'stream-2'], []]);
  expect(namedSections(words, '　', streams, members)).toEqual([]);
  expect(keys(senderSections(words, '', members))[0]).toEqual(['everyone', 'member-1', 'member-2', 'member-3']);
});

it('[R2.9.2] The search shows hits inside other words after the other hits of the page, and no deleted messages', () => {
  const pages = [
    { whole: [hit(8), hit(7)], inOthers: [hit(9)] },
    { whole: [], inOthers: [hit(6)] },
  ];
  const sections = hitSections(words, pages, ({ messageId }) => messageId !== 7);
  expect(keys(sections)).toEqual([['hit-8'], ['hit-9'], [], ['hit-6']]);
  expect(new Set(sections.map(({ key }) => key)).size).toBe(4);
});
