import { type Message, messageEvent } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { mayRead, visibleStream } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Database, Reader } from '../database/index.ts';
import { DeliveryBatch } from '../events/batch.ts';
import type { DeliveryRules, EventSerializer } from '../events/delivery.ts';
import type { EventRow } from '../events/log.ts';
import type { Polls } from '../events/polls.ts';
import { type Queue, queueOptions } from '../events/queues.ts';
import { viewerOf } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import type { WriteDependencies } from '../messages/dependencies.ts';
import { currentMessage } from '../messages/recipients.ts';
import { destinationOf, send } from '../messages/send.ts';
import { messages } from '../messages/store.ts';
import { activeViewer } from '../privacy/seenUsers.ts';
import { flagsInBatch } from '../reading/lookups.ts';
import { type ActiveBot, type HookBot, activeBot, hookBot, hookClient } from './bot.ts';

/** Why a message is for the hook of a bot. */
type HookTrigger = 'mention' | 'direct_message' | 'stream_message';

interface HookedBot {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly ownerId: number;
}

interface HookedMessage {
  readonly trigger: HookTrigger;
  /** With the source of its text. */
  readonly message: Message;
  readonly renderedContent: string;
}

export interface NextHooked {
  readonly bot: HookedBot;
  /** The newest examined event. It is the event of the message, if there is one. */
  readonly examined: number;
  /** Whether the log has no later events. */
  readonly isAll: boolean;
  readonly hooked: HookedMessage | undefined;
}

/** The parts of bots that the embedding program needs for outgoing hooks. The program stores the cursors and posts. */
export interface OutgoingHooks {
  bot(botId: number): HookBot | undefined;
  /** The name of a stream that the user sees. */
  streamName(userId: number, streamId: number): string | undefined;
  /** The id of the newest event. */
  newest(): number;
  /**
   * The first message after an event that the bot receives now and that is for its hook: mentions of it, direct messages to it,
   * and all messages of these streams, but not the messages of bots, so that two bots do not answer each other forever.
   * Examines a bounded part of the log. @returns undefined if the bot or its owner is deactivated.
   */
  next(botId: number, after: number, streamIds: ReadonlySet<number>): NextHooked | undefined;
  /**
   * Resolves when the bot may have received something after the event. Resolves about once a minute without one, because the
   * rights of the bot may have changed. Call it in the same turn of the event loop as `next`.
   */
  wait(botId: number, after: number, signal: AbortSignal): Promise<void>;
  /**
   * Sends as the bot into the conversation of a message that the bot may read now. A repeated id sends nothing again.
   * @throws ChatError for a text or a destination that POST /messages refuses.
   */
  answer(botId: number, messageId: number, answer: HookAnswer): Promise<'sent' | 'refused'>;
  /** Sends as the bot to its owner. @returns false without an active owner. */
  tellOwner(botId: number, content: string): Promise<boolean>;
}

interface HookAnswer {
  readonly content: string;
  readonly client_message_id: string;
}

interface OutgoingDependencies extends WriteDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly polls: Polls;
  readonly rules: DeliveryRules;
  readonly memberships: () => object;
}

