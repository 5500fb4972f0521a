import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { botDefaults, botType } from '../bots.ts';
import { role } from '../entities.ts';

/** An empty name means no stream. */
const streamNamed = text(z.optional(z.string().check(z.maxLength(1000))));
const defaults = {
  default_sending_stream: streamNamed,
  default_events_register_stream: streamNamed,
  default_all_public_streams: json(z.optional(z.boolean())),
};
const avatar_url = z.nullish(z.string());

/** The address of the bot is made of `short_name`. Our server takes no picture here; the product has a call for it. */
export const createBot = endpoint('POST', '/bots', {
  bots: 'none',
  parameters: {
    full_name: text(z.string().check(z.maxLength(1000))),
    short_name: text(z.string().check(z.maxLength(100))),
    bot_type: json(z._default(botType, 1)),
    ...defaults,
  },
  answer: z.object({ user_id: z.int(), api_key: z.string(), avatar_url, ...botDefaults }),
});

/** The caller's active bots. */
export const getBots = endpoint('GET', '/bots', {
  bots: 'none',
  answer: z.object({
    bots: z.array(
      z.object({
        username: z.string(),
        full_name: z.string(),
        api_key: z.string(),
        avatar_url,
        ...botDefaults,
        /** Ours. */
        user_id: z.optional(z.int()),
      }),
    ),
  }),
});

/** By the owner and by administrators, who alone change the role and the owner. A new owner gets a new key. */
export const updateBot = endpoint('PATCH', '/bots/{bot_id}', {
  bots: 'none',
  parameters: {
    full_name: text(z.optional(z.string().check(z.maxLength(1000)))),
    role: json(z.optional(role)),
    bot_owner_id: json(z.optional(z.int())),
    ...defaults,
  },
  answer: z.object({ full_name: z.optional(z.string()), avatar_url, ...botDefaults }),
});

/** By the owner and by administrators. */
export const deactivateBot = endpoint('DELETE', '/bots/{bot_id}', { bots: 'none' });

/** By the owner. The earlier key and its queues end. */
export const regenerateBotApiKey = endpoint('POST', '/bots/{bot_id}/api_key/regenerate', {
  bots: 'none',
  answer: z.object({ api_key: z.string() }),
});

/** By the owner. */
export const getBotApiKey = endpoint('GET', '/bots/{bot_id}/api_key', {
  bots: 'none',
  answer: z.object({ api_key: z.string() }),
});
