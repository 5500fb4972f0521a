import type { Actor, Account, Accounts as ChatAccounts } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { getServerSettings } from '@engawa/client';
import { type Role, roles } from '@engawa/protocol';
import { linkAddresses } from '@engawa/protocol/accounts';
import type { SentInvitations, SentLink } from '@engawa/protocol/administration';
import type { ConnectAs } from '../chat/connections.ts';
import { departments } from '../departments/store.ts';
import { refused } from '../http/errors.ts';
import type { LinkKind } from '../database/schema.ts';
import { passwordMail, testMail } from './mailTexts.ts';
import { type NewInvitations, inviteAll, mostInvitations } from './invite.ts';
import { type Link, type OneTimeLinks, createOneTimeLinks } from './oneTimeLinks.ts';
import type { Mailer } from './mailer.ts';

/** Every link begins with the configured address, never with the host of a request, and is returned; if a mail server is configured, it is also mailed to the person. */
export interface Accounts {
  readonly links: OneTimeLinks;
  readonly sendsMail: boolean;
  organisationName(): Promise<string>;
  isDepartment(code: string): boolean;
  /** Earlier links of the member expire. @throws RefusedError if they outrank the actor. */
  passwordLink(userId: number, by: Actor): Promise<SentLink>;
  /** Invites each address; an address that cannot be invited is in `refused`. @throws RefusedError for the role or a department. */
  invite(invited: NewInvitations, by: Actor): Promise<SentInvitations>;
  /** @returns why the mail server did not accept the mail; undefined: it did. @throws RefusedError NO_MAIL */
  mailTest(email: string): Promise<string | undefined>;
  mailForgottenPassword(email: string): Promise<void>;
  /** @throws RefusedError LINK_NOT_VALID for an invalid link, or if its creator may no longer invite. */
  invitation(token: string): Link<'invitation'>;
  checkedInvitation(link: Link<'invitation'>): Link<'invitation'>;
  /** @throws RefusedError LINK_NOT_VALID if the account changed after the link, or its creator lost the rank. */
  passwordOwner(link: Link<'password'>): Account;
  invitations(): readonly Link<'invitation'>[];
  /** @throws RefusedError unless the actor's role is at least `role`. */
  requireRank(by: Actor, role: Role): void;
  endPasswordLinks(userId: number): Promise<void>;
}

export interface AccountDependencies {
  readonly database: Database;
  readonly chatAccounts: ChatAccounts;
  readonly connectAs: ConnectAs;
  readonly mailer: Mailer | undefined;
  /** The address for links, without a slash at the end. */
  readonly address: () => string;
  readonly now: () => number;
}

export function createAccounts(dependencies: AccountDependencies): Accounts {
  const { database, chatAccounts: accounts, connectAs, mailer, now } = dependencies;
  const links = createOneTimeLinks(database, now);
  const organisationName = async () => (await getServerSettings(connectAs(), {})).realm_name ?? '';
  const isDepartment = (code: string) => departments.find(database.reader, code) !== undefined;
  const requireRank = (by: Actor, role: Role): void => {
    if (!hasRank(by, role, accounts)) throw refused.aboveThemselves();
  };
  const linkTo = (kind: LinkKind, token: string) => dependencies.address() + linkAddresses[kind] + token;
  const makePasswordLink = async (account: Account, madeBy: number | null, purpose: string) => {
    const { id: userId, email, deactivations } = account;
    const made = await links.create({ kind: 'password', purpose, terms: { userId, email, deactivations }, madeBy });
    return { link: linkTo('password', made.token), ends: made.ends };
  };
  const sendPassword = async ({ email, full_name: fullName }: Account, link: string): Promise<boolean> =>
    mailer !== undefined &&
    (await mailer.send(email, passwordMail({ organisation: await organisationName(), fullName, link }))) === undefined;
  const checkedInvitation = (link: Link<'invitation'>): Link<'invitation'> => {
    if (!isValid(link)) throw refused.linkNotValid();
    return link;
  };
  const stillHasRank = (madeBy: number | null, role: Role): boolean => hasRank(madeBy ?? 'console', role, accounts);
  const isValid = ({ madeBy, terms }: Link<'invitation'>): boolean => stillHasRank(madeBy, terms.role);

  return {
    links,
    sendsMail: mailer !== undefined,
    organisationName,
    isDepartment,
    requireRank,

    async passwordLink(userId, by) {
      const account = accounts.of(userId);
      if (!account) throw refused.noSuchMember();
      requireRank(by, account.role);
      if (!account.isActive) throw refused.memberDeactivated();
      const [purpose, forgotten] = passwordPurposes(userId);
      await links.endFor('password', [forgotten]);
      const made = await makePasswordLink(account, by === 'console' ? null : by, purpose);
      return { ...made, mailed: await sendPassword(account, made.link) };
    },

    async invite(invited, by) {
      requireRank(by, invited.role);
      if (!invited.departments.every(isDepartment)) throw refused.noSuchDepartment();
      return inviteAll(invited, by, { links, chatAccounts: accounts, mailer, requireRank, isValid, linkTo, organisationName });
    },

    async mailTest(email) {
      if (!mailer) throw refused.noMail();
      return mailer.send(email, testMail(await organisationName()));
    },

    async mailForgottenPassword(email) {
      const account = accounts.byEmail(email);
      if (!account?.isActive || !mailer) return;
      // An administrator's link stays valid, because anybody can report a forgotten password and would end it.
      const [, forgotten] = passwordPurposes(account.id);
      const { link } = await makePasswordLink(account, null, forgotten);
      await sendPassword(account, link);
    },

    invitation: (token) => checkedInvitation(links.find('invitation', token)),
    checkedInvitation,

    passwordOwner({ madeBy, terms: { userId, email, deactivations } }) {
      const account = accounts.of(userId);
      const same = account?.isActive && account.email === email && account.deactivations === deactivations;
      if (!account || !same || !stillHasRank(madeBy, account.role)) throw refused.linkNotValid();
      return account;
    },

    invitations: () => links.all('invitation', mostInvitations).filter(isValid),
    endPasswordLinks: (userId) => links.endFor('password', passwordPurposes(userId)),
  };
}

/** The purposes of two kinds of password links: created by an administrator, and requested as forgotten. */
function passwordPurposes(userId: number): readonly [string, string] {
  return [`${userId}`, `${userId} forgot it`];
}

/** The role is read at each use, so that a demoted administrator's link stops working. */
function hasRank(by: Actor, role: Role, accounts: ChatAccounts): boolean {
  if (by === 'console') return true;
  const actor = accounts.of(by);
  return actor !== undefined && actor.isActive && actor.role <= roles.administrator && actor.role <= role;
}
