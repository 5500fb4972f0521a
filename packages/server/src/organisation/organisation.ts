import { randomUUID } from 'node:crypto';
import { ChatError, type ChatServer, type Founding, type Person, type Reorganised } from '@engawa/chat-server';
import { type Database, DatabaseClosedError, type Transaction, WriteFailedError } from '@engawa/chat-server/database';
import { type OrganisationDifference, maxImportRows } from '@engawa/protocol/administration';
import { departments } from '../departments/store.ts';
import { refused } from '../http/errors.ts';
import { refusalOf } from '../http/chatRefusal.ts';
import type { Log } from '../log.ts';
import { profiles } from '../profile/store.ts';
import { type OrganisationChange, isNothing, organisationChange } from './change.ts';
import type { Actor, AppliedPlan, OrganisationPlan } from './plan.ts';
import { type PreparedPlan, prepare } from './prepare.ts';
import { stateFor } from './state.ts';
import { pendingChange } from './store.ts';

/**
 * The only way to change people and departments. A plan is stored, then the chat server changes in one transaction, then
 * the product's tables in another. An interrupted change is completed at the next start; see
 * `docs/decisions/022-organisation-plans.md`.
 */
export interface Organisation {
  /** Creates the organisation and its owner. @returns the owner's id. @throws RefusedError if one exists. */
  create(founding: Founding): Promise<number>;
  /** Changes nothing. @throws RefusedError */
  preview(plan: OrganisationPlan): OrganisationDifference;
  /**
   * Applies a plan after the earlier ones, all or nothing.
   * @param by the actor whose current role decides what the plan may change.
   * @throws RefusedError; TO_BE_COMPLETED if the change is decided but not completed yet.
   */
  apply(plan: OrganisationPlan | (() => OrganisationPlan), by: Actor): Promise<AppliedPlan>;
  /**
   * Completes an interrupted change before the product listens. If that fails, for example on a full disk, it is logged and
   * retried with growing delays.
   */
  resume(): Promise<void>;
}

export interface OrganisationDependencies {
  readonly database: Database;
  readonly chat: Pick<ChatServer, 'found' | 'known' | 'chooseNames' | 'reorganise' | 'tellOfDirectory'>;
  readonly endSessions: (userId: number) => Promise<unknown>;
  readonly log: Log;
  /** Milliseconds until the first retry; the delay doubles each time. */
  readonly retryDelay?: number;
}

const defaultRetryDelay = 5000;
/** Milliseconds. A retry may block the main thread for seconds, and nobody waits for it. */
const maxRetryDelay = 10 * 60_000;

export function newDepartmentCode(): string {
  return randomUUID();
}

