import type { Database } from '@engawa/chat-server/database';
import { paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../sessions/member.ts';
import { departments } from './store.ts';
import { departmentTree } from './tree.ts';

/** GET /api/department/tree (R7.1): the nodes are at data.data.data. */
export function departmentRoutes(app: FastifyInstance, database: Database, gate: Gate): void {
  app.get(paths.departmentTree, async (request, reply) => {
    await gate.member(request);
    const nodes = database.snapshot((reader) => departmentTree(departments.all(reader), departments.members(reader)));
    return reply.header('Cache-Control', 'private, no-cache').send({ data: { data: { data: nodes } } });
  });
}
