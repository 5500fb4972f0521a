import type { Database, Reader } from '@engawa/chat-server/database';
import { type DirectoryPage, paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { departments } from '../departments/store.ts';
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
  const last = shown.at(-1)?.user_id ?? after;
  const places = Map.groupBy(departments.places(reader, after, last), ({ user_id }) => user_id);
  // The location is private.
  const people = shown.map(({ user_id, reading, title }) => ({
    user_id,
    reading,
    title,
    departments: (places.get(user_id) ?? []).map(({ department_cd }) => department_cd),
  }));
  return { people, next: rows.length > most ? last : null };
}
