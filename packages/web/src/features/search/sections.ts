/** The sections of the search panel, in the order of the arrow keys. */
import type { Member, MemberSection } from '../../components/memberSections.ts';
import type { SearchDictionary } from '../../i18n/search.ja.ts';
import { matches } from '../../i18n/matches.ts';
import type { Hit } from '../../model/timeline/search.ts';
import type { StreamView } from '../../model/conversations/selectors.ts';
import type { Page } from './searching.ts';

export interface MemberWithDepartments extends Member {
  readonly departments: readonly string[];
}

export type Row =
  | { readonly kind: 'recent'; readonly key: string; readonly query: string }
  | { readonly kind: 'stream'; readonly key: string; readonly stream: StreamView }
  /** Without `member`, the row means all senders. `isWayOn`: it searches the messages of the member, else it picks the sender. */
  | {
      readonly kind: 'member';
      readonly key: string;
      readonly member: MemberWithDepartments | undefined;
      readonly isWayOn: boolean;
    }
  | { readonly kind: 'hit'; readonly key: string; readonly hit: Hit };

export interface Section {
  readonly key: string;
  readonly heading: string;
  readonly rows: readonly Row[];
}

type Words = SearchDictionary;

/** Few streams and members are listed, so the messages below them stay visible. */
const mostNamed = 3;
const mostMembers = 50;

export function membersWithDepartments(sections: readonly MemberSection[]): readonly MemberWithDepartments[] {
  const byId = new Map<number, MemberWithDepartments>();
  for (const { department, members: own } of sections) {
    for (const member of own) {
      const departments = byId.get(member.userId)?.departments ?? [];
      byId.set(member.userId, { ...member, departments: department ? [...departments, department.name] : departments });
    }
  }
  return [...byId.values()];
}

export function recentSection(words: Words, queries: readonly string[]): Section {
  const rows = queries.map((query): Row => ({ kind: 'recent', key: `recent-${query}`, query }));
  return { key: 'recent', heading: words.recent, rows };
}

export function namedSections(
  words: Words,
  query: string,
  streams: readonly StreamView[],
  members: readonly MemberWithDepartments[],
): readonly Section[] {
  if (query.trim() === '') return [];
  const named = streams.filter(({ name }) => matches(query, name)).slice(0, mostNamed);
  return [
    {
      key: 'streams',
      heading: words.streams,
      rows: named.map((stream): Row => ({ kind: 'stream', key: `stream-${stream.streamId}`, stream })),
    },
    {
      key: 'people',
      heading: words.people,
      rows: membersFound(query, members, mostNamed).map((member) => rowOf(member, true)),
    },
  ];
}

export function senderSections(words: Words, query: string, members: readonly MemberWithDepartments[]): readonly Section[] {
  const everyone: Row = { kind: 'member', key: 'everyone', member: undefined, isWayOn: false };
  const found = membersFound(query, members, mostMembers).map((member) => rowOf(member, false));
  return [{ key: 'people', heading: words.people, rows: [...(query.trim() === '' ? [everyone] : []), ...found] }];
}

function membersFound(query: string, members: readonly MemberWithDepartments[], most: number): readonly MemberWithDepartments[] {
  return members.filter(({ fullName, reading, email }) => matches(query, fullName, reading, email)).slice(0, most);
}

function rowOf(member: MemberWithDepartments, isWayOn: boolean): Row {
  return { kind: 'member', key: `member-${member.userId}`, member, isWayOn };
}

/** Each page has its own sections, so shown hits do not move when the next page loads. */
export function hitSections(words: Words, pages: readonly Page[], isOpenable: (hit: Hit) => boolean): readonly Section[] {
  return pages.flatMap(({ whole, inOthers }) => {
    const [first] = [...whole, ...inOthers];
    const section = (key: string, heading: string, hits: readonly Hit[]): Section => ({
      key: `${key}-${first?.messageId}`,
      heading,
      rows: hits.filter(isOpenable).map((hit): Row => ({ kind: 'hit', key: `hit-${hit.messageId}`, hit })),
    });
    return [section('whole', words.messages, whole), section('inOthers', words.inOthers, inOthers)];
  });
}
