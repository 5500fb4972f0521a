import { type MessageCard, botTypes } from '@engawa/protocol';
import { apiKeyPattern, hashApiKey } from '../accounts/apiKeys.ts';
import { type Clock, seconds } from '../clock.ts';
import { visibleStream } from '../conversations/access.ts';
import { streams } from '../conversations/streams.ts';
import type { Database, Reader } from '../database/index.ts';
import { viewerOf } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import type { WriteDependencies } from '../messages/dependencies.ts';
import { destinationOf, send } from '../messages/send.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import { type HookBot, activeBot, hookBot, hookClient } from './bot.ts';

/** A stream by id or name, with a topic; or the owner of the bot. */
type HookDestination = { readonly stream: number | string; readonly topic: string } | 'owner';

/** Why a message was not sent: the bot or its owner is deactivated, or the owner cannot write in the stream now. */
type HookRefusal = 'no_bot' | 'no_stream' | 'archived';

/** The parts of bots that the embedding program needs for hooks. The program reads the requests and has the addresses. */
export interface Hooks {
  /** The active bot for incoming webhooks with this key. */
  botOfKey(apiKey: string): number | undefined;
  bot(id: number): HookBot | undefined;
  /** Sends as the bot, with the rights that its owner has now. @throws ChatError for a malformed topic */
  post(botId: number, to: HookDestination, message: HookContent): Promise<HookRefusal | 'sent'>;
}

interface HookContent {
  readonly content: string;
  readonly cards: readonly MessageCard[];
}

interface HookDependencies extends WriteDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export function createHooks({ database, clock, ...dependencies }: HookDependencies): Hooks {
  return {
    botOfKey(apiKey) {
      const user = apiKeyPattern.test(apiKey) ? users.byKeyHash(database.reader, hashApiKey(apiKey)) : undefined;
      return user?.is_active && user.bot_type === botTypes.incomingWebhook ? user.id : undefined;
    },
    bot: (id) => hookBot(database.reader, id),
    post: (botId, to, message) =>
      database.write((tx) => {
        const bot = activeBot(tx, botId);
        if (!bot) return 'no_bot';
        const { owner } = bot;
        const destination = to === 'owner' ? undefined : streamFor(tx, owner, to);
        if (typeof destination === 'string') return destination;
        const address = destination ?? { type: 'direct', to: JSON.stringify([owner.id]), topic: '' };
        const author = destination ? owner : viewerOf(bot);
        const sending = { ...message, read_by_sender: true };
        send(tx, dependencies, bot, destinationOf(tx, dependencies, author, address), sending, hookClient, seconds(clock));
        return 'sent';
      }),
  };
}

function streamFor(reader: Reader, owner: Viewer, { stream: named, topic }: Exclude<HookDestination, 'owner'>) {
  const stream = visibleStream(reader, owner, named);
  if (stream) return { type: 'stream', to: String(stream.conversation_id), topic };
  return typeof named === 'number' && streams.byId(reader, named)?.is_archived === 1 ? 'archived' : 'no_stream';
}
