import type { FakeSignIn } from '../sessions/fakeSignIn.ts';
import { type DemoDepartment, departments } from './departments.ts';
import { type DemoPerson, defaultMember, people } from './people.ts';

export const demoPassword = 'demo';

/** Where the built-in pictures lie among the screens. */
export function avatarUrl({ avatar }: DemoPerson): string | null {
  return avatar === undefined ? null : `/avatars/avatar-${avatar}.svg`;
}

/** The members of the demo organisation, as they are picked from when nobody is signed in. */
export const demoSignIn: FakeSignIn = {
  password: demoPassword,
  defaultMember,
  candidates: people.map((person) => ({
    email: person.email,
    full_name: person.name,
    reading: person.reading,
    title: person.title,
    department: departmentNames(departments).get(person.departments[0] ?? '') ?? '',
    avatar_url: avatarUrl(person),
  })),
};

function departmentNames(nodes: readonly DemoDepartment[]): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ departmentCd, displayName, children = [] }) => [
      [departmentCd, displayName] as const,
      ...departmentNames(children),
    ]),
  );
}
