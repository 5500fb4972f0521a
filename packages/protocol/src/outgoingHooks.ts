/** Outgoing hooks: messages for a bot are posted to an address of another program. */
import { z } from 'zod/mini';
import { fullNameLength } from './limits.ts';

export const outgoingHookPaths = {
  hooks: '/api/outgoing-hooks',
  hook: (id: number | ':id') => `/api/outgoing-hooks/${id}` as const,
  renew: (id: number | ':id') => `/api/outgoing-hooks/${id}/renew` as const,
  retry: (id: number | ':id') => `/api/outgoing-hooks/${id}/retry` as const,
  /** For administrators: all hooks, and the origins to which hooks may post. */
  all: '/api/administration/outgoing-hooks',
  origins: '/api/administration/hook-origins',
} as const;

export const maxOutgoingHooks = 200;
export const maxHookOrigins = 100;
export const maxHookStreams = 20;
export const maxHookAddressLength = 500;

/** Why a post failed, or was refused by its receiver. */
export const postErrors = [
  /** The receiver answered with another status than 2xx. */
  'status',
  'timeout',
  /** The name has no address, or the connection failed. */
  'unreachable',
  /** The certificate of the receiver is not valid. */
  'certificate',
  /** Administrators no longer allow the origin. */
  'not_allowed',
  /** The name leads to an address in a private network, which administrators did not allow for this origin. */
  'private_address',
  /** The receiver’s answer is too long or is not what a hook understands, so it was not sent. The post arrived. */
  'answer_unreadable',
  /** The chat server refused the receiver’s answer. The post arrived. */
  'answer_refused',
] as const;
export type PostError = (typeof postErrors)[number];

/** Why a hook is off. `restore --end-sessions` also sets `owner_changed`. */
export const offReasons = ['owner', 'administrator', 'failing', 'bot_inactive', 'owner_changed'] as const;
export type OffReason = (typeof offReasons)[number];

export const outgoingHook = z.object({
  /** The user id of the bot. */
  id: z.int(),
  name: z.string(),
  owner_id: z.nullable(z.int()),
  address: z.string(),
  /** All messages of these streams are posted, in addition to mentions of the bot and direct messages to it. */
  stream_ids: z.array(z.int()),
  /** Null while the hook is on. */
  off: z.nullable(z.enum(offReasons)),
  /** Times are unix seconds. */
  created: z.int(),
  last_success: z.nullable(z.int()),
  last_error: z.nullable(
    z.object({ code: z.enum(postErrors), time: z.int(), /** With the code `status`. */ status: z.nullable(z.int()) }),
  ),
  /** While a post has failed and is going to be repeated: how often it failed, and when it is posted again. */
  retry: z.nullable(z.object({ attempts: z.int(), at: z.int() })),
  /** Posts that were given up after a day. */
  dropped: z.int(),
});
export type OutgoingHook = z.output<typeof outgoingHook>;

export const hookOrigin = z.object({
  /** For example `https://hooks.example.com`. */
  origin: z.string(),
  /** Whether it may be in a private network. */
  is_private: z.boolean(),
});
export type HookOrigin = z.output<typeof hookOrigin>;

/** GET /api/outgoing-hooks: the caller’s own. GET /api/administration/outgoing-hooks: all. */
export const outgoingHooks = z.object({ hooks: z.array(outgoingHook), origins: z.array(z.string()) });
/** GET /api/administration/hook-origins, and the answer of POST and DELETE. */
export const hookOrigins = z.object({ origins: z.array(hookOrigin) });
/** POST adds or replaces an origin. DELETE has no body and names the origin in its query: `?origin=…`. */
export const hookOriginChange = z.object({
  origin: z.string().check(z.trim(), z.maxLength(maxHookAddressLength)),
  is_private: z._default(z.boolean(), false),
});

const name = z.string().check(z.trim(), z.minLength(fullNameLength.least), z.maxLength(fullNameLength.most));
const address = z.string().check(z.trim(), z.maxLength(maxHookAddressLength));
const stream_ids = z.array(z.int()).check(z.maxLength(maxHookStreams));

/** POST /api/outgoing-hooks creates a bot with a hook, or gives one to a bot of the caller. The bot joins the streams. */
export const newOutgoingHook = z.union([
  z.object({ name, address, stream_ids: z._default(stream_ids, []) }),
  z.object({ bot_id: z.int(), address, stream_ids: z._default(stream_ids, []) }),
]);
export type NewOutgoingHook = z.output<typeof newOutgoingHook>;

/**
 * PATCH /api/outgoing-hooks/{id} by the owner. An administrator can only turn a hook off, and on again if an administrator turned it
 * off. `HOOK_OFF_BY_ADMINISTRATOR` and `HOOK_SECRET_NOT_RENEWED` refuse `is_on`.
 */
export const outgoingHookChange = z.object({
  name: z.optional(name),
  address: z.optional(address),
  stream_ids: z.optional(stream_ids),
  /** A hook that is turned on posts only later messages. */
  is_on: z.optional(z.boolean()),
});
export type OutgoingHookChange = z.output<typeof outgoingHookChange>;

/** The answer of POST /api/outgoing-hooks and of POST /api/outgoing-hooks/{id}/renew. Nothing shows the secret again. */
export const outgoingHookSecrets = z.object({
  hook: outgoingHook,
  /** `whsec_` and the key of the signature in Base64. */
  secret: z.string(),
  /** The field `token` of each post, for receivers of Zulip’s outgoing webhooks. It follows from the secret. */
  token: z.string(),
});
export type OutgoingHookSecrets = z.output<typeof outgoingHookSecrets>;
