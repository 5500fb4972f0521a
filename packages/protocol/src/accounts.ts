/** Accounts with passwords (AUTH_MODE=password): how an organisation is made, how members come in, and their keys. */
import { z } from 'zod';
import { passwordLength } from './limits.ts';

/** Code points are counted; the server refuses a weak one with PASSWORD_TOO_WEAK. */
export const newPassword = z
  .string()
  .max(passwordLength.most)
  .refine((password) => [...password].length >= passwordLength.least);

/** The secret in an invitation's or a reset's link: it stands behind the `#`, so that no log ever holds it. */
export const linkToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** POST /api/setup, once, before there is an organisation: makes it with its owner and signs them in. Answers `session`. */
export const setup = z.object({
  /** The one-time code that the server printed in its log. */
  code: z.string().trim().max(100),
  organisation: z.string().trim().min(1).max(100),
  name: z.string(),
  email: z.string().trim().max(320),
  password: newPassword,
});
export type Setup = z.output<typeof setup>;

/** POST /api/invitation, with a token: what an invitation that holds says. LINK_NOT_VALID: it was used, ended or taken back. */
export const invitationQuery = z.object({ token: linkToken });
export const invitationDetails = z.object({ organisation: z.string(), email: z.string(), invited_by: z.string() });
export type InvitationDetails = z.output<typeof invitationDetails>;

/** POST /api/invitation/accept: makes the member and signs them in. Answers `session`. */
export const invitationAccept = z.object({
  token: linkToken,
  name: z.string(),
  /** Of the name, in kana; may be empty. */
  reading: z.string().max(100),
  password: newPassword,
});

/** POST /api/password/forgotten: where SMTP is configured, a link goes to that address if it is a member's. Answers `{}` either way. */
export const passwordForgotten = z.object({ email: z.string().trim().max(320) });
/** POST /api/password/link, with a token: whose password it sets. */
export const passwordLinkQuery = z.object({ token: linkToken });
export const passwordLinkDetails = z.object({ organisation: z.string(), email: z.string(), full_name: z.string() });
export type PasswordLinkDetails = z.output<typeof passwordLinkDetails>;
/** POST /api/password/reset: sets the password, ends all sessions and keys of the member, and signs them in. Answers `session`. */
export const passwordReset = z.object({ token: linkToken, password: newPassword });
/** POST /api/password: the member's own; their other sessions and their API keys end. Answers `{}`. */
export const passwordChange = z.object({ current: z.string().max(passwordLength.most), password: newPassword });

/** A key that the member's own program signs in with. Times are unix seconds. Keys of browsers' sessions are none of these. */
export const apiKey = z.object({
  id: z.int(),
  created: z.int(),
  /** To within some minutes; null: never. */
  last_used: z.int().nullable(),
});
export type ApiKey = z.output<typeof apiKey>;
/** GET /api/keys: the newest first. DELETE ends all of them, and with `/{id}` added just that one; both answer `{}`. */
export const apiKeys = z.object({ keys: z.array(apiKey) });
export type ApiKeys = z.output<typeof apiKeys>;

export const accountPaths = {
  setup: '/api/setup',
  invitation: '/api/invitation',
  acceptInvitation: '/api/invitation/accept',
  password: '/api/password',
  passwordForgotten: '/api/password/forgotten',
  passwordLink: '/api/password/link',
  passwordReset: '/api/password/reset',
  keys: '/api/keys',
} as const;

/** Where the links lead, in the screens' address: behind it stands the token. */
export const linkAddresses = { invitation: '/#/invitation/', password: '/#/password/' } as const;
