import type { ChatBackend } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../sessions/member.ts';
import { seenDepartments, seenMembers } from './seen.ts';
import { departmentTree } from './tree.ts';

/** GET /api/department/tree (R7.1): the nodes are at data.data.data. */
export function departmentRoutes(
  app: FastifyInstance,
  database: Database,
  chat: Pick<ChatBackend, 'sightOf'>,
  gate: Pick<Gate, 'member'>,
): void {
  app.get(paths.departmentTree, async (request, reply) => {
    const member = await gate.member(request);
    const sight = await chat.sightOf(member);
    const nodes = database.snapshot((reader) => {
      const departments = seenDepartments(reader, sight?.streams);
      return departmentTree(departments, seenMembers(reader, sight, departments));
    });
    return reply.header('Cache-Control', 'private, no-cache').send({ data: { data: { data: nodes } } });
  });
}
