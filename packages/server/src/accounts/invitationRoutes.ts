import { type Accounts as ChatAccounts, cleanFullName, isWeakPassword } from '@engawa/chat-server';
import { accountPaths, invitationAccept, invitationQuery, type InvitationDetails } from '@engawa/protocol/accounts';
import { administrationPaths, type Invitations, invitationCreation } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import type { Organisation } from '../organisation/organisation.ts';
import { addressOfClient } from '../security/proxies.ts';
import { publicAddressOf } from '../security/publicAddress.ts';
import type { Entrance } from '../sessions/signIn.ts';
import type { Gate } from '../sessions/member.ts';
import type { PasswordEntrance } from '../sessions/passwordSignIn.ts';
import type { Accounts } from './accounts.ts';
import { bodyAs } from './body.ts';
import type { Links } from './oneTimeLinks.ts';
import type { Throttle } from './throttle.ts';

export interface InvitationOptions {
  readonly configuration: Pick<Configuration, 'publicUrl'>;
  readonly accounts: Accounts;
  readonly chatAccounts: Pick<ChatAccounts, 'of' | 'hashPassword'>;
  readonly links: Links;
  /** Of links that are none. */
  readonly attempts: Throttle;
  readonly organisation: Pick<Organisation, 'apply'>;
  readonly organisationName: () => Promise<string>;
  readonly isDepartment: (code: string) => boolean;
  readonly entrance: Entrance;
  readonly passwords: PasswordEntrance;
  readonly gate: Gate;
}

const withId = z.object({ id: z.coerce.number().pipe(z.int()) });

/** POST /api/invitation and /api/invitation/accept; GET, POST and DELETE /api/administration/invitations */
export function invitationRoutes(app: FastifyInstance, options: InvitationOptions): void {
  const { accounts, chatAccounts, links, attempts, organisation, organisationName, isDepartment } = options;
  const { entrance, passwords, gate, configuration } = options;

  app.post(accountPaths.invitation, async (request, reply) => {
    const { token } = bodyAs(invitationQuery, request.body);
    const { terms, madeBy } = await attempts.failing(addressOfClient(request), () => accounts.invitation(token));
    const answer: InvitationDetails = {
      organisation: await organisationName(),
      email: terms.email,
      invited_by: (madeBy === null ? undefined : chatAccounts.of(madeBy)?.full_name) ?? '',
    };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });

  app.post(accountPaths.acceptInvitation, async (request, reply) => {
    const { token, name, reading, password } = bodyAs(invitationAccept, request.body);
    const { terms } = await attempts.failing(addressOfClient(request), () => accounts.invitation(token));
    const { email } = terms;
    const fullName = cleanFullName(name);
    if (isWeakPassword(password, { email, full_name: fullName })) throw refused.weakPassword();
    const passwordHash = await chatAccounts.hashPassword(password);
    const userId = await links.use('invitation', token, async (link) => {
      // Looked at again when its turn has come, like all else that may have changed since.
      const { role, departments } = accounts.invitationNow(link).terms;
      const member = { email, fullName, reading: reading.trim(), role, passwordHash };
      const plan = () => {
        if (accounts.isMember(email)) throw refused.emailInUse();
        return { departments: [], members: [{ ...member, departments: departments.filter(isDepartment) }] };
      };
      const { users } = await organisation.apply(plan, link.madeBy ?? 'console');
      return users.get(email.toLowerCase());
    });
    if (userId === undefined) throw new TypeError('the plan gave its member no number');
    return entrance.admit(request, reply, await passwords.enter(userId));
  });

  app.get(administrationPaths.invitations, async (request, reply) => {
    await gate.administrator(request);
    const answer: Invitations = {
      invitations: accounts.invitations().map(({ id, terms, madeBy, made, ends }) => ({
        id,
        ...terms,
        departments: [...terms.departments],
        invited_by: madeBy ?? 0,
        made,
        ends,
      })),
    };
    return reply.header('Cache-Control', 'private, no-store').send(answer);
  });

  app.post(administrationPaths.invitations, async (request, reply) => {
    const { id } = await gate.administrator(request);
    const sent = await accounts.invite(bodyAs(invitationCreation, request.body), id, publicAddressOf(request, configuration));
    return reply.header('Cache-Control', 'no-store').send(sent);
  });

  app.delete(`${administrationPaths.invitations}/:id`, async (request) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    const link = accounts.invitations().find(({ id }) => id === data?.id);
    if (!link) throw refused.noSuchInvitation();
    accounts.mustStandAbove(by, link.terms.role);
    if (!(await links.end('invitation', link.id))) throw refused.noSuchInvitation();
    return {};
  });
}
