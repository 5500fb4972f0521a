import type { Database } from '@engawa/chat-server/database';
import { type DirectoryPage, paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Gate } from '../sessions/member.ts';
import { profiles } from './store.ts';

/** Most who stand on one page. */
export const pageOfPeople = 5000;

const query = z.object({ after: z.string().regex(/^\d{1,15}$/).transform(Number).catch(0) });

/** GET /api/people: readings, posts and places of everybody, for members, page by page. */
export function peopleRoutes(app: FastifyInstance, database: Database, gate: Gate, most = pageOfPeople): void {
  app.get(paths.people, async (request, reply) => {
    await gate.member(request);
    const { after } = query.parse(request.query);
    const rows = profiles.after(database.reader, after, most + 1);
    const people = rows.slice(0, most);
    const next = rows.length > most ? (people.at(-1)?.user_id ?? null) : null;
    return reply.header('Cache-Control', 'private, no-cache').send({ people, next } satisfies DirectoryPage);
  });
}
