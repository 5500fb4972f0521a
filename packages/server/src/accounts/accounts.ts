import { type Account, type Accounts as ChatAccounts, isEmailAddress } from '@engawa/chat-server';
import { type Role, roles } from '@engawa/protocol';
import { linkAddresses } from '@engawa/protocol/accounts';
import type { SentLink, invitationCreation } from '@engawa/protocol/administration';
import type { z } from 'zod';
import { refused } from '../http/errors.ts';
import type { Actor } from '../organisation/plan.ts';
import type { LinkKind } from '../schema.ts';
import { invitationLetter, passwordLetter } from './mailTexts.ts';
import type { Link, Links } from './oneTimeLinks.ts';
import type { Mailer } from './mailer.ts';

/** What an invitation is for. */
type Invited = z.output<typeof invitationCreation>;

/** How members come in, and come in again: by links that administrators make and that go by mail where there is any. */
export interface Accounts {
  /**
   * A link by which a member sets a password. Those that were made for them before end.
   * @param address where the product is reached, without a slash at the end.
   * @throws RefusedError when they may not have one of this actor.
   */
  passwordLink(userId: number, by: Actor, address?: string): Promise<SentLink>;
  /** A link by which somebody becomes a member. @throws RefusedError */
  invite(invited: Invited, by: Actor, address?: string): Promise<SentLink>;
  /** Sends a link to the member who has this email, if there is one. */
  remind(email: string, address: string): Promise<void>;
  /** @throws RefusedError LINK_NOT_VALID for one that is none, or whose maker may not invite any more. */
  invitation(token: string): Link<'invitation'>;
  /** The same for one that was found. */
  invitationNow(link: Link<'invitation'>): Link<'invitation'>;
  /** Whether somebody has this email, active or not. */
  isMember(email: string): boolean;
  /**
   * @throws RefusedError LINK_NOT_VALID when it was made for somebody who is not so any more, or by somebody who may not
   * make it any more: whoever kept one for a member does not become the owner that the member has become.
   */
  passwordOwner(link: Link<'password'>): Account;
  /** The invitations that hold, the newest first. */
  invitations(): readonly Link<'invitation'>[];
  /** Whether this actor may do it to somebody of this role. @throws RefusedError when not. */
  mustStandAbove(by: Actor, role: Role): void;
  /** Ends the links by which a member could set a password. */
  endPasswordLinks(userId: number): Promise<void>;
}

/** Most invitations that hold at once. */
const mostInvitations = 1000;

export interface AccountOptions {
  readonly accounts: ChatAccounts;
  readonly links: Links;
  readonly mailer: Mailer | undefined;
  /** The organisation's name. */
  readonly organisation: () => Promise<string>;
  /** Whether there is such a department. */
  readonly isDepartment: (code: string) => boolean;
  /** Where the product is reached, unless somebody has reached it elsewhere. */
  readonly address: () => string;
}

export function createAccounts(options: AccountOptions): Accounts {
  const { accounts, links, mailer, organisation, isDepartment } = options;
  const mustStandAbove = (by: Actor, role: Role): void => {
    if (!standsAbove(by, role, accounts)) throw refused.aboveThemselves();
  };
  const linkTo = (kind: LinkKind, token: string, address = options.address()) => address + linkAddresses[kind] + token;
  const makePasswordLink = async (account: Account, madeBy: number | null, purpose: string, address?: string) => {
    const { id: userId, email, deactivations } = account;
    const made = await links.create({ kind: 'password', purpose, terms: { userId, email, deactivations }, madeBy });
    return { link: linkTo('password', made.token, address), ends: made.ends };
  };
  const sendPassword = async ({ email, full_name: fullName }: Account, link: string): Promise<boolean> =>
    mailer !== undefined && (await mailer.send(email, passwordLetter({ organisation: await organisation(), fullName, link })));
  const invitationNow = (link: Link<'invitation'>): Link<'invitation'> => {
    if (!holds(link)) throw refused.linkNotValid();
    return link;
  };
  const maySoStill = (madeBy: number | null, role: Role): boolean => standsAbove(madeBy ?? 'console', role, accounts);
  const holds = ({ madeBy, terms }: Link<'invitation'>): boolean => maySoStill(madeBy, terms.role);

  return {
    mustStandAbove,

    async passwordLink(userId, by, address) {
      const account = accounts.of(userId);
      if (!account) throw refused.noSuchMember();
      mustStandAbove(by, account.role);
      if (!account.isActive) throw refused.memberDeactivated();
      const [purpose, forgotten] = passwordPurposes(userId);
      await links.endFor('password', [forgotten]);
      const made = await makePasswordLink(account, by === 'console' ? null : by, purpose, address);
      return { ...made, mailed: await sendPassword(account, made.link) };
    },

    async invite({ email, role, departments }, by, address) {
      mustStandAbove(by, role);
      if (!isEmailAddress(email)) throw refused.emailMalformed();
      if (accounts.byEmail(email)) throw refused.emailInUse();
      if (!departments.every(isDepartment)) throw refused.noSuchDepartment();
      const purpose = email.toLowerCase();
      const isForThem = ({ terms }: Link<'invitation'>): boolean => terms.email.toLowerCase() === purpose;
      const present = links.all('invitation', mostInvitations);
      // The one before ends by this.
      for (const before of present.filter(isForThem).filter(holds)) mustStandAbove(by, before.terms.role);
      const others = present.filter((link) => !isForThem(link));
      if (others.length >= mostInvitations) throw refused.tooManyInvitations(mostInvitations);
      const terms = { email, role, departments: [...new Set(departments)] };
      const { token, ends } = await links.create({
        kind: 'invitation',
        purpose,
        terms,
        madeBy: by === 'console' ? null : by,
      });
      const link = linkTo('invitation', token, address);
      const invitedBy = by === 'console' ? null : (accounts.of(by)?.full_name ?? null);
      const mailed =
        mailer !== undefined &&
        (await mailer.send(email, invitationLetter({ organisation: await organisation(), invitedBy, link })));
      return { link, ends, mailed };
    },

    async remind(email, address) {
      const account = accounts.byEmail(email);
      if (!account?.isActive || !mailer) return;
      // What an administrator has made for them holds beside it: anybody may say that somebody forgot their password.
      const [, forgotten] = passwordPurposes(account.id);
      const { link } = await makePasswordLink(account, null, forgotten, address);
      await sendPassword(account, link);
    },

    invitation: (token) => invitationNow(links.find('invitation', token)),
    invitationNow,
    isMember: (email) => accounts.byEmail(email) !== undefined,

    passwordOwner({ madeBy, terms: { userId, email, deactivations } }) {
      const account = accounts.of(userId);
      const same = account?.isActive && account.email === email && account.deactivations === deactivations;
      if (!account || !same || !maySoStill(madeBy, account.role)) throw refused.linkNotValid();
      return account;
    },

    invitations: () => links.all('invitation', mostInvitations).filter(holds),
    endPasswordLinks: (userId) => links.endFor('password', passwordPurposes(userId)),
  };
}

/** A link that an administrator made for a member, and one that was asked for in their name. */
function passwordPurposes(userId: number): readonly [string, string] {
  return [`${userId}`, `${userId} forgot it`];
}

/**
 * Administrators may do it to whoever is not above them, as their role is now. What somebody began who may not any
 * more does not go on.
 */
function standsAbove(by: Actor, role: Role, accounts: ChatAccounts): boolean {
  if (by === 'console') return true;
  const actor = accounts.of(by);
  return actor !== undefined && actor.isActive && actor.role <= roles.administrator && actor.role <= role;
}
