import { ChatError, type Steps, cleanFullName, isEmailAddress } from '@engawa/chat-server/parts';
import type { UserSummary, NewPerson, PersonChange } from '../chat/backend.ts';
import { type Role, roles } from '@engawa/protocol';
import { maxEmployeeNumber, maxPosts, maxReadingLength, maxTitleLength } from '@engawa/protocol/administration';
import { refused } from '../http/errors.ts';
import type { ProfileRow } from '../profile/store.ts';
import type { OrganisationPlan, PlannedMember } from './plan.ts';
import type { OrganisationState } from './state.ts';

export interface MemberAfter {
  /** Undefined for a new member. */
  readonly userId: number | undefined;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly reading: string;
  readonly title: string;
  readonly employeeNumber: string;
  /** The hash of a new password; undefined if the plan sets none. */
  readonly passwordHash: string | undefined;
  readonly departments: readonly string[];
  /** The changed fields, named as in the administration calls; empty for a new member. */
  readonly what: readonly string[];
}

export function* membersAfter(
  plan: OrganisationPlan,
  state: OrganisationState,
  codes: ReadonlySet<string>,
): Steps<MemberAfter[]> {
  const members: MemberAfter[] = [];
  for (const planned of plan.members) {
    const userId = planned.userId ?? state.byEmail.get(planned.email?.trim().toLowerCase() ?? '');
    const before = userId === undefined ? undefined : state.people.get(userId);
    if (planned.userId !== undefined && !before) throw refused.noSuchMember();
    members.push(before ? changed(planned, before, state, codes) : made(planned, codes));
    yield;
  }
  refuseDuplicates(members, state);
  return members;
}

function made(planned: PlannedMember, codes: ReadonlySet<string>): MemberAfter {
  const {
    email = '',
    fullName = '',
    reading = '',
    title = '',
    employeeNumber = '',
    role = roles.member,
    isActive = true,
  } = planned;
  return {
    userId: undefined,
    email: cleanEmail(email),
    fullName: cleanName(fullName),
    role,
    isActive,
    reading: clean(reading, maxReadingLength),
    title: clean(title, maxTitleLength),
    employeeNumber: clean(employeeNumber, maxEmployeeNumber),
    passwordHash: planned.passwordHash,
    departments: postsOf(planned.departments ?? [], codes),
    what: [],
  };
}

function changed(planned: PlannedMember, before: UserSummary, state: OrganisationState, codes: ReadonlySet<string>): MemberAfter {
  const { userId } = before;
  const profile = state.profiles.get(userId);
  const posts = state.posts.get(userId) ?? [];
  const { passwordHash } = planned;
  const after = {
    userId,
    email: planned.userId === undefined || planned.email === undefined ? before.email : cleanEmail(planned.email),
    fullName: planned.fullName === undefined ? before.fullName : cleanName(planned.fullName),
    role: planned.role ?? before.role,
    isActive: planned.isActive ?? before.isActive,
    reading: planned.reading === undefined ? (profile?.reading ?? '') : clean(planned.reading, maxReadingLength),
    title: planned.title === undefined ? (profile?.title ?? '') : clean(planned.title, maxTitleLength),
    employeeNumber: employeeNumberOf(planned, profile),
    passwordHash,
    departments: planned.departments === undefined ? posts : postsOf(planned.departments, codes),
  };
  const differences: readonly (readonly [what: string, differs: boolean])[] = [
    ['full_name', after.fullName !== before.fullName],
    ['email', after.email !== before.email],
    ['reading', after.reading !== (profile?.reading ?? '')],
    ['title', after.title !== (profile?.title ?? '')],
    ['employee_number', after.employeeNumber !== (profile?.employee_number ?? '')],
    ['role', after.role !== before.role],
    ['is_active', after.isActive !== before.isActive],
    ['departments', after.departments.join('\n') !== posts.join('\n')],
    ['password', passwordHash !== undefined],
  ];
  return { ...after, what: differences.flatMap(([what, differs]) => (differs ? what : [])) };
}

function employeeNumberOf({ employeeNumber }: PlannedMember, profile: ProfileRow | undefined): string {
  return employeeNumber === undefined ? (profile?.employee_number ?? '') : clean(employeeNumber, maxEmployeeNumber);
}

export function newPerson(member: MemberAfter): NewPerson {
  const { email, fullName, role, isActive, passwordHash: password = '' } = member;
  return { email, fullName, role, isActive, password };
}

export function personChange({ userId, what, passwordHash, ...after }: MemberAfter): PersonChange | undefined {
  if (userId === undefined) return undefined;
  const change = {
    userId,
    fullName: what.includes('full_name') ? after.fullName : undefined,
    email: what.includes('email') ? after.email : undefined,
    role: what.includes('role') ? after.role : undefined,
    isActive: what.includes('is_active') ? after.isActive : undefined,
    password: passwordHash,
  };
  const { userId: _, ...changes } = change;
  return Object.values(changes).some((value) => value !== undefined) ? change : undefined;
}

/** An early check with a clear refusal; the chat server checks again in its transaction. */
function refuseDuplicates(members: readonly MemberAfter[], { byEmail }: OrganisationState): void {
  const seen = new Set<string>();
  const ids = new Set<number>();
  for (const { email, userId } of members) {
    const key = email.toLowerCase();
    const holder = byEmail.get(key);
    if (seen.has(key) || (holder !== undefined && holder !== userId)) throw refused.emailInUse();
    if (userId !== undefined && ids.has(userId)) throw refused.memberTwice();
    seen.add(key);
    if (userId !== undefined) ids.add(userId);
  }
}

function cleanEmail(email: string): string {
  const trimmed = email.trim();
  if (!isEmailAddress(trimmed)) throw refused.emailMalformed();
  return trimmed;
}

function cleanName(name: string): string {
  try {
    return cleanFullName(name);
  } catch (error) {
    if (error instanceof ChatError) throw refused.memberName(error.message);
    throw error;
  }
}

/** Puts the text on one line, because lists, files and terminals show it. */
function clean(text: string, most: number): string {
  const trimmed = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if ([...trimmed].length > most) throw refused.textTooLong(most);
  return trimmed;
}

function postsOf(departments: readonly string[], codes: ReadonlySet<string>): string[] {
  const posts = [...new Set(departments)];
  if (posts.length > maxPosts) throw refused.tooManyPosts(maxPosts);
  if (!posts.every((code) => codes.has(code))) throw refused.noSuchDepartment();
  return posts;
}
