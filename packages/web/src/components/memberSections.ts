import { fold } from '@engawa/folding';
import type { DepartmentNode } from '@engawa/protocol/product';
import { matches } from '../i18n/matches.ts';

export interface Member {
  readonly userId: number;
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl: string | undefined;
  /** In kana; empty if unknown. */
  readonly reading: string;
  readonly isGuest?: boolean;
}

export interface PickedDepartments {
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

export interface MemberSection {
  readonly key: string;
  /** Undefined for members without a department. */
  readonly department:
    | {
        readonly name: string;
        readonly userIds: readonly number[];
      }
    | undefined;
  readonly members: readonly Member[];
}

const byReading = new Intl.Collator('ja');

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
  return [...members].toSorted((one, other) => byReading.compare(key(one), key(other)));
}

function sectionsOf(node: DepartmentNode, members: ReadonlyMap<number, Member>): MemberSection[] {
  const below = (node.children ?? []).flatMap((child) => sectionsOf(child, members));
  const own = inOrder(
    (node.memberIds ?? [])
      .values()
      .map((userId) => members.get(userId))
      .filter((each) => !!each),
  );
  const userIds = new Set([own, ...below.map((section) => section.members)].flat().map(({ userId }) => userId));
  if (userIds.size === 0) return [];
  const department = { name: node.displayName, userIds: [...userIds] };
  return [{ key: node.departmentCd, department, members: own }, ...below];
}

/** Filters by query: a department whose name matches keeps all members, others keep the members that match. */
export function foundIn(sections: readonly MemberSection[], query: string): readonly MemberSection[] {
  if (query.trim() === '') return sections;
  return sections.flatMap((section) => {
    const place = section.department?.name ?? '';
    const members = section.members.filter(({ fullName, reading, email }) => matches(query, fullName, reading, email, place));
    return members.length > 0 || isNamed(section, query) ? [{ ...section, members }] : [];
  });
}

export function isNamed({ department }: MemberSection, query: string): boolean {
  return department !== undefined && query.trim() !== '' && matches(query, department.name);
}
