import type { ChatServer } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import { type Candidate, builtInAvatarPath } from '@engawa/protocol/product';
import type { FakeSignIn } from '../sessions/fakeSignIn.ts';
import { type DemoDepartment, departments } from './departments.ts';
import { type DemoPerson, defaultMember, people } from './people.ts';
import { demoMembers } from './store.ts';

export const demoPassword = 'demo';

export function avatarUrl({ avatar }: DemoPerson): string | null {
  return avatar === undefined ? null : builtInAvatarPath(avatar);
}

export function demoSignIn(database: Database, chat: Pick<ChatServer, 'user'>): FakeSignIn {
  const numbers = new Map(demoMembers.all(database.reader).map(({ email, user_id }) => [email, user_id]));
  const first = new Map(asMade.map((candidate) => [candidate.email, candidate]));
  const now = (candidate: Candidate): Candidate => {
    const number = numbers.get(candidate.email);
    const user = number === undefined ? undefined : chat.user(number);
    if (!user) return candidate;
    const { email, full_name, avatar_url = null } = user;
    return { ...candidate, email, full_name, avatar_url };
  };
  const candidates = () => asMade.map(now);
  const find = (email: string) => {
    const sought = email.toLowerCase();
    const made = first.get(sought);
    return candidates().find((candidate) => candidate.email.toLowerCase() === sought) ?? (made && now(made));
  };
  return { password: demoPassword, candidates, find, defaultMember: () => find(defaultMember)?.email ?? defaultMember };
}

function departmentNames(nodes: readonly DemoDepartment[]): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ departmentCd, displayName, children = [] }) => [
      [departmentCd, displayName] as const,
      ...departmentNames(children),
    ]),
  );
}

const departmentName = departmentNames(departments);
const asMade: readonly Candidate[] = people.map((person) => ({
  email: person.email,
  full_name: person.name,
  reading: person.reading,
  title: person.title,
  department: departmentName.get(person.departments[0] ?? '') ?? '',
  avatar_url: avatarUrl(person),
}));
