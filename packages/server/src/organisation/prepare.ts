import { type Steps, inTurns } from '@engawa/chat-server/parts';
import type { BoundStreamChange, OrganisationDirectory, Person } from '../chat/backend.ts';
import type { OrganisationDifference, StreamStay } from '@engawa/protocol/administration';
import { refused } from '../http/errors.ts';
import type { OrganisationChange } from './change.ts';
import { type DepartmentsAfter, departmentsAfter, lineOf } from './departmentsAfter.ts';
import { type MemberAfter, membersAfter, personChange, newPerson } from './membersAfter.ts';
import type { OrganisationPlan } from './plan.ts';
import type { OrganisationState } from './state.ts';

export interface PreparedPlan {
  readonly change: OrganisationChange;
  readonly difference: OrganisationDifference;
}

interface PlanOptions {
  readonly id: string;
  readonly by: number | 'console';
  readonly chooseNames: OrganisationDirectory['chooseNames'];
}

/** Writes nothing. It takes turns of the event loop, because an import names thousands. @throws RefusedError */
export async function prepare(state: OrganisationState, plan: OrganisationPlan, options: PlanOptions): Promise<PreparedPlan> {
  const { change, ...after } = await inTurns(changeOf(state, plan, options));
  const namings = after.streams.flatMap(({ code, change: { streamId, names } }) => (names ? [{ code, streamId, names }] : []));
  const chosen = await options.chooseNames(
    namings,
    after.streams.flatMap((stream) => (stream.change.isArchived ? (stream.change.streamId ?? []) : [])),
  );
  const nameOf = new Map(namings.map(({ code }, index) => [code, chosen[index] ?? '']));
  return { change, difference: await inTurns(differenceOf(state, after, nameOf)) };
}

interface OrganisationAfter {
  readonly members: readonly MemberAfter[];
  readonly departments: DepartmentsAfter;
  readonly streams: readonly StreamAfter[];
}

function* changeOf(
  state: OrganisationState,
  plan: OrganisationPlan,
  { id, by }: PlanOptions,
): Steps<OrganisationAfter & { readonly change: OrganisationChange }> {
  const departments = departmentsAfter(state.departments, plan);
  yield;
  const members = yield* membersAfter(plan, state, new Set(departments.all.keys()));
  yield;
  refuseOccupied(state, members, departments);
  const memberships = yield* membershipChanges(state, members, departments);
  const streams = yield* streamChanges(departments, memberships);
  const made = members.filter(({ userId }) => userId === undefined);
  const touched = members.filter(({ what }) => what.length > 0);
  const changed = touched.flatMap((member) => personChange(member) ?? []);
  yield;
  const posts = [...made, ...touched.filter(({ what }) => what.includes('departments'))].map((member) => ({
    person: personOf(member),
    departments: [...member.departments],
  }));
  yield;
  const profiles = [...made, ...touched.filter(({ what }) => what.includes('reading') || what.includes('title'))].map(
    (member) => ({ person: personOf(member), reading: member.reading, title: member.title }),
  );
  yield;
  const change: OrganisationChange = {
    chat: {
      id,
      by,
      made: made.map(newPerson),
      changed,
      streams: streams.map(({ change: { joins, leaves, names, ...rest } }) => ({
        ...rest,
        joins: [...joins],
        leaves: [...leaves],
        ...(names === undefined ? {} : { names: [...names] }),
      })),
    },
    madeDepartments: departments.made.map((place) => ({
      ...place,
      stream: streams.findIndex(({ code }) => code === place.department_cd),
    })),
    changedDepartments: [...departments.changed],
    removedDepartments: departments.removed.map(({ department_cd }) => department_cd),
    posts,
    profiles,
    employeeNumbers: [...made, ...touched.filter(({ what }) => what.includes('employee_number'))].map((member) => ({
      person: personOf(member),
      number: member.employeeNumber,
    })),
    ended: touched.flatMap(({ userId, isActive, what }) =>
      userId !== undefined && ((what.includes('is_active') && !isActive) || what.includes('password')) ? userId : [],
    ),
  };
  yield;
  return { change, members, departments, streams };
}

const personOf = ({ userId, email }: MemberAfter): Person => userId ?? email;

function refuseOccupied(state: OrganisationState, members: readonly MemberAfter[], { removed }: DepartmentsAfter): void {
  const codes = new Set(removed.map(({ department_cd }) => department_cd));
  if (codes.size === 0) return;
  const after = new Map(state.posts);
  for (const { userId, departments } of members) if (userId !== undefined) after.set(userId, departments);
  for (const posts of after.values()) if (posts.some((code) => codes.has(code))) throw refused.departmentNotEmpty();
}

interface StreamMembership {
  readonly code: string;
  readonly person: Person;
}

interface MembershipChanges {
  readonly joins: readonly StreamMembership[];
  readonly leaves: readonly StreamMembership[];
}

const around = (places: Parameters<typeof lineOf>[0], posts: readonly string[]) =>
  new Set(posts.flatMap((code) => lineOf(places, code)));

