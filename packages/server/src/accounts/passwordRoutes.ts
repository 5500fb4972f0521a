import { type Accounts as ChatAccounts, isWeakPassword, networkOf } from '@engawa/chat-server';
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
import { z } from 'zod';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import type { Log } from '../log.ts';
import { addressOfClient } from '../security/proxies.ts';
import { publicAddressOf } from '../security/publicAddress.ts';
import { tokenOf } from '../sessions/cookie.ts';
import type { Entrance } from '../sessions/signIn.ts';
import type { Gate } from '../sessions/member.ts';
import type { PasswordEntrance } from '../sessions/passwordSignIn.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Accounts } from './accounts.ts';
import { bodyAs } from './body.ts';
import type { Links } from './oneTimeLinks.ts';
import { createThrottle, limits, type Throttle } from './throttle.ts';

export interface PasswordOptions {
  readonly configuration: Pick<Configuration, 'publicUrl'>;
  readonly accounts: Accounts;
  readonly chatAccounts: ChatAccounts;
  readonly links: Links;
  /** Of links that are none. */
  readonly attempts: Throttle;
  readonly organisationName: () => Promise<string>;
  readonly sessions: Sessions;
  readonly entrance: Entrance;
  readonly passwords: PasswordEntrance;
  readonly gate: Gate;
  /** Whether letters can be sent. */
  readonly mail: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

const withId = z.object({ id: z.coerce.number().pipe(z.int()) });

/** POST /api/password and below it; POST /api/administration/members/{id}/reset */
export function passwordRoutes(app: FastifyInstance, options: PasswordOptions): void {
  const { accounts, chatAccounts, links, attempts, organisationName, sessions, entrance, passwords, gate } = options;
  const { configuration } = options;

  app.post(accountPaths.passwordLink, async (request, reply) => {
    const { token } = bodyAs(passwordLinkQuery, request.body);
    const { email, full_name } = await attempts.failing(addressOfClient(request), () =>
      accounts.passwordOwner(links.find('password', token)),
    );
    const answer: PasswordLinkDetails = { organisation: await organisationName(), email, full_name };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });

  app.post(accountPaths.passwordReset, async (request, reply) => {
    const { token, password } = bodyAs(passwordReset, request.body);
    const account = await attempts.failing(addressOfClient(request), () => accounts.passwordOwner(links.find('password', token)));
    if (isWeakPassword(password, account)) throw refused.weakPassword();
    const hash = await chatAccounts.hashPassword(password);
    const userId = await links.use('password', token, async (link) => {
      const { id } = accounts.passwordOwner(link);
      await chatAccounts.setPassword(id, hash);
      return id;
    });
    await sessions.endOf(userId, undefined, () => true);
    await accounts.endPasswordLinks(userId);
    return entrance.admit(request, reply, await passwords.enter(userId));
  });

  app.post(accountPaths.password, async (request) => {
    const { id } = await gate.member(request);
    const { current, password } = bodyAs(passwordChange, request.body);
    const account = chatAccounts.of(id);
    if (!account) throw refused.notLoggedIn();
    if (isWeakPassword(password, account)) throw refused.weakPassword();
    const { token, keyId } = sessionOf(request, sessions);
    const change = { current, next: password, kept: keyId, address: addressOfClient(request) };
    await chatAccounts.changePassword(id, change);
    await sessions.endOf(id, token, (session) => !session.current);
    await accounts.endPasswordLinks(id);
    return {};
  });

  app.post(`${administrationPaths.members}/:id/reset`, async (request, reply) => {
    const { id: by } = await gate.administrator(request);
    const { data } = withId.safeParse(request.params);
    if (!data) throw refused.noSuchMember();
    const sent = await accounts.passwordLink(data.id, by, publicAddressOf(request, configuration));
    return reply.header('Cache-Control', 'no-store').send(sent);
  });

  forgottenRoute(app, options);
}

/** Whether there is such a member is told by nothing: neither by the answer nor by the time that it takes. */
function forgottenRoute(app: FastifyInstance, { configuration, accounts, mail, now, log }: PasswordOptions): void {
  const askedFrom = createThrottle(limits.forgotten, now);
  const askedFor = createThrottle(limits.letters, now);

  app.post(accountPaths.passwordForgotten, async (request) => {
    if (!mail) throw refused.noMail();
    const { email } = bodyAs(passwordForgotten, request.body);
    askedFrom.each(networkOf(addressOfClient(request)) ?? '');
    if (!askedFor.may(email.toLowerCase())) return {};
    const address = publicAddressOf(request, configuration);
    // After the answer is on its way.
    setImmediate(() => {
      accounts.remind(email, address).catch((error: unknown) => log({ event: 'a forgotten password was not helped', error }));
    });
    return {};
  });
}

/** The session that asks; with Basic there is none. */
function sessionOf(request: FastifyRequest, sessions: Sessions): { token?: string | undefined; keyId?: number | undefined } {
  if (request.headers.authorization !== undefined) return {};
  const token = tokenOf(request);
  return { token, keyId: token === undefined ? undefined : sessions.find(token)?.keyId };
}
