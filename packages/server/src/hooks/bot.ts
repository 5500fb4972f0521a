import { type Connection, createBot, deactivateBot } from '@engawa/client';
import type { botTypes } from '@engawa/protocol';
import type { Log } from '../log/log.ts';
import { createToken } from '../sessions/seal.ts';

interface HookBot {
  readonly name: string;
  readonly type: (typeof botTypes)['incomingWebhook' | 'outgoingWebhook'];
}

type CreatedBot = Awaited<ReturnType<typeof createBot>>;

/**
 * Creates the bot of a new hook, whose owner is the caller, and then stores the hook. The chat server has another database, so no
 * transaction covers both: if the hook cannot be stored, the bot is deactivated.
 * @throws ApiError if the caller may create no bots; the error of `store`
 */
export async function createHookBot<Stored>(
  { connection, log }: { readonly connection: Connection; readonly log: Log },
  { name, type }: HookBot,
  store: (bot: CreatedBot) => Promise<Stored>,
): Promise<Stored> {
  // It becomes the address of the bot, which nobody types.
  const short_name = `hook-${createToken().slice(0, 12).toLowerCase().replaceAll(/[-_]/g, '0')}`;
  const bot = await createBot(connection, { full_name: name, short_name, bot_type: type });
  try {
    return await store(bot);
  } catch (error) {
    try {
      await deactivateBot(connection, { bot_id: bot.user_id });
    } catch (failure) {
      // The caller gets the first error. The owner sees the bot in their list.
      log({ level: 'error', event: 'hook_bot_left', bot: bot.user_id, error: failure });
    }
    throw error;
  }
}
