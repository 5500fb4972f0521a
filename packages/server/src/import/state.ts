import { createHash } from 'node:crypto';
import type { Actor, Asker, ChatBackend, OrganisationDirectory } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import type { Role } from '@engawa/protocol';
import { type DepartmentRow, departments, departmentsByUser } from '../departments/store.ts';
import { profiles, profilesByUser } from '../profile/store.ts';
import { type Column, columnsOf } from './columns.ts';
import type { Table } from './table.ts';

export interface ImportMember {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly employeeNumber: string;
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
  const { emails, numbers } = namesIn(table);
  const numbered = profiles.numbered(database.reader, numbers);
  const { people } = await directory.overview({ userIds: numbered, emails, streamIds: [], also: 'owners' });
  const ids = people.map(({ userId }) => userId);
  return database.snapshot((reader) => {
    const posts = departmentsByUser(reader, ids);
    const profileOf = profilesByUser(reader, ids);
    return {
      departments: departments.all(reader),
      members: people.map((person) => {
        const { employee_number: employeeNumber = '', reading = '', title = '' } = profileOf.get(person.userId) ?? {};
        return { ...person, employeeNumber, reading, title, departments: posts.get(person.userId) ?? [] };
      }),
    };
  });
}

export async function mayChangeOwners(directory: Pick<OrganisationDirectory, 'overview'>, by: Actor | Asker): Promise<boolean> {
  if (by === 'console') return true;
  const userIds = [typeof by === 'object' ? by.id : by];
  const [person] = (await directory.overview({ userIds, emails: [], streamIds: [] })).people;
  return person !== undefined && person.role === 100 && person.isActive;
}

/** A hash of everything that decides the effect of an import: the same fingerprint means the same effect. */
export function fingerprintOf(table: Table, state: ImportState, by: Actor | Asker): string {
  const { header, rows } = table;
  return createHash('sha256')
    .update(JSON.stringify([header, rows, state, typeof by === 'object' ? by.id : by]))
    .digest('base64url');
}

function namesIn({ header, rows }: Table): { readonly emails: string[]; readonly numbers: string[] } {
  const { at } = columnsOf(header);
  const column = (name: Column) => {
    const index = at.get(name);
    return index === undefined ? [] : rows.map((cells) => keyIn(cells[index] ?? '')).filter((cell) => cell !== '');
  };
  return { emails: column('email').map((email) => email.toLowerCase()), numbers: column('number') };
}

/** Japanese keyboards produce full-width letters and digits. */
export const keyIn = (cell: string): string => cell.normalize('NFKC').trim();
