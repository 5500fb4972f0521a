import { fold } from '@engawa/folding';
import type { DepartmentNode } from '@engawa/protocol/product';
import { matches } from '../i18n/matches.ts';
import { compareNames } from '../model/collation.ts';

export interface Member {
  readonly userId: number;
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl: string | undefined;
  /** In kana; empty if unknown. */
  readonly reading: string;
  /** The department, where a list is not grouped by departments. */
  readonly place?: string;
  readonly isGuest?: boolean;
}

export interface PickedDepartments {
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

export interface MemberSection {
  readonly key: string;
  /** Undefined for members without a department, and for members found by a search. */
  readonly department:
    | {
        readonly name: string;
        /** Also the members of the departments below, in the order of the list, without duplicates. */
        readonly members: readonly Member[];
      }
    | undefined;
  readonly members: readonly Member[];
}

export const foundPeopleKey = 'found';

/** The departments in tree order, then the members without one. A member of two departments is in both. */
export function memberSections(people: readonly Member[], departments: readonly DepartmentNode[]): readonly MemberSection[] {
  const members = new Map(people.map((each) => [each.userId, each]));
  const sections = departments.flatMap((node) => sectionsOf(node, members));
  const placed = new Set(sections.flatMap(({ members: those }) => those.map(({ userId }) => userId)));
  const others = inOrder(members.values().filter(({ userId }) => !placed.has(userId)));
  return others.length === 0 ? sections : [...sections, { key: '', department: undefined, members: others }];
}

export function inOrder(members: Iterable<Member>): readonly Member[] {
  const key = ({ reading, fullName }: Member) => fold(reading || fullName);
  return [...members].toSorted((one, other) => compareNames(key(one), key(other)));
}

function sectionsOf(node: DepartmentNode, members: ReadonlyMap<number, Member>): MemberSection[] {
  const below = (node.children ?? []).flatMap((child) => sectionsOf(child, members));
  const own = inOrder(
    (node.memberIds ?? [])
      .values()
      .map((userId) => members.get(userId))
      .filter((each) => !!each),
  );
  const all = withoutDuplicates([...own, ...below.flatMap((section) => section.members)]);
  if (all.length === 0) return [];
  const department = { name: node.displayName, members: all };
  return [{ key: node.departmentCd, department, members: own }, ...below];
}

/**
 * Filters by query: first the members whose name or reading matches, then the departments whose name matches, with all their
 * members, then the members found by their email. A query may combine a name with the name of a department.
 */
export function foundIn(sections: readonly MemberSection[], query: string): readonly MemberSection[] {
  if (query.trim() === '') return sections;
  const named = new Set(sections.filter(({ department }) => department && matches(query, department.name)));
  const people = sections.flatMap((section) => {
    const place = section.department?.name ?? '';
    const ownPlace = named.has(section) ? [] : [place];
    return section.members.map((member) => ({ member: { ...member, place }, ownPlace }));
  });
  const byName = people.filter(({ member: { fullName, reading }, ownPlace }) => matches(query, fullName, reading, ...ownPlace));
  const inNamed = [...named].flatMap(({ members }) => members);
  const listed = new Set([...inNamed, ...byName.map(({ member }) => member)].map(({ userId }) => userId));
  const byEmail = people.filter(
    ({ member: { userId, fullName, reading, email }, ownPlace }) =>
      !listed.has(userId) && matches(query, fullName, reading, email, ...ownPlace),
  );
  const sectionOf = (key: string, found: typeof people): MemberSection[] => {
    const members = withoutDuplicates(found.map(({ member }) => member));
    return members.length === 0 ? [] : [{ key, department: undefined, members }];
  };
  return [...sectionOf(foundPeopleKey, byName), ...named, ...sectionOf(`${foundPeopleKey}-email`, byEmail)];
}

function withoutDuplicates(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [member.userId, member])).values()];
}
