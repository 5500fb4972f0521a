import type { Database, Reader } from '@engawa/chat-server/database';
import { type DirectoryPage, paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { departmentsByUser } from '../departments/store.ts';
import { idParameter } from '../http/parameters.ts';
import type { Gate } from '../sessions/member.ts';
import { profiles } from './store.ts';

const pageOfPeople = 5000;

const query = z.object({
  after: idParameter.catch(0),
});

export function peopleRoutes(app: FastifyInstance, database: Database, gate: Pick<Gate, 'member'>, most = pageOfPeople): void {
  app.get(paths.people, async (request, reply) => {
    await gate.member(request);
    const { after } = query.parse(request.query);
    const page = database.snapshot((reader) => pageAfter(after, most, reader));
    return reply.header('Cache-Control', 'private, no-cache').send(page);
  });
}

function pageAfter(after: number, most: number, reader: Reader): DirectoryPage {
  const rows = profiles.after(reader, after, most + 1);
  const shown = rows.slice(0, most);
  const ids = shown.map(({ user_id }) => user_id);
  const posts = departmentsByUser(reader, ids);
  // The location is left out, because it is private.
  const people = shown.map(({ user_id, reading, title }) => ({
    user_id,
    reading,
    title,
    departments: [...(posts.get(user_id) ?? [])],
  }));
  return { people, next: rows.length > most ? (ids.at(-1) ?? null) : null };
}
