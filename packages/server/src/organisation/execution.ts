import { ChatError, type Steps, inTurns, jsonParts } from '@engawa/chat-server/parts';
import { ApiError, RateLimitedError } from '@engawa/client';
import { maxDirectoryPeople } from '@engawa/protocol';
import type { OrganisationDirectory, Person, Reorganised } from '../chat/backend.ts';
import { type Reader, type Transaction, WriteFailedError } from '@engawa/chat-server/database';
import { departments } from '../departments/store.ts';
import { withRefusals } from '../http/chatRefusal.ts';
import { RefusedError, refused } from '../http/errors.ts';
import { entriesOfUsers } from '../profile/entries.ts';
import { profiles } from '../profile/store.ts';
import { type OrganisationChange, organisationChange } from './change.ts';
import type { OrganisationDependencies } from './organisation.ts';
import { pendingChange } from './store.ts';

/** `ApiError`: of a chat server over the network. */
const isRefusal = (error: unknown) =>
  error instanceof ChatError ||
  error instanceof RefusedError ||
  (error instanceof ApiError && !(error instanceof RateLimitedError));

export interface Execution {
  carryOut(change: OrganisationChange, directory: OrganisationDirectory): Promise<void>;
  completePending(directory: () => Promise<OrganisationDirectory>): Promise<void>;
}

/** @param scheduleRetry is called if a stored change cannot be completed now. */
export function createExecution(
  { database, endSessions, log }: OrganisationDependencies,
  scheduleRetry: (error: unknown) => void,
): Execution {
  const removePending = (id: string) => database.write((tx) => pendingChange.remove(tx, id));

  /** Runs the chat server's part of a new plan. If that surely changed nothing, the stored plan is removed. */
  const reorganise = async (change: OrganisationChange, directory: OrganisationDirectory): Promise<Reorganised> => {
    try {
      return await directory.reorganise(change.chat);
    } catch (error) {
      const isUndone = isRefusal(error) || error instanceof WriteFailedError;
      if (!isUndone) {
        // After another error the chat server may have made the change, so it must be completed.
        scheduleRetry(error);
        throw error;
      }
      await removePending(change.chat.id).catch((another: unknown) => {
        scheduleRetry(another);
        // A plan that cannot be removed is carried out later, unless the chat server refuses it.
        throw isRefusal(error) ? error : refused.toBeCompleted(another);
      });
      throw error;
    }
  };
  /** @returns undefined if the chat server refuses the interrupted plan, because then it did not carry it out before. */
  const resumeReorganise = async (
    { chat: reorganisation }: OrganisationChange,
    directory: OrganisationDirectory,
  ): Promise<Reorganised | undefined> => {
    try {
      return await directory.reorganise(reorganisation);
    } catch (error) {
      // Only a refusal proves that the chat server did not carry out its part before.
      if (!isRefusal(error)) throw error;
      log({ event: 'organisation_change_refused', id: reorganisation.id, error });
      await removePending(reorganisation.id);
      return undefined;
    }
  };
  const complete = async (change: OrganisationChange, reorganised: Reorganised): Promise<ReadonlyMap<Person, number>> => {
    const { id, made } = change.chat;
    const newcomers = new Map<Person, number>(made.map(({ email }, index) => [email, numberAt(reorganised.users, index)]));
    await database.writeInSteps(function* (tx) {
      yield* write(tx, change, newcomers, reorganised.streams);
      pendingChange.noteMade(tx, id);
    });
    return newcomers;
  };
  const publish = async (
    change: OrganisationChange,
    newcomers: ReadonlyMap<Person, number> | undefined,
    directory: OrganisationDirectory,
  ): Promise<void> => {
    const {
      chat: { id },
      ended,
    } = change;
    for (const userId of ended) await endSessions(userId);
    const { madeDepartments, changedDepartments, removedDepartments } = change;
    const departments = [madeDepartments, changedDepartments, removedDepartments].some(({ length }) => length > 0);
    const people = newcomers && peopleChanged(database.reader, change, newcomers);
    if (departments || people?.length !== 0) await directory.publishDirectory({ people, departments });
    await removePending(id);
  };

  const carryOut: Execution['carryOut'] = async (change, directory) => {
    const json = await inTurns(jsonOf(change));
    await database.write((tx) => pendingChange.insert(tx, change.chat.id, json));
    const reorganised = await withRefusals(reorganise(change, directory));
    // The change is decided now, so the caller must not get a plain error.
    const newcomers = await complete(change, reorganised).catch((error: unknown) => {
      scheduleRetry(error);
      throw refused.toBeCompleted(error);
    });
    await publish(change, newcomers, directory).catch(scheduleRetry);
  };

  const completePending: Execution['completePending'] = async (directoryNow) => {
    const row = pendingChange.get(database.reader);
    if (!row) return;
    const change = organisationChange.parse(JSON.parse(row.change));
    const directory = await directoryNow();
    log({ event: 'organisation_change_resumed', id: row.id });
    if (row.made === 1) return publish(change, undefined, directory);
    const reorganised = await resumeReorganise(change, directory);
    if (reorganised) await publish(change, await complete(change, reorganised), directory);
  };

  return { carryOut, completePending };
}

function* jsonOf(change: OrganisationChange): Steps<string> {
  const parts: string[] = [];
  for (const part of jsonParts(change)) {
    parts.push(part);
    yield;
  }
  return parts.join('');
}

function peopleChanged(reader: Reader, change: OrganisationChange, newcomers: ReadonlyMap<Person, number>) {
  const concerned = new Set([...change.posts, ...change.profiles].map(({ person }) => newcomers.get(person) ?? person));
  const userIds = [...concerned].filter((person) => typeof person === 'number');
  return userIds.length > maxDirectoryPeople ? undefined : entriesOfUsers(reader, userIds);
}

function* write(
  tx: Transaction,
  change: OrganisationChange,
  newcomers: ReadonlyMap<Person, number>,
  streamIds: readonly number[],
): Generator<void, void> {
  const idOf = (person: Person) => (typeof person === 'number' ? person : numberOf(newcomers, person));
  for (const { stream, ...place } of change.madeDepartments) {
    departments.insert(tx, { ...place, stream_id: numberAt(streamIds, stream) });
  }
  for (const place of change.changedDepartments) departments.update(tx, place);
  for (const { person, departments: codes } of change.posts) {
    const user_id = idOf(person);
    departments.removePosts(tx, user_id);
    for (const [position, department_cd] of codes.entries()) departments.insertMember(tx, { department_cd, user_id, position });
    yield;
  }
  for (const { person, reading, title } of change.profiles) {
    const user_id = idOf(person);
    const location = profiles.find(tx, user_id)?.location ?? '';
    profiles.put(tx, { user_id, location, reading, title });
    yield;
  }
  for (const { person, number } of change.employeeNumbers) {
    profiles.putEmployeeNumber(tx, idOf(person), number);
    yield;
  }
  // Removed last, because a department must be without members and they leave it above.
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
