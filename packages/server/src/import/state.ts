import { createHash } from 'node:crypto';
import { type Steps, inTurns, jsonParts, slicesOf } from '@engawa/chat-server/parts';
import type { Actor, Asker, ChatBackend, OrganisationDirectory, UserSummary } from '../chat/backend.ts';
import type { Database, Reader } from '@engawa/chat-server/database';
import type { Role } from '@engawa/protocol';
import { type DepartmentRow, departments, departmentsByUser } from '../departments/store.ts';
import { profiles, profilesByUser } from '../profile/store.ts';
import { type Column, columnsOf } from './columns.ts';
import { cleanText } from './departmentPaths.ts';
import type { Table } from './table.ts';

export interface ImportMember {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly employeeNumber: string;
  readonly reading: string;
  readonly title: string;
  readonly departments: readonly string[];
}

export interface ImportState {
  readonly departments: readonly DepartmentRow[];
  readonly members: readonly ImportMember[];
}

export interface ImportStateDependencies {
  readonly database: Database;
  readonly chat: Pick<ChatBackend, 'directoryAs'>;
}

export async function importStateFor(
  database: Database,
  directory: Pick<OrganisationDirectory, 'overview'>,
  table: Table,
): Promise<ImportState> {
  const named = await inTurns(namedIn(table, database));
  const { people } = await directory.overview({ ...named, streamIds: [], also: 'owners' });
  return stateOf(database, people);
}

/** All of it is from one moment. */
export function stateOf(database: Database, people: readonly UserSummary[]): Promise<ImportState> {
  return inTurns(database.longSnapshot((reader) => stateIn(reader, people)));
}

function* stateIn(reader: Reader, people: readonly UserSummary[]): Steps<ImportState> {
  const members: ImportMember[] = [];
  for (const some of slicesOf(people)) {
    const ids = some.map(({ userId }) => userId);
    const posts = departmentsByUser(reader, ids);
    const profileOf = profilesByUser(reader, ids);
    for (const person of some) {
      const { employee_number: employeeNumber = '', reading = '', title = '' } = profileOf.get(person.userId) ?? {};
      members.push({ ...person, employeeNumber, reading, title, departments: posts.get(person.userId) ?? [] });
    }
    yield;
  }
  return { departments: departments.all(reader), members };
}

export async function mayChangeOwners(directory: Pick<OrganisationDirectory, 'overview'>, by: Actor | Asker): Promise<boolean> {
  if (by === 'console') return true;
  const userIds = [typeof by === 'object' ? by.id : by];
  const [person] = (await directory.overview({ userIds, emails: [], streamIds: [] })).people;
  return person !== undefined && person.role === 100 && person.isActive;
}

/** A hash of everything that decides the effect of an import: the same fingerprint means the same effect. */
export function* fingerprintOf(table: Table, state: ImportState, by: Actor | Asker): Steps<string> {
  const { header, rows } = table;
  const hash = createHash('sha256');
  for (const part of jsonParts({ header, rows, state, by: typeof by === 'object' ? by.id : by })) {
    hash.update(part);
    yield;
  }
  return hash.digest('base64url');
}

/** The members whom a table names by an employee number, and all addresses in it. */
function* namedIn({ header, rows }: Table, database: Database): Steps<{ readonly userIds: number[]; readonly emails: string[] }> {
  const { at } = columnsOf(header);
  const userIds: number[] = [];
  const emails: string[] = [];
  for (const some of slicesOf(rows)) {
    const column = (name: Column) => {
      const index = at.get(name);
      return index === undefined ? [] : some.map((cells) => keyIn(cells[index] ?? '')).filter((cell) => cell !== '');
    };
    userIds.push(...profiles.numbered(database.reader, column('number')));
    emails.push(...column('email').map((email) => email.toLowerCase()));
    yield;
  }
  return { userIds, emails };
}

/** As it is stored: Japanese keyboards produce full-width letters and digits. */
export const keyIn = (cell: string): string => cleanText(cell.normalize('NFKC'));
