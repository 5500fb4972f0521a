import type { Bot } from '@engawa/protocol';
import { ownerReads } from '../conversations/access.ts';
import { streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import type { BotDefaults, BotRow } from '../identity/bots.ts';
import { viewerOf } from '../identity/member.ts';

/** Includes the key only for the owner. */
export function botView(bot: BotRow, defaults: ReturnType<typeof defaultsView>, viewer: { readonly id: number }): Bot {
  return {
    user_id: bot.id,
    email: bot.email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active === 1,
    owner_id: bot.bot_owner_id,
    avatar_url: bot.avatar_url,
    ...(bot.bot_owner_id === viewer.id && bot.api_key !== '' ? { api_key: bot.api_key } : {}),
    ...defaults,
    services: [],
  };
}

/** A stream that the owner can no longer read is left out. */
export function defaultsView(reader: Reader, bot: BotRow) {
  const nameOf = (id: number | null): string | null => {
    const stream = id === null ? undefined : streams.byId(reader, id);
    return stream?.is_archived === 0 && ownerReads(reader, viewerOf(bot), stream.conversation_id) ? stream.name : null;
  };
  return {
    default_sending_stream: nameOf(bot.default_sending_stream),
    default_events_register_stream: nameOf(bot.default_events_register_stream),
    default_all_public_streams: bot.default_all_public_streams === 1,
  } satisfies { readonly [Name in keyof BotDefaults]: unknown };
}
