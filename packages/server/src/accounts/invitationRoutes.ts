import { cleanFullName, isWeakPassword } from '@engawa/chat-server/parts';
import { accountPaths, invitationAccept, invitationQuery, type InvitationDetails } from '@engawa/protocol/accounts';
import { administrationPaths, type Invitations, invitationCreation } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { refused } from '../http/errors.ts';
import { withId } from '../http/parameters.ts';
import { parseBody } from './body.ts';
import type { AccountRouteDependencies } from './dependencies.ts';

export function invitationRoutes(app: FastifyInstance, dependencies: AccountRouteDependencies): void {
  const { chat, accounts, organisation, signIn, enterByLink, gate } = dependencies;

  app.post(accountPaths.invitation, async (request, reply) => {
    const { token } = parseBody(invitationQuery, request.body);
    const { terms, madeBy } = accounts.invitation(token);
    const answer: InvitationDetails = {
      organisation: await accounts.organisationName(),
      email: terms.email,
      invited_by: (madeBy === null ? undefined : chat.accounts.of(madeBy)?.full_name) ?? '',
    };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });

  app.post(accountPaths.acceptInvitation, async (request, reply) => {
    const { token, name, reading, password } = parseBody(invitationAccept, request.body);
    const { terms } = accounts.invitation(token);
    const { email } = terms;
    const fullName = cleanFullName(name);
    if (isWeakPassword(password, { email, full_name: fullName })) throw refused.weakPassword();
    const passwordHash = await chat.accounts.hashPassword(password);
    const userId = await accounts.links.use('invitation', token, async (link) => {
      // Checked again, because another call may have ended the invitation while this one waited.
      const { role, departments } = accounts.checkedInvitation(link).terms;
      const member = { fullName, reading: reading.trim(), role, passwordHash };
      const memberNow = () => {
        chat.accounts.requireFreeName(fullName);
        return { ...member, departments: departments.filter(accounts.isDepartment) };
      };
      return organisation.addMember(email, memberNow, link.madeBy ?? 'console');
    });
    return signIn.admit(request, reply, await enterByLink(userId));
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
    const sent = await accounts.invite(parseBody(invitationCreation, request.body), id);
    return reply.header('Cache-Control', 'no-store').send(sent);
  });

  app.delete(`${administrationPaths.invitations}/:id`, async (request) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    const link = accounts.invitations().find(({ id }) => id === data?.id);
    if (!link) throw refused.noSuchInvitation();
    accounts.requireRank(by, link.terms.role);
    if (!(await accounts.links.end('invitation', link.id))) throw refused.noSuchInvitation();
    return {};
  });
}
