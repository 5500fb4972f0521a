import type { Accounts as ChatAccounts } from '@engawa/chat-server';
import { accountPaths, type ApiKeys } from '@engawa/protocol/accounts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import type { Gate } from '../sessions/member.ts';

export interface KeyOptions {
  readonly chatAccounts: Pick<ChatAccounts, 'programKeys' | 'endKeys'>;
  readonly gate: Gate;
}

const withId = z.object({ id: z.coerce.number().pipe(z.int()) });

/** GET and DELETE /api/keys, DELETE /api/keys/{id}: what the member's own programs sign in with. */
export function keyRoutes(app: FastifyInstance, { chatAccounts, gate }: KeyOptions): void {
  app.get(accountPaths.keys, async (request, reply) => {
    const { id } = await gate.member(request);
    const answer: ApiKeys = { keys: [...chatAccounts.programKeys(id)] };
    return reply.header('Cache-Control', 'private, no-cache').send(answer);
  });

  app.delete(accountPaths.keys, async (request) => {
    const { id } = await gate.member(request);
    await chatAccounts.endKeys(id, 'programs');
    return {};
  });

  app.delete(`${accountPaths.keys}/:id`, async (request) => {
    const { id } = await gate.member(request);
    const { data } = withId.safeParse(request.params);
    if (!data || (await chatAccounts.endKeys(id, { program: data.id })) === 0) throw refused.noSuchKey();
    return {};
  });
}
