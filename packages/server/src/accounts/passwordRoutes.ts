import { isWeakPassword } from '@engawa/chat-server/parts';
import {
  accountPaths,
  passwordChange,
  passwordForgotten,
  passwordLinkQuery,
  type PasswordLinkDetails,
  passwordReset,
} from '@engawa/protocol/accounts';
import { administrationPaths } from '@engawa/protocol/administration';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refused } from '../http/errors.ts';
import { withId } from '../http/parameters.ts';
import { addressOfClient } from '../security/proxies.ts';
import { tokenOf } from '../sessions/cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { parseBody } from './body.ts';
import type { AccountRouteDependencies } from './dependencies.ts';
import { passwordLetters } from './passwordLetters.ts';

export function passwordRoutes(app: FastifyInstance, dependencies: AccountRouteDependencies): void {
  const { chat, accounts, sessions, signIn, enterByLink, gate } = dependencies;
  const { links } = accounts;

  app.post(accountPaths.passwordLink, async (request, reply) => {
    const { token } = parseBody(passwordLinkQuery, request.body);
    const { email, full_name } = accounts.passwordOwner(links.find('password', token));
    const answer: PasswordLinkDetails = { organisation: await accounts.organisationName(), email, full_name };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });

  app.post(accountPaths.passwordReset, async (request, reply) => {
    const { token, password } = parseBody(passwordReset, request.body);
    const account = accounts.passwordOwner(links.find('password', token));
    if (isWeakPassword(password, account)) throw refused.weakPassword();
    const hash = await chat.accounts.hashPassword(password);
    const userId = await links.use('password', token, async (link) => {
      const { id } = accounts.passwordOwner(link);
      await chat.accounts.setPassword(id, hash);
      return id;
    });
    await sessions.endAll(userId);
    await accounts.endPasswordLinks(userId);
    return signIn.admit(request, reply, await enterByLink(userId));
  });

  app.post(accountPaths.password, async (request) => {
    const { id } = await gate.member(request);
    const { current, password } = parseBody(passwordChange, request.body);
    const account = chat.accounts.of(id);
    if (!account) throw refused.notLoggedIn();
    if (isWeakPassword(password, account)) throw refused.weakPassword();
    const { token, keyId } = sessionOf(request, sessions);
    const change = { current, next: password, kept: keyId, address: addressOfClient(request) };
    await chat.accounts.changePassword(id, change);
    await sessions.endOf(id, token, (session) => !session.current);
    await accounts.endPasswordLinks(id);
    return {};
  });

  app.post(`${administrationPaths.members}/:id/reset`, async (request, reply) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    if (!data) throw refused.noSuchMember();
    const sent = await accounts.passwordLink(data.id, by);
    return reply.header('Cache-Control', 'no-store').send(sent);
  });

  forgottenRoute(app, dependencies);
}

/** Answers before it looks for the member, so that neither answer nor time reveals whether they exist. */
function forgottenRoute(app: FastifyInstance, { accounts, knownDevices, now, log }: AccountRouteDependencies): void {
  const maySend = passwordLetters(now);

  app.post(accountPaths.passwordForgotten, async (request) => {
    if (!accounts.sendsMail) throw refused.noMail();
    const { email } = parseBody(passwordForgotten, request.body);
    const device = knownDevices.find(request, email);
    if (!maySend({ email, address: addressOfClient(request), device })) return {};
    setImmediate(() => {
      accounts.mailForgottenPassword(email).catch((error: unknown) => log({ event: 'password_mail_failed', error }));
    });
    return {};
  });
}

/** Returns an empty object for a call with Basic authentication, which has no session. */
function sessionOf(request: FastifyRequest, sessions: Sessions): { token?: string | undefined; keyId?: number | undefined } {
  if (request.headers.authorization !== undefined) return {};
  const token = tokenOf(request);
  return { token, keyId: sessions.find(token)?.keyId };
}
