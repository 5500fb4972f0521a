import { accountPaths, type ApiKeys } from '@engawa/protocol/accounts';
import { administrationPaths } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { refused } from '../http/errors.ts';
import { withId } from '../http/parameters.ts';
import type { AccountRouteDependencies } from './dependencies.ts';
import { invitationRoutes } from './invitationRoutes.ts';
import { passwordRoutes } from './passwordRoutes.ts';
import { setupRoute } from './setup.ts';

/** Registers nothing in the fake mode, where nobody has a password. */
export function accountRoutes(app: FastifyInstance, dependencies: AccountRouteDependencies): void {
  keyRoutes(app, dependencies);
  memberSessionRoute(app, dependencies);
  if (dependencies.configuration.authMode === 'fake') return;
  setupRoute(app, dependencies);
  invitationRoutes(app, dependencies);
  passwordRoutes(app, dependencies);
}

function keyRoutes(app: FastifyInstance, { chat, gate }: AccountRouteDependencies): void {
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

function memberSessionRoute(app: FastifyInstance, { accounts, chat, sessions, gate }: AccountRouteDependencies): void {
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
