import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatServer, createChatServer } from '@engawa/chat-server';
import { Database } from '@engawa/chat-server/database';
import { atOnce } from '@engawa/chat-server/parts';
import { quickPasswordCost } from '@engawa/chat-server/testing/passwordCost';
import type { ChatBackend } from '../chat/backend.ts';
import { directoryOf } from '../chat/embedded.ts';
import { bindingsOfDepartments } from '../departments/bindings.ts';
import { groupsOfDepartments } from '../departments/groups.ts';
import { departments } from '../departments/store.ts';
import { departmentTree } from '../departments/tree.ts';
import { migrations } from '../database/migrations.ts';
import { type Organisation, createOrganisation } from '../organisation/organisation.ts';
import type { DirectoryChange } from '@engawa/protocol';
import { type DepartmentNode, departmentsWithin } from '@engawa/protocol/product';
import { onTestFinished } from 'vitest';

/** An organisation on both databases and the chat server, without HTTP. */
export interface Company {
  readonly directory: string;
  readonly database: Database;
  readonly chat: ChatServer;
  readonly backend: Pick<ChatBackend, 'directoryAs'>;
  readonly organisation: Organisation;
  inStreamOf(department: string): number[];
  streamOf(department: string): string | undefined;
  department(name: string): DepartmentNode | undefined;
  /** The users whose sessions ended, in order. */
  readonly ended: readonly number[];
  /** The users of each directory notification. */
  readonly told: readonly DirectoryChange[];
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

export const owner = { email: 'shacho@example.com', fullName: '縁側 社長', passwordHash: 'not of the form' };

/** @param directory may hold an earlier organisation. @param chatOf wraps the chat server. */
export function companyIn(
  directory: string,
  chatOf: (chat: ChatServer) => ChatServer = (chat) => chat,
): Company & { close(): Promise<void> } {
  const database = new Database(join(directory, 'engawa.db'), { migrations });
  const chat = createChatServer({
    directory: join(directory, 'chat'),
    realm: { url: 'http://chat.example' },
    rateLimits: 'none',
    passwordCost: quickPasswordCost,
    groups: groupsOfDepartments(database),
    bindings: bindingsOfDepartments(database),
  });
  const ended: number[] = [];
  const told: DirectoryChange[] = [];
  const telling: ChatServer = {
    ...chat,
    publishDirectory(change) {
      told.push(change);
      return chat.publishDirectory(change);
    },
  };
  const logged: Readonly<Record<string, unknown>>[] = [];
  const backend = { directoryAs: async () => directoryOf(chatOf(telling)) };
  const organisation = createOrganisation({
    database,
    chat: backend,
    endSessions: async (userId) => ended.push(userId),
    log: (event) => void logged.push(event),
    retryDelay: 50,
  });
  const department = (name: string) =>
    departmentTree(departments.all(database.reader), departments.members(database.reader))
      .flatMap(departmentsWithin)
      .find(({ displayName }) => displayName === name);
  const everybody = Array.from({ length: 100 }, (_, index) => index + 1);
  const streamOf = (name: string) => {
    const { streamId } = department(name) ?? {};
    return streamId === undefined ? undefined : atOnce(chat.overview({ userIds: everybody, emails: [], streamIds: [streamId] }));
  };
  return {
    directory,
    database,
    chat,
    backend,
    organisation,
    department,
    ended,
    told,
    logged,
    streamOf: (name) => streamOf(name)?.streams[0]?.name,
    inStreamOf: (name) => (streamOf(name)?.stays ?? []).map(({ userId }) => userId).toSorted((one, other) => one - other),
    async close() {
      await chat.close();
      database.close();
    },
  };
}

export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-organisation-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export async function company(): Promise<Company> {
  const made = companyIn(emptyDirectory());
  onTestFinished(() => made.close());
  await made.organisation.create(() => made.chat.createOrganisation({ name: '株式会社 縁側', owner }));
  return made;
}
