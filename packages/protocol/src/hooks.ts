/** Incoming hooks: addresses at which other programs post messages. */
import { z } from 'zod/mini';
import { fullNameLength, maxTopicLength } from './limits.ts';

export const hookPaths = {
  hooks: '/api/hooks',
  hook: (id: number | ':id') => `/api/hooks/${id}` as const,
  renew: (id: number | ':id') => `/api/hooks/${id}/renew` as const,
} as const;

/** The address at which other programs post; the token of the hook follows. */
export const hookAddress = '/hooks/';
/** The address for programs with their own format; the name of the format follows. */
export const externalAddress = '/api/v1/external/';

/** Bytes of a request. */
export const maxHookPayload = 100 * 1024;
/** Posts of one hook in this many seconds. */
export const hookRate = { calls: 60, seconds: 60 } as const;

/** Why the last request of a hook was not sent. The codes are Slack's; the last two are ours. */
export const hookErrors = [
  'invalid_payload',
  'no_text',
  'no_service',
  'channel_not_found',
  'channel_is_archived',
  'rate_limited',
  'payload_too_large',
  'invalid_topic',
] as const;
export type HookError = (typeof hookErrors)[number];

export const hook = z.object({
  /** The user id of the bot as which the hook posts. */
  id: z.int(),
  name: z.string(),
  owner_id: z.nullable(z.int()),
  stream_id: z.int(),
  topic: z.string(),
  /** False if the bot is deactivated. */
  is_active: z.boolean(),
  /** Unix seconds; `used` is accurate to a minute. */
  created: z.int(),
  used: z.nullable(z.int()),
  last_error: z.nullable(z.object({ code: z.enum(hookErrors), time: z.int() })),
});
export type Hook = z.output<typeof hook>;

/** GET /api/hooks has the caller's own, GET /api/administration/hooks all. */
export const hooks = z.object({ hooks: z.array(hook) });

const name = z.string().check(z.trim(), z.minLength(fullNameLength.least), z.maxLength(fullNameLength.most));
const topic = z.string().check(z.trim(), z.minLength(1), z.maxLength(maxTopicLength), z.regex(/^\P{Cc}*$/u));

/** POST /api/hooks */
export const newHook = z.object({ name, stream_id: z.int(), topic });
/** PATCH /api/hooks/{id}, by the owner and by administrators */
export const hookChange = z.partial(newHook);
export type NewHook = z.output<typeof newHook>;
export type HookChange = z.output<typeof hookChange>;

/** The answer of POST /api/hooks and POST /api/hooks/{id}/renew. Nothing shows the token again. */
export const hookSecrets = z.object({
  hook,
  /** The whole address, for programs that know Slack’s format. */
  address: z.string(),
  /** The beginning of the address for programs with their own format. */
  external: z.string(),
  api_key: z.string(),
});
export type HookSecrets = z.output<typeof hookSecrets>;

/** The formats of `externalAddress` that the screens offer. */
export const hookFormats = ['redmine', 'backlog', 'zabbix', 'grafana', 'alertmanager', 'gitlab'] as const;
export type HookFormat = (typeof hookFormats)[number];