export function createOrganisation({
  database,
  chat,
  endSessions,
  log,
  retryDelay = defaultRetryDelay,
}: OrganisationDependencies): Organisation {
  const prepared = (plan: OrganisationPlan, by: Actor): PreparedPlan => {
    if (plan.members.length > maxImportRows) throw refused.planTooLarge(maxImportRows);
    const { chooseNames } = chat;
    return withRefusals(() => prepare(stateFor(database, chat, plan), plan, { id: randomUUID(), by, chooseNames }));
  };

  const removePending = (id: string) => database.write((tx) => pendingChange.remove(tx, id));

  /** The chat server's part of a new plan. If it changed nothing, nothing is left to do. */
  const reorganise = async (change: OrganisationChange): Promise<Reorganised> => {
    try {
      return await chat.reorganise(change.chat);
    } catch (error) {
      const isUndone = error instanceof ChatError || error instanceof WriteFailedError;
      if (!isUndone) {
        // The chat server may have changed.
        scheduleRetry(error);
        throw error;
      }
      await removePending(change.chat.id).catch((another: unknown) => {
        scheduleRetry(another);
        // A plan that cannot be removed is carried out later, unless the chat server refuses it.
        throw error instanceof ChatError ? error : refused.toBeCompleted(another);
      });
      throw error;
    }
  };
  /**
   * Repeats the chat server's part of an interrupted plan. @returns undefined if the chat server refuses it and so has not
   * done it before.
   */
  const resumeReorganise = async ({ chat: asked }: OrganisationChange): Promise<Reorganised | undefined> => {
    try {
      return await chat.reorganise(asked);
    } catch (error) {
      // On other errors the chat server may have done its part before.
      if (!(error instanceof ChatError)) throw error;
      log({ event: 'organisation_change_refused', id: asked.id, error });
      await removePending(asked.id);
      return undefined;
    }
  };
  /** Writes the product's part. */
  const complete = async (change: OrganisationChange, reorganised: Reorganised): Promise<ReadonlyMap<Person, number>> => {
    const { id, made } = change.chat;
    const newcomers = new Map<Person, number>(made.map(({ email }, index) => [email, numberAt(reorganised.users, index)]));
    await database.write((tx) => {
      write(tx, change, newcomers, reorganised.streams);
      pendingChange.noteMade(tx, id);
    });
    return newcomers;
  };
  const publish = async (change: OrganisationChange, newcomers: ReadonlyMap<Person, number>): Promise<void> => {
    const {
      chat: { id },
      ended,
    } = change;
    for (const userId of ended) await endSessions(userId);
    const concerned = [...change.posts, ...change.profiles].map(({ person }) => newcomers.get(person) ?? person);
    await chat.tellOfDirectory([...new Set(concerned.filter((person) => typeof person === 'number'))]);
    await removePending(id);
  };

  /** Failures since the last success, and the pending retry. */
  let failures = 0;
  let retryTimer: NodeJS.Timeout | undefined;
  /** The plan is stored, so it can wait; no other plan starts before it is completed. */
  const scheduleRetry = (error: unknown): void => {
    if (error instanceof DatabaseClosedError) return;
    log({ level: 'error', event: 'organisation_change_delayed', error });
    // One timer, however many calls fail.
    if (retryTimer) return;
    retryTimer = setTimeout(retry, Math.min(retryDelay * 2 ** failures, maxRetryDelay)).unref();
    failures += 1;
  };
  const retry = (): void => {
    retryTimer = undefined;
    void enqueue(resume).catch(scheduleRetry);
  };

  const resume = async (): Promise<void> => {
    await completePending();
    clearTimeout(retryTimer);
    retryTimer = undefined;
    failures = 0;
  };
  const completePending = async (): Promise<void> => {
    const row = pendingChange.get(database.reader);
    if (!row) return;
    const change = organisationChange.parse(JSON.parse(row.change));
    log({ event: 'organisation_change_resumed', id: row.id });
    if (row.made === 1) return publish(change, new Map());
    const reorganised = await resumeReorganise(change);
    if (reorganised) await publish(change, await complete(change, reorganised));
  };

  const apply = async (plan: () => OrganisationPlan, by: Actor): Promise<AppliedPlan> => {
    // An earlier plan may be half done, for example on a full disk.
    await resume();
    const asked = plan();
    const emails = asked.members.flatMap(({ email }) => email?.trim().toLowerCase() ?? []);
    const { change, difference } = prepared(asked, by);
    // An actor without rights is refused even if nothing would change.
    await (isNothing(change) ? withRefusalsAsync(chat.reorganise(change.chat)) : carryOut(change));
    const { people } = chat.known({ userIds: [], emails, streamIds: [] });
    return { users: new Map(people.map(({ email, userId }) => [email.toLowerCase(), userId])), difference };
  };
  const carryOut = async (change: OrganisationChange): Promise<void> => {
    await database.write((tx) => pendingChange.insert(tx, change.chat.id, JSON.stringify(change)));
    const reorganised = await withRefusalsAsync(reorganise(change));
    // The change is decided now, so the caller must not get a plain error.
    const newcomers = await complete(change, reorganised).catch((error: unknown) => {
      scheduleRetry(error);
      throw refused.toBeCompleted(error);
    });
    await publish(change, newcomers).catch(scheduleRetry);
  };

  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(act, act);
    last = turn;
    return turn;
  };
  return {
    create: (founding) =>
      enqueue(async () => {
        const userId = await withRefusalsAsync(chat.found(founding));
        await database.write((tx) => profiles.put(tx, { user_id: userId, location: '', reading: '', title: '' }));
        return userId;
      }),
    preview: (plan) => prepared(plan, 'console').difference,
    apply: (plan, by) => enqueue(() => apply(typeof plan === 'function' ? plan : () => plan, by)),
    resume: () => enqueue(resume).catch(scheduleRetry),
  };
}

function write(
  tx: Transaction,
  change: OrganisationChange,
  newcomers: ReadonlyMap<Person, number>,
  streamIds: readonly number[],
): void {
  const idOf = (person: Person) => (typeof person === 'number' ? person : numberOf(newcomers, person));
  for (const { stream, ...place } of change.madeDepartments) {
    departments.insert(tx, { ...place, stream_id: numberAt(streamIds, stream) });
  }
  for (const place of change.changedDepartments) departments.update(tx, place);
  for (const { person, departments: codes } of change.posts) {
    const user_id = idOf(person);
    departments.removePosts(tx, user_id);
    for (const [position, department_cd] of codes.entries()) departments.insertMember(tx, { department_cd, user_id, position });
  }
  for (const { person, reading, title } of change.profiles) {
    const user_id = idOf(person);
    const location = profiles.find(tx, user_id)?.location ?? '';
    profiles.put(tx, { user_id, location, reading, title });
  }
  for (const { person, number } of change.employeeNumbers) profiles.putEmployeeNumber(tx, idOf(person), number);
  // Last, because members have left the departments by now.
  for (const code of change.removedDepartments) departments.remove(tx, code);
}

function numberAt(numbers: readonly number[], index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new TypeError(`the chat server returned no id at ${index}`);
  return number;
}

function numberOf(newcomers: ReadonlyMap<Person, number>, person: Person): number {
  const number = newcomers.get(person);
  if (number === undefined) throw new TypeError('the chat server returned no id for a new member');
  return number;
}

function withRefusals<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw refusalOf(error);
  }
}

async function withRefusalsAsync<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (error) {
    throw refusalOf(error);
  }
}
