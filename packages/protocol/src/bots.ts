import { z } from 'zod/mini';

/** An incoming webhook bot only sends. An outgoing webhook bot is called by the server. */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const;
export const botType = z.literal([1, 2, 3]);
export type BotType = z.output<typeof botType>;

/** The members who may create bots. */
export const botCreation = z.enum(['everyone', 'administrators', 'nobody']);
export type BotCreation = z.output<typeof botCreation>;

/** The streams that the calls of a bot mean by default, by name. */
export const botDefaults = {
  default_sending_stream: z.nullable(z.string()),
  default_events_register_stream: z.nullable(z.string()),
  default_all_public_streams: z.boolean(),
};

/** A bot for those who may administer it. */
export const bot = z.extend(z.object(botDefaults), {
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  bot_type: z.nullable(z.int()),
  is_active: z.boolean(),
  owner_id: z.nullable(z.int()),
  avatar_url: z.nullish(z.string()),
  /** Only for the owner. */
  api_key: z.optional(z.string()),
  services: z.array(z.unknown()),
});
export type Bot = z.output<typeof bot>;