export function createOutgoingHooks(dependencies: OutgoingDependencies): OutgoingHooks {
  const { database, log, polls, clock } = dependencies;
  return {
    bot: (botId) => hookBot(database.reader, botId),
    streamName(userId, streamId) {
      const viewer = activeViewer(database.reader, userId);
      return viewer && visibleStream(database.reader, viewer, streamId)?.name;
    },
    newest: () => log.bounds(database.reader).newest,
    next: (botId, after, streamIds) => database.snapshot((reader) => next(reader, dependencies, botId, after, streamIds)),
    async wait(botId, after, signal) {
      const bot = activeBot(database.reader, botId);
      if (!bot) return;
      const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
      const abandon = polls.wait(queueOf(bot, 'source'), after, { deliver: () => undefined, end, fail });
      if (signal.aborted) abandon();
      signal.addEventListener('abort', abandon);
      try {
        await promise;
      } finally {
        // The hook waits with the same signal again and again.
        signal.removeEventListener('abort', abandon);
      }
    },
    answer: (botId, messageId, { content, client_message_id }) =>
      database.write((tx) => {
        const bot = activeBot(tx, botId);
        const message = messages.withSender(tx, messageId);
        if (!bot || !message || message.deleted !== null || !mayRead(tx, viewerOf(bot), message)) return 'refused';
        if (messages.byClientId(tx, botId, client_message_id) !== undefined) return 'sent';
        const { conversation_id: id, topic } = message;
        const participants = conversations.participants(tx, id);
        const address = participants
          ? { type: 'direct', to: JSON.stringify(participants), topic: '' }
          : { type: 'stream', to: String(id), topic };
        const destination = destinationOf(tx, dependencies, viewerOf(bot), address);
        send(
          tx,
          dependencies,
          bot,
          destination,
          { content, client_message_id, read_by_sender: true },
          hookClient,
          seconds(clock),
        );
        return 'sent';
      }),
    tellOwner: (botId, content) =>
      database.write((tx) => {
        const bot = activeBot(tx, botId);
        if (!bot) return false;
        const address = { type: 'direct', to: JSON.stringify([bot.owner.id]), topic: '' };
        const destination = destinationOf(tx, dependencies, viewerOf(bot), address);
        send(tx, dependencies, bot, destination, { content, read_by_sender: true }, hookClient, seconds(clock));
        return true;
      }),
  };
}

function hookedBot({ id, full_name: name, email, owner }: ActiveBot): HookedBot {
  return { id, name, email, ownerId: owner.id };
}

/** The rules of delivery read a bot's queue. This one is not registered, because the embedding program has the cursor. */
function queueOf(bot: ActiveBot, content: 'source' | 'html'): Queue {
  return {
    id: `hook of ${bot.id}`,
    // The key 0 exists in no database.
    member: { ...viewerOf(bot), email: bot.email, keyId: 0, botType: bot.bot_type },
    options: queueOptions.parse({ event_types: ['message'], apply_markdown: content === 'html', narrow: [] }),
    began: 0,
    lifespan: 0,
  };
}

function next(
  reader: Reader,
  { log, rules, memberships }: OutgoingDependencies,
  botId: number,
  after: number,
  streamIds: ReadonlySet<number>,
): NextHooked | undefined {
  const row = activeBot(reader, botId);
  if (!row) return undefined;
  const bot = hookedBot(row);
  const { newest, pruned } = log.bounds(reader);
  // After a restore the log may end before the cursor. Events before `pruned` are older than the longest time without a post.
  const cursor = Math.min(Math.max(after, pruned), newest);
  const batch = new DeliveryBatch(reader, [botId], log.lookups(reader), memberships());
  const range = log.rangeFor(reader, cursor, newest, botId, () => rules.conversationsOf(batch));
  for (const event of range.rows) {
    const trigger = triggerOf(event, rules, queueOf(row, 'source'), batch, streamIds);
    const hooked = trigger && hookedIn(event, rules, row, batch, trigger);
    if (hooked) return { bot, examined: event.id, isAll: false, hooked };
  }
  return { bot, examined: range.upTo, isAll: range.isAll, hooked: undefined };
}

function triggerOf(
  event: EventRow,
  rules: DeliveryRules,
  queue: Queue,
  batch: DeliveryBatch,
  streamIds: ReadonlySet<number>,
): HookTrigger | undefined {
  if (event.type !== 'message' || event.message_id === null || !rules.receives(event, batch)(queue)) return undefined;
  const message = currentMessage(event.message_id, batch);
  if (!message || users.byId(batch.reader, message.sender_id)?.is_bot !== 0) return undefined;
  if (message.stream_name === null) return 'direct_message';
  if (flagsInBatch(batch, message)(queue.member.id).includes('mentioned')) return 'mention';
  return streamIds.has(message.conversation_id) ? 'stream_message' : undefined;
}

function hookedIn(
  event: EventRow,
  { serializers }: DeliveryRules,
  bot: ActiveBot,
  batch: DeliveryBatch,
  trigger: HookTrigger,
): HookedMessage | undefined {
  const serialize = serializers.get('message');
  const [source, html] = (['source', 'html'] as const).map(
    (content) => serialize && read(serialize(event, queueOf(bot, content), batch)),
  );
  return source && html && { trigger, message: source, renderedContent: html.content };
}

function read(event: ReturnType<EventSerializer>): Message | undefined {
  return event === undefined ? undefined : messageEvent.parse(JSON.parse(event)).message;
}
