import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';
import { botStorageLimits } from '../limits.ts';

const key = z.string().check(z.maxLength(botStorageLimits.keyLength));
const keys = json(z.optional(z.array(key).check(z.maxLength(botStorageLimits.keys))));

/** The texts that a bot stores for itself, by key. Only its own key reads them. Without `keys`: all. */
export const getBotStorage = endpoint('GET', '/bot_storage', {
  parameters: { keys },
  answer: z.object({ storage: z.record(z.string(), z.string()) }),
});

export const updateBotStorage = endpoint('PUT', '/bot_storage', {
  parameters: { storage: json(z.record(key, z.string())) },
});

export const deleteBotStorage = endpoint('DELETE', '/bot_storage', { parameters: { keys } });
