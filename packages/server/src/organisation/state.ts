import { type Steps, inTurns, slicesOf } from '@engawa/chat-server/parts';
import type { OrganisationDirectory, Overview, UserSummary } from '../chat/backend.ts';
import type { Database, Reader } from '@engawa/chat-server/database';
import { type DepartmentRow, departments, departmentsByUser } from '../departments/store.ts';
import { type ProfileRow, profilesByUser } from '../profile/store.ts';
import type { OrganisationPlan } from './plan.ts';

export interface OrganisationState {
  readonly departments: readonly DepartmentRow[];
  readonly posts: ReadonlyMap<number, readonly string[]>;
  readonly profiles: ReadonlyMap<number, ProfileRow>;
  readonly people: ReadonlyMap<number, UserSummary>;
  readonly byEmail: ReadonlyMap<string, number>;
  readonly streamNames: ReadonlyMap<number, string>;
  /** The current subscribers among the affected members, by stream id; undefined for a stream whose members are hidden. */
  readonly insiders: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The work grows with the named people, the members of moved departments, and the departments (at most `maxDepartments`). */
export async function stateFor(
  database: Database,
  directory: Pick<OrganisationDirectory, 'overview'>,
  plan: OrganisationPlan,
): Promise<OrganisationState> {
  const emails = plan.members.flatMap(({ email }) => email?.trim().toLowerCase() ?? []);
  const { rows, affected } = database.snapshot((reader) => departmentsFor(reader, plan));
  const streamIds = rows.flatMap(({ stream_id }) => stream_id ?? []);
  const userIds = [...plan.members.flatMap(({ userId }) => userId ?? []), ...affected];
  const known = await directory.overview({ userIds, emails, streamIds });
  return { departments: rows, ...(await inTurns(detailsOf(database, known.people))), ...(await inTurns(indexed(known))) };
}

function* detailsOf(database: Database, people: readonly UserSummary[]): Steps<Pick<OrganisationState, 'posts' | 'profiles'>> {
  const posts = new Map<number, readonly string[]>();
  const profiles = new Map<number, ProfileRow>();
  for (const some of slicesOf(people)) {
    const ids = some.map(({ userId }) => userId);
    database.snapshot((reader) => {
      for (const [userId, own] of departmentsByUser(reader, ids)) posts.set(userId, own);
      for (const [userId, profile] of profilesByUser(reader, ids)) profiles.set(userId, profile);
    });
    yield;
  }
  return { posts, profiles };
}

function departmentsFor(reader: Reader, plan: OrganisationPlan) {
  const rows = departments.all(reader);
  const moving = plan.departments.flatMap(({ code, parent }) => (parent === undefined ? [] : code));
  const codes = [...codesWithin(rows, moving), ...(plan.removedDepartments ?? [])];
  return { rows, affected: new Set(departments.postsIn(reader, codes).map(({ user_id }) => user_id)) };
}

function codesWithin(rows: readonly DepartmentRow[], codes: readonly string[]): string[] {
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const within = new Set(codes);
  // The loop also visits the codes that it adds, so it finds all levels below.
  for (const code of within) for (const { department_cd } of children.get(code) ?? []) within.add(department_cd);
  return [...within];
}

function* indexed({
  people,
  streams,
  stays,
  hiddenStreams = [],
}: Overview & { readonly hiddenStreams?: readonly number[] }): Steps<
  Pick<OrganisationState, 'people' | 'byEmail' | 'streamNames' | 'insiders'>
> {
  const insiders = new Map<number, Set<number>>(streams.map(({ streamId }) => [streamId, new Set()]));
  for (const streamId of hiddenStreams) insiders.delete(streamId);
  for (const some of slicesOf(stays)) {
    for (const { streamId, userId } of some) insiders.get(streamId)?.add(userId);
    yield;
  }
  return {
    people: new Map(people.map((person) => [person.userId, person])),
    byEmail: new Map(people.map(({ email, userId }) => [email.toLowerCase(), userId])),
    streamNames: new Map(streams.filter(({ isArchived }) => !isArchived).map(({ streamId, name }) => [streamId, name])),
    insiders,
  };
}