/**
 * THE rule for the streams of departments: members of a department or of one below it join, former members leave, others stay.
 */
function* membershipChanges(
  state: OrganisationState,
  members: readonly MemberAfter[],
  { all, streamIds }: DepartmentsAfter,
): Steps<MembershipChanges> {
  const rows = new Map(state.departments.map((row) => [row.department_cd, row]));
  const named = new Map(
    members.flatMap(({ userId, departments }) => (userId === undefined ? [] : [[userId, departments] as const])),
  );
  /** Undefined if the members of the stream are hidden. Then it is believed to have the members that it should have. */
  const isIn = (code: string, userId: number): boolean | undefined => {
    const streamId = streamIds.get(code);
    return typeof streamId === 'number' ? state.insiders.get(streamId)?.has(userId) : false;
  };
  const hasStream = (code: string) => streamIds.get(code) !== null;

  const joins: StreamMembership[] = [];
  const leaves: StreamMembership[] = [];
  for (const userId of state.people.keys()) {
    const posts = state.posts.get(userId) ?? [];
    const [before, after] = [around(rows, posts), around(all, named.get(userId) ?? posts)];
    for (const code of after)
      if (hasStream(code) && !(isIn(code, userId) ?? before.has(code))) joins.push({ code, person: userId });
    for (const code of before) if (!after.has(code) && isIn(code, userId) !== false) leaves.push({ code, person: userId });
    yield;
  }
  for (const { userId, email, departments } of members) {
    if (userId !== undefined) continue;
    for (const code of around(all, departments)) if (hasStream(code)) joins.push({ code, person: email });
    yield;
  }
  return { joins, leaves };
}

interface StreamAfter {
  readonly code: string;
  readonly change: BoundStreamChange;
}

const personsOf = (memberships: readonly StreamMembership[] = []) => memberships.map(({ person }) => person);

/** Removed departments first, then in the order of the departments. */
function* streamChanges(
  { all, streamIds, streamNames, removed }: DepartmentsAfter,
  { joins, leaves }: MembershipChanges,
): Steps<StreamAfter[]> {
  const [joinsOf, leavesOf] = [Map.groupBy(joins, ({ code }) => code), Map.groupBy(leaves, ({ code }) => code)];
  yield;
  const ended = removed.flatMap(({ department_cd: code, stream_id }): StreamAfter[] =>
    stream_id === null ? [] : [{ code, change: { streamId: stream_id, isArchived: true, joins: [], leaves: [] } }],
  );
  const others = [...all.keys()].flatMap((code): StreamAfter[] => {
    const streamId = streamIds.get(code);
    // An existing department without a stream keeps none; only new departments get one.
    if (streamId === null) return [];
    const names = streamNames.get(code);
    const change = { joins: personsOf(joinsOf.get(code)), leaves: personsOf(leavesOf.get(code)), ...(names && { names }) };
    if (streamId === undefined) return [{ code, change }];
    const isTouched = names !== undefined || change.joins.length > 0 || change.leaves.length > 0;
    return isTouched ? [{ code, change: { streamId, ...change } }] : [];
  });
  return [...ended, ...others];
}

const brief = ({ email, fullName }: MemberAfter) => ({ email, full_name: fullName });

/** @param nameOf the new names of streams, by the codes of their departments */
function* differenceOf(
  { people, streamNames }: OrganisationState,
  { members, departments, streams }: OrganisationAfter,
  nameOf: ReadonlyMap<string, string>,
): Steps<OrganisationDifference> {
  const after = new Map(members.map((member) => [personOf(member), member]));
  const membershipOf = (stream: string) => (person: Person) => {
    const { email = '', fullName = '' } =
      after.get(person) ?? (typeof person === 'number' ? people.get(person) : undefined) ?? {};
    return { stream, email, full_name: fullName };
  };
  const called = ({ code, change: { streamId } }: StreamAfter) =>
    nameOf.get(code) ?? (streamId === undefined ? undefined : streamNames.get(streamId)) ?? '';
  const joins: StreamStay[] = [];
  const leaves: StreamStay[] = [];
  for (const stream of streams) {
    const stayOf = membershipOf(called(stream));
    for (const person of stream.change.joins) {
      joins.push(stayOf(person));
      yield;
    }
    for (const person of stream.change.leaves) {
      leaves.push(stayOf(person));
      yield;
    }
  }
  const touched = members.filter(({ userId }) => userId !== undefined);
  const changed = touched.filter(({ what }) => what.length > 0).map((member) => ({ ...brief(member), what: [...member.what] }));
  yield;
  return {
    departments: {
      made: departments.made.map(({ display_name }) => display_name),
      moved: departments.moved.map(({ display_name }) => display_name),
      renamed: [...departments.renamed],
    },
    members: {
      made: members.filter(({ userId }) => userId === undefined).map(brief),
      changed,
      same: touched.length - changed.length,
    },
    joins,
    leaves,
  };
}
