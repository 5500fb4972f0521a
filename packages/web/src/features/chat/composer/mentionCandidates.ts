import { fold } from '@engawa/folding';
import { romaji } from '@engawa/folding/romaji';
import { maxGroupMentioned } from '@engawa/protocol';
import { departmentGroups, departmentsWithin, type DepartmentNode } from '@engawa/protocol/product';
import type { Member } from '../../../components/memberSections.ts';

interface Candidate {
  readonly key: string;
  readonly text: string;
}

export type MentionCandidate =
  | (Candidate & {
      readonly kind: 'member';
      readonly member: Member;
      readonly joined: boolean;
    })
  /** `count`: how many members of the stream the mention notifies, without the own member. */
  | (Candidate & { readonly kind: 'group'; readonly name: string; readonly count: number })
  | (Candidate & { readonly kind: 'all'; readonly count: number });

export interface MentionSources {
  readonly me: number | undefined;
  readonly members: readonly Member[];
  readonly subscribers: readonly number[];
  readonly departments: readonly DepartmentNode[];
  /** Groups that members made. */
  readonly groups: readonly { readonly id: number; readonly name: string; readonly members: ReadonlySet<number> }[];
  readonly allNames: readonly string[];
}

const mostOfEach = 20;

export function mentionIndex({ me, members, subscribers, departments, groups: made, allNames }: MentionSources) {
  const inStream = new Set(subscribers);
  const others = new Set(subscribers.filter((userId) => userId !== me));
  const named = Map.groupBy(members, ({ fullName }) => fullName.toLowerCase());
  const people = members
    .filter(({ userId }) => userId !== me)
    .map((member) => {
      const { userId, fullName, reading, email } = member;
      const isAlone = named.get(fullName.toLowerCase())?.length === 1;
      const text = memberMention(userId, fullName, isAlone);
      const candidate = { kind: 'member', key: `user-${userId}`, text, member, joined: inStream.has(userId) } as const;
      return folded(candidate, [fullName, reading], fold(email.split('@', 1)[0] ?? ''));
    });
  const group = (key: string, name: string, userIds: ReadonlySet<number>): Folded[] => {
    const count = others.intersection(userIds).size;
    if (count === 0 || count > maxGroupMentioned) return [];
    return [folded({ kind: 'group', key, text: `@*${name}*`, name, count }, [name])];
  };
  const groups = [
    ...departmentGroups(departments).flatMap(({ name, department }) => {
      const userIds = departmentsWithin(department).flatMap(({ memberIds = [] }) => memberIds);
      return group(`department-${department.departmentCd}`, name, new Set(userIds));
    }),
    ...made.flatMap(({ id, name, members: userIds }) => group(`group-${id}`, name, userIds)),
  ];
  const all = folded({ kind: 'all', key: 'all', text: '@**all**', count: others.size }, allNames, 'all');
  const kinds = [
    people.filter(({ candidate }) => candidate.kind === 'member' && candidate.joined),
    groups,
    others.size === 0 ? [] : [all],
    people.filter(({ candidate }) => candidate.kind === 'member' && !candidate.joined),
  ];
  return {
    find(query: string): readonly MentionCandidate[] {
      const wanted = wantedBy(query);
      return kinds.flatMap((entries) => bestOf(entries, wanted).slice(0, mostOfEach));
    },
  };
}

const wildcards = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

export function memberMention(userId: number, fullName: string, isAlone: boolean): string {
  if (/[*\n]/.test(fullName) || fullName.trim() === '') return `@**|${userId}**`;
  const isPlain = isAlone && !wildcards.has(fullName) && !/\|\d+$/.test(fullName);
  return isPlain ? `@**${fullName}**` : `@**${fullName}|${userId}**`;
}

interface Folded {
  readonly candidate: MentionCandidate;
  readonly whole: readonly string[];
  readonly parts: readonly string[];
  readonly romaji: readonly string[];
}

const blanks = /\s+/;
const together = (text: string): string => fold(text).split(blanks).join('');

/** @param address The local part of an email address. */
function folded(candidate: MentionCandidate, names: readonly string[], address = ''): Folded {
  const parts = names.flatMap((name) => fold(name).split(blanks).slice(1));
  const spoken = names.flatMap((name) => [name, ...name.split(blanks).slice(1)]).map(romaji);
  return {
    candidate,
    whole: [...names.map(together), address].filter(Boolean),
    parts: parts.filter(Boolean),
    romaji: spoken.filter(Boolean),
  };
}

type Wanted = ReturnType<typeof wantedBy>;

function wantedBy(query: string) {
  const text = together(query);
  // Kana match literally: さと matches さとう and not さどう.
  return { text, romaji: /^[a-z'-]+$/.test(text) ? romaji(text) : '' };
}

function bestOf(entries: readonly Folded[], wanted: Wanted): readonly MentionCandidate[] {
  const fitting = entries.map((entry) => ({ candidate: entry.candidate, rank: rankOf(entry, wanted) }));
  return fitting
    .filter(({ rank }) => rank !== undefined)
    .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ candidate }) => candidate);
}

/** A lower rank is better; undefined without a match. */
function rankOf({ whole, parts, romaji: spoken }: Folded, { text, romaji: latin }: Wanted): number | undefined {
  if (whole.some((name) => name.startsWith(text))) return 0;
  if (latin !== '' && spoken.some((name) => name.startsWith(latin))) return 0;
  if (parts.some((part) => part.startsWith(text))) return 1;
  return whole.some((name) => name.includes(text)) && latin === '' ? 2 : undefined;
}
