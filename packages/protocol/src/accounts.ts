/** Bodies and answers of the account calls (AUTH_MODE=password): setup, invitations, passwords and API keys. */
import { z } from 'zod/mini';
import { passwordLength } from './limits.ts';

/** The minimum length counts code points. The server refuses a weak password with PASSWORD_TOO_WEAK. */
export const newPassword = z.string().check(
  z.maxLength(passwordLength.most),
  z.refine((password) => [...password].length >= passwordLength.least),
);

/** The secret in an invitation or reset link. It stands after the `#`, which browsers do not send, so no access log has it. */
export const linkToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));

/** POST /api/setup, possible only once: creates the organisation and its owner, and signs the owner in. Answers `session`. */
export const setup = z.object({
  code: z.string().check(z.trim(), z.maxLength(100)),
  organisation: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  name: z.string(),
  email: z.string().check(z.trim(), z.maxLength(320)),
  password: newPassword,
});
export type Setup = z.output<typeof setup>;

/** POST /api/invitation: the details of a valid invitation. LINK_NOT_VALID when it was used, expired or revoked. */
export const invitationQuery = z.object({ token: linkToken });
export const invitationDetails = z.object({ organisation: z.string(), email: z.string(), invited_by: z.string() });
export type InvitationDetails = z.output<typeof invitationDetails>;

/** POST /api/invitation/accept: creates the member and signs them in. Answers `session`. */
export const invitationAccept = z.object({
  token: linkToken,
  name: z.string(),
  /** The name in kana; may be empty. */
  reading: z.string().check(z.maxLength(100)),
  password: newPassword,
});

/** POST /api/password/forgotten: mails a link if a member has the address. Always answers `{}`, to reveal no members. */
export const passwordForgotten = z.object({ email: z.string().check(z.trim(), z.maxLength(320)) });
export const passwordLinkQuery = z.object({ token: linkToken });
export const passwordLinkDetails = z.object({ organisation: z.string(), email: z.string(), full_name: z.string() });
export type PasswordLinkDetails = z.output<typeof passwordLinkDetails>;
/** POST /api/password/reset: sets the password, ends the member's sessions and keys, and signs them in. Answers `session`. */
export const passwordReset = z.object({ token: linkToken, password: newPassword });
/** POST /api/password: changes the member's own password and ends their other sessions and API keys. Answers `{}`. */
export const passwordChange = z.object({ current: z.string().check(z.maxLength(passwordLength.most)), password: newPassword });

/** A key of a program, not of a browser session. Times are unix seconds; `last_used` is accurate to about five minutes, null: never. */
export const apiKey = z.object({ id: z.int(), created: z.int(), last_used: z.nullable(z.int()) });
export type ApiKey = z.output<typeof apiKey>;
/** GET /api/keys: newest first. DELETE ends all keys, DELETE `/{id}` ends one; both answer `{}`. */
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

export const linkAddresses = { invitation: '/#/invitation/', password: '/#/password/' } as const;
