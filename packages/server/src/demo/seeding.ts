import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ChatServer, ImportedOrganisation } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import { type DepartmentMemberRow, type DepartmentRow, departments as departmentRows } from '../departments/store.ts';
import type { Storage } from '../storage/storage.ts';
import { type NewFile, files as fileRows } from '../files/store.ts';
import { type DemoDepartment, departments } from './departments.ts';
import { demoOrganisation, type SentFile } from './organisation.ts';
import { profiles } from '../profile/store.ts';
import { people } from './people.ts';
import { demoMembers, seedings } from './store.ts';

/** Removes a half-created demo; nobody has used it, because the product listens only afterwards. */
export async function clearUnfinished(database: Database, chatDirectory: string): Promise<void> {
  if (seedings.get(database.reader)?.finished !== 0) return;
  await rm(chatDirectory, { recursive: true, force: true });
  await database.write((tx) => seedings.remove(tx));
}

/** Used to refuse demo data in the password mode, because the demo's password is public. */
export function isDemo(database: Database): boolean {
  return seedings.get(database.reader) !== undefined;
}

export interface SeedOptions {
  readonly chat: Pick<ChatServer, 'import' | 'publishDirectory'>;
  readonly database: Database;
  readonly storage: Storage;
  readonly now: number;
}

export async function seed({ chat, database, storage, now }: SeedOptions): Promise<void> {
  await database.write((tx) => seedings.begin(tx));
  const { organisation, files } = demoOrganisation(now);
  const imported = await chat.import(organisation);
  const stored = await Promise.all(files.map((file) => store(file, imported, storage, now)));
  await database.write((tx) => {
    for (const department of rowsOf(departments, null, imported)) departmentRows.insert(tx, department);
    for (const member of membersOf(imported)) departmentRows.insertMember(tx, member);
    for (const { email, location, reading, title } of people) {
      const user_id = imported.users.get(email) ?? missing(email);
      demoMembers.insert(tx, { email, user_id });
      profiles.put(tx, { user_id, location, reading, title });
    }
    for (const file of stored) {
      fileRows.insert(tx, file);
      fileRows.markSent(tx, file.stored_name);
    }
    seedings.finish(tx);
  });
  // The chat server copied the groups before there were departments.
  await chat.publishDirectory({ people: [], departments: true });
}

/** Adds readings and titles to demo organisations of older versions. Existing values stay. */
export async function completeDirectory(database: Database): Promise<void> {
  const byEmail = new Map(people.map((person) => [person.email, person]));
  const known = new Map(profiles.after(database.reader, 0, people.length).map((row) => [row.user_id, row]));
  const lacking = demoMembers.all(database.reader).flatMap(({ email, user_id }) => {
    const person = byEmail.get(email);
    const row = known.get(user_id);
    return person && row && row.reading === '' ? [{ ...row, reading: person.reading, title: person.title }] : [];
  });
  if (lacking.length > 0) await database.write((tx) => lacking.forEach((row) => profiles.put(tx, row)));
}

async function store(
  { storedName, name, content, sender }: SentFile,
  imported: ImportedOrganisation,
  storage: Storage,
  now: number,
): Promise<NewFile> {
  const arrived = await storage.receive(Readable.from([content]));
  return {
    stored_name: storedName,
    place: await arrived.keep(),
    uploader_id: imported.users.get(sender) ?? missing(sender),
    name,
    size: arrived.size,
    type: arrived.type,
    created: Math.floor(now / 1000),
  };
}

function rowsOf(nodes: readonly DemoDepartment[], parent: string | null, imported: ImportedOrganisation): DepartmentRow[] {
  return nodes.flatMap(({ departmentCd, displayName, children = [] }, position) => [
    {
      department_cd: departmentCd,
      parent,
      position,
      display_name: displayName,
      stream_id: imported.streams.get(displayName) ?? null,
    },
    ...rowsOf(children, departmentCd, imported),
  ]);
}

function membersOf(imported: ImportedOrganisation): DepartmentMemberRow[] {
  return people.flatMap(({ email, departments: own }) =>
    own.map((department_cd, position) => ({
      department_cd,
      user_id: imported.users.get(email) ?? missing(email),
      position,
    })),
  );
}

function missing(name: string): never {
  throw new TypeError(`the import returned no id for ${name}`);
}
