import type { Accounts as ChatAccounts } from '@engawa/chat-server';
import { administrationPaths } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import type { Gate } from '../sessions/member.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Accounts } from './accounts.ts';

export interface MemberSessionOptions {
  readonly accounts: Pick<Accounts, 'mustStandAbove'>;
  readonly chatAccounts: Pick<ChatAccounts, 'of' | 'endKeys'>;
  readonly sessions: Sessions;
  readonly gate: Gate;
}

const withId = z.object({ id: z.coerce.number().pipe(z.int()) });

/** DELETE /api/administration/members/{id}/sessions: signs a member out everywhere, and their programs. */
export function memberSessionRoute(app: FastifyInstance, options: MemberSessionOptions): void {
  const { accounts, chatAccounts, sessions, gate } = options;
  app.delete(`${administrationPaths.members}/:id/sessions`, async (request) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    const account = data && chatAccounts.of(data.id);
    if (!account) throw refused.noSuchMember();
    accounts.mustStandAbove(by, account.role);
    await chatAccounts.endKeys(account.id, 'all');
    await sessions.endOf(account.id, undefined, () => true);
    return {};
  });
}
