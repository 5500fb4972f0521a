import type { BotType } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type BotRow, bots } from '../identity/bots.ts';
import { type Viewer, activeViewer } from '../privacy/seenUsers.ts';

/** A bot, for the embedding program. */
export interface HookBot {
  readonly name: string;
  readonly type: BotType | null;
  readonly ownerId: number | null;
  readonly isActive: boolean;
}

/** A bot that can send, and its owner. */
export type ActiveBot = BotRow & { readonly owner: Viewer };

/** The `client` of messages that a hook sends. They are in Zulip's markup, like those of other programs. */
export const hookClient = 'Webhook';

export function hookBot(reader: Reader, id: number): HookBot | undefined {
  const bot = bots.byId(reader, id);
  return bot && { name: bot.full_name, type: bot.bot_type, ownerId: bot.bot_owner_id, isActive: bot.is_active === 1 };
}

/** @returns undefined if the bot or its owner is deactivated. */
export function activeBot(reader: Reader, id: number): ActiveBot | undefined {
  const bot = bots.byId(reader, id);
  if (!bot?.is_active || bot.bot_owner_id === null) return undefined;
  const owner = activeViewer(reader, bot.bot_owner_id);
  return owner && { ...bot, owner };
}
