import { accountPaths, type ApiKeys } from '@engawa/protocol/accounts';
import type { FastifyInstance } from 'fastify';
import { refused } from '../http/errors.ts';
import { withId } from '../http/parameters.ts';
import type { AccountRouteDependencies } from './dependencies.ts';

/** GET and DELETE /api/keys, DELETE /api/keys/{id}: the API keys of the member's programs. */
export function keyRoutes(app: FastifyInstance, { chat, gate }: AccountRouteDependencies): void {
  const { accounts } = chat;
  app.get(accountPaths.keys, async (request, reply) => {
    const { id } = await gate.member(request);
    const answer: ApiKeys = { keys: [...accounts.programKeys(id)] };
    return reply.header('Cache-Control', 'private, no-cache').send(answer);
  });

  app.delete(accountPaths.keys, async (request) => {
    const { id } = await gate.member(request);
    await accounts.endKeys(id, 'programs');
    return {};
  });

  app.delete(`${accountPaths.keys}/:id`, async (request) => {
    const { id } = await gate.member(request);
    const { data } = withId.safeParse(request.params);
    if (!data || (await accounts.endKeys(id, { program: data.id })) === 0) throw refused.noSuchKey();
    return {};
  });
}
