import { administrationPaths } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { refused } from '../http/errors.ts';
import { withId } from '../http/parameters.ts';
import type { AccountRouteDependencies } from './dependencies.ts';

/** DELETE /api/administration/members/{id}/sessions: ends a member's sessions and API keys. */
export function memberSessionRoute(app: FastifyInstance, { accounts, chat, sessions, gate }: AccountRouteDependencies): void {
  app.delete(`${administrationPaths.members}/:id/sessions`, async (request) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    const account = data && chat.accounts.of(data.id);
    if (!account) throw refused.noSuchMember();
    accounts.requireRank(by, account.role);
    await chat.accounts.endKeys(account.id, 'all');
    await sessions.endAll(account.id);
    return {};
  });
}
