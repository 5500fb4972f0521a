import { setImmediate } from 'node:timers/promises';
import type { Directory, UserSummary } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import {
  type AdministeredMember,
  type AdministeredMembers,
  administrationPaths,
  memberChange,
  memberCreation,
} from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts/accounts.ts';
import { departments, departmentsByUser } from '../departments/store.ts';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import { idParameter, parse, withId } from '../http/parameters.ts';
import type { Organisation } from '../organisation/organisation.ts';
import { type ProfileRow, profilesByUser } from '../profile/store.ts';
import type { Gate } from '../sessions/member.ts';
import { searchFor } from './search.ts';

export interface MemberDependencies {
  readonly configuration: Pick<Configuration, 'authMode'>;
  readonly database: Database;
  readonly chat: Pick<Directory, 'usersAfter'>;
  readonly gate: Pick<Gate, 'administrator'>;
  readonly organisation: Organisation;
  readonly accounts: Pick<Accounts, 'passwordLink'>;
}

const mostOnPage = 100;
const usersPerTurn = 500;

const memberQuery = z.object({
  search: z.string().catch(''),
  state: z.enum(['active', 'inactive', 'all']).catch('active'),
  department: z.string().optional().catch(undefined),
  after: idParameter.catch(0),
});
type MemberQuery = z.output<typeof memberQuery>;

export function memberRoutes(app: FastifyInstance, dependencies: MemberDependencies): void {
  const { configuration, gate, organisation, accounts } = dependencies;

  app.get(administrationPaths.members, async (request, reply) => {
    await gate.administrator(request);
    return reply.header('Cache-Control', 'private, no-store').send(await page(dependencies, memberQuery.parse(request.query)));
  });

  app.post(administrationPaths.members, async (request, reply) => {
    const { id: by } = await gate.administrator(request);
    const { full_name: fullName, email, ...others } = parse(memberCreation, request.body);
    const userId = await organisation.addMember(email, () => ({ fullName, ...others }), by);
    const link = configuration.authMode === 'fake' ? undefined : await accounts.passwordLink(userId, by);
    return reply.header('Cache-Control', 'no-store').send({ user_id: userId, ...(link && { link }) });
  });

  app.patch(`${administrationPaths.members}/:id`, async (request) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    if (!data) throw refused.noSuchMember();
    const { full_name: fullName, is_active: isActive, ...others } = parse(memberChange, request.body);
    await organisation.apply({ departments: [], members: [{ userId: data.id, fullName, isActive, ...others }] }, by);
    return {};
  });
}

/** Lists members by ascending id. A search reads all users, so it is divided into turns of the event loop. */
async function page(
  { database, chat }: MemberDependencies,
  { search, state, department, after }: MemberQuery,
): Promise<AdministeredMembers> {
  const { reader } = database;
  const posted = department === undefined ? undefined : departments.postsIn(reader, [department]);
  const within = posted && new Set(posted.map(({ user_id }) => user_id));
  const isFound = searchFor(search);
  const shown: UserSummary[] = [];
  let total = 0;
  let users = chat.usersAfter(0, usersPerTurn);
  for (let last = users.at(-1); last; last = users.at(-1)) {
    const profileOf = profilesByUser(reader, idsOf(users));
    const matching = users.filter(({ userId, fullName, email, isActive }) => {
      if (state !== 'all' && isActive !== (state === 'active')) return false;
      if (within && !within.has(userId)) return false;
      const { reading = '' } = profileOf.get(userId) ?? {};
      return isFound([fullName, reading, email], [reading]);
    });
    total += matching.length;
    shown.push(...matching.filter(({ userId }) => userId > after).slice(0, mostOnPage + 1 - shown.length));
    await setImmediate();
    users = chat.usersAfter(last.userId, usersPerTurn);
  }
  const ids = idsOf(shown.slice(0, mostOnPage));
  const [profileOf, posts] = [profilesByUser(reader, ids), departmentsByUser(reader, ids)];
  const members = shown.slice(0, mostOnPage).map((person) => ({
    ...memberView(person, profileOf.get(person.userId)),
    departments: [...(posts.get(person.userId) ?? [])],
  }));
  return { members, next: shown.length > mostOnPage ? (ids.at(-1) ?? null) : null, total };
}

const idsOf = (users: readonly UserSummary[]) => users.map(({ userId }) => userId);

function memberView(person: UserSummary, profile: ProfileRow | undefined): Omit<AdministeredMember, 'departments'> {
  return {
    user_id: person.userId,
    full_name: person.fullName,
    email: person.email,
    role: person.role,
    is_active: person.isActive,
    reading: profile?.reading ?? '',
    title: profile?.title ?? '',
    joined: person.joined,
    has_password: person.hasPassword,
  };
}
