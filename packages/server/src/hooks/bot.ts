import { type Connection, createBot } from '@engawa/client';
import type { botTypes } from '@engawa/protocol';
import { createToken } from '../sessions/seal.ts';

type HookBotType = (typeof botTypes)['incomingWebhook' | 'outgoingWebhook'];

/** Creates the bot of a new hook, whose owner is the caller. @throws ApiError if they may create no bots */
export function createHookBot(connection: Connection, full_name: string, bot_type: HookBotType) {
  // It becomes the address of the bot, which nobody types.
  const short_name = `hook-${createToken().slice(0, 12).toLowerCase().replaceAll(/[-_]/g, '0')}`;
  return createBot(connection, { full_name, short_name, bot_type });
}
