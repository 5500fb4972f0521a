/** Candidates for a mention, found by name, by reading in kana or Latin letters, and by department. */
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
      /** Whether the member is in the stream. A mention does not reach members outside. */
      readonly joined: boolean;
    })
  /** `count`: members in the stream, without the own member. */
  | (Candidate & { readonly kind: 'department'; readonly name: string; readonly count: number })
  | (Candidate & { readonly kind: 'all'; readonly count: number });

export interface MentionSources {
  readonly me: number | undefined;
  readonly members: readonly Member[];
  readonly subscribers: readonly number[];
  readonly departments: readonly DepartmentNode[];
  readonly allNames: readonly string[];
}

export interface MentionIndex {
  find(query: string): readonly MentionCandidate[];
}

const mostOfEach = 20;

export function mentionIndex({ me, members, subscribers, departments, allNames }: MentionSources): MentionIndex {
  const inStream = new Set(subscribers);
  const others = new Set(subscribers.filter((userId) => userId !== me));
  const named = Map.groupBy(members, ({ fullName }) => fullName.toLowerCase());
  const people = members
    .filter(({ userId }) => userId !== me)
    .map((member): Entry => {
      const { userId, fullName, reading, email } = member;
      const isAlone = named.get(fullName.toLowerCase())?.length === 1;
      const text = memberMention(userId, fullName, isAlone);
      return {
        candidate: { kind: 'member', key: `user-${userId}`, text, member, joined: inStream.has(userId) },
        names: [fullName, reading],
        readings: [fullName, reading],
        address: fold(email.split('@', 1)[0] ?? ''),
      };
    })
    .map(folded);
  const groups = departmentGroups(departments)
    .flatMap(({ name, department }): Entry[] => {
      const userIds = new Set(departmentsWithin(department).flatMap(({ memberIds = [] }) => memberIds));
      const count = others.intersection(userIds).size;
      if (count === 0 || count > maxGroupMentioned) return [];
      const candidate = { kind: 'department', key: `department-${department.departmentCd}`, name, count } as const;
      return [{ candidate: { ...candidate, text: `@*${name}*` }, names: [name], readings: [name], address: '' }];
    })
    .map(folded);
  const all: readonly Entry[] =
    others.size === 0
      ? []
      : [
          {
            candidate: { kind: 'all', key: 'all', text: '@**all**', count: others.size },
            names: allNames,
            readings: allNames,
            address: 'all',
          },
        ];
  const kinds = [
    people.filter(({ candidate }) => candidate.kind === 'member' && candidate.joined),
    groups,
    all.map(folded),
    people.filter(({ candidate }) => candidate.kind === 'member' && !candidate.joined),
  ];
  return {
    find(query) {
      const wanted = wantedBy(query);
      return kinds.flatMap((entries) => bestOf(entries, wanted).slice(0, mostOfEach));
    },
  };
}

/** Names with another meaning inside a mention. */
const wildcards = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

export function memberMention(userId: number, fullName: string, isAlone: boolean): string {
  if (/[*\n]/.test(fullName) || fullName.trim() === '') return `@**|${userId}**`;
  const isPlain = isAlone && !wildcards.has(fullName) && !/\|\d+$/.test(fullName);
  return isPlain ? `@**${fullName}**` : `@**${fullName}|${userId}**`;
}

interface Entry {
  readonly candidate: MentionCandidate;
  readonly names: readonly string[];
  readonly readings: readonly string[];
  /** The local part of an email address. */
  readonly address: string;
}

interface Folded {
  readonly candidate: MentionCandidate;
  /** Whole names without blanks, and their parts. */
  readonly whole: readonly string[];
  readonly parts: readonly string[];
  readonly romaji: readonly string[];
}

const blanks = /\s+/;
const together = (text: string): string => fold(text).split(blanks).join('');

function folded({ candidate, names, readings, address }: Entry): Folded {
  const parts = names.flatMap((name) => fold(name).split(blanks).slice(1));
  const spoken = readings.flatMap((name) => [name, ...name.split(blanks).slice(1)]).map(romaji);
  return {
    candidate,
    whole: [...names.map(together), address].filter(Boolean),
    parts: parts.filter(Boolean),
    romaji: spoken.filter(Boolean),
  };
}

interface Wanted {
  readonly text: string;
  readonly romaji: string;
}

function wantedBy(query: string): Wanted {
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
