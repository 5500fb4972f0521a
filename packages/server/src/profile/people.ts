import type { ChatBackend, GuestSight } from '../chat/backend.ts';
import type { Database, Reader } from '@engawa/chat-server/database';
import { type DirectoryPage, paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { seenDepartments } from '../departments/seen.ts';
import { idParameter } from '../http/parameters.ts';
import type { Gate } from '../sessions/member.ts';
import { entriesOf } from './entries.ts';
import { profiles } from './store.ts';

const pageOfPeople = 5000;

export interface PeopleDependencies {
  readonly database: Database;
  readonly chat: Pick<ChatBackend, 'sightOf'>;
  readonly gate: Pick<Gate, 'member'>;
}

const query = z.object({
  after: idParameter.catch(0),
});

export function peopleRoutes(app: FastifyInstance, { database, chat, gate }: PeopleDependencies, most = pageOfPeople): void {
  app.get(paths.people, async (request, reply) => {
    const member = await gate.member(request);
    const { after } = query.parse(request.query);
    const sight = await chat.sightOf(member);
    const page = database.snapshot((reader) => pageAfter(after, most, reader, sight));
    return reply.header('Cache-Control', 'private, no-cache').send(page);
  });
}

function pageAfter(after: number, most: number, reader: Reader, sight: GuestSight | undefined): DirectoryPage {
  const rows = sight ? seenAfter(after, most + 1, reader, sight) : profiles.after(reader, after, most + 1);
  const all = entriesOf(reader, rows.slice(0, most));
  const codes = new Set(sight && seenDepartments(reader, sight.streams).map(({ department_cd }) => department_cd));
  const people = sight
    ? all.map((entry) => ({ ...entry, departments: entry.departments.filter((code) => codes.has(code)) }))
    : all;
  return { people, next: rows.length > most ? (people.at(-1)?.user_id ?? null) : null };
}

function seenAfter(after: number, most: number, reader: Reader, { users }: GuestSight) {
  const ids = [...users].filter((id) => id > after);
  const rows = profiles.among(reader, ids).toSorted((one, other) => one.user_id - other.user_id);
  return rows.slice(0, most);
}
