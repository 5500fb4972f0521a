import { isEmailAddress } from '@engawa/chat-server/parts';
import type { Actor, Accounts as ChatAccounts } from '../chat/backend.ts';
import type { Role } from '@engawa/protocol';
import type { SentInvitations, invitationCreation } from '@engawa/protocol/administration';
import type { z } from 'zod';
import { RefusedError, refused } from '../http/errors.ts';
import { invitationMail } from './mailTexts.ts';
import type { Mailer } from './mailer.ts';
import type { Link, OneTimeLinks } from './oneTimeLinks.ts';

export type NewInvitations = z.output<typeof invitationCreation>;

export const mostInvitations = 1000;
/** Milliseconds in which a call begins to send mails, because its caller waits. Later addresses get only a link. */
const mailingPeriod = 20_000;

export interface InviteDependencies {
  readonly links: OneTimeLinks;
  readonly chatAccounts: Pick<ChatAccounts, 'byEmail' | 'of'>;
  readonly mailer: Mailer | undefined;
  readonly requireRank: (by: Actor, role: Role) => void;
  readonly isValid: (link: Link<'invitation'>) => boolean;
  readonly linkTo: (kind: 'invitation', token: string) => string;
  readonly organisationName: () => Promise<string>;
}

type NewLink = Omit<SentInvitations['sent'][number], 'mailed'>;

/** Invites each address once. The caller has checked role and departments. */
export async function inviteAll(
  { emails, role, departments }: NewInvitations,
  by: Actor,
  dependencies: InviteDependencies,
): Promise<SentInvitations> {
  const { links, chatAccounts, requireRank, isValid, linkTo } = dependencies;
  const earlier = new Map(links.all('invitation', mostInvitations).map((link) => [link.terms.email.toLowerCase(), link]));
  const madeBy = by === 'console' ? null : by;
  let valid = earlier.size;

  const inviteOne = async (purpose: string, email: string): Promise<NewLink> => {
    if (!isEmailAddress(email)) throw refused.emailMalformed();
    if (chatAccounts.byEmail(email)) throw refused.emailInUse();
    const before = earlier.get(purpose);
    if (before && isValid(before)) requireRank(by, before.terms.role);
    if (!before && valid >= mostInvitations) throw refused.tooManyInvitations(mostInvitations);
    if (!before) valid += 1;
    const terms = { email, role, departments: [...new Set(departments)] };
    const { token, ends } = await links.create({ kind: 'invitation', purpose, terms, madeBy });
    return { email, link: linkTo('invitation', token), ends };
  };

  const made: NewLink[] = [];
  const notMade: SentInvitations['refused'] = [];
  for (const [purpose, email] of new Map(emails.map((each) => [each.toLowerCase(), each]))) {
    try {
      made.push(await inviteOne(purpose, email));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      notMade.push({ email, code: error.code });
    }
  }
  return { sent: await mailed(made, by, dependencies), refused: notMade };
}

async function mailed(
  made: readonly NewLink[],
  by: Actor,
  { mailer, chatAccounts, organisationName }: InviteDependencies,
): Promise<SentInvitations['sent']> {
  if (!mailer) return made.map((each) => ({ ...each, mailed: false }));
  const organisation = await organisationName();
  const invitedBy = by === 'console' ? null : (chatAccounts.of(by)?.full_name ?? null);
  const until = performance.now() + mailingPeriod;
  return Promise.all(
    made.map(async (each) => {
      const reason = await mailer.send(each.email, invitationMail({ organisation, invitedBy, link: each.link }), until);
      return { ...each, mailed: reason === undefined };
    }),
  );
}
