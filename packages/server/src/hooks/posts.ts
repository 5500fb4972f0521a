import type { Database } from '@engawa/chat-server/database';
import { CallCounts, ChatError } from '@engawa/chat-server/parts';
import { defaultTopic } from '@engawa/protocol';
import { type HookError, hookRate } from '@engawa/protocol/hooks';
import type { ChatBackend } from '../chat/backend.ts';
import { hashOf, isToken } from '../sessions/seal.ts';
import { written } from './content.ts';
import { type HookMessage, PayloadError } from './incoming/message.ts';
import { hooks } from './store.ts';

/** A request that is not sent, by Slack's codes. */
export class HookRefusedError extends Error {
  override readonly name = 'HookRefusedError';
  readonly code: HookError;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(code: HookError, retryAfter?: number) {
    super(code);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

interface PostDependencies {
  readonly database: Database;
  readonly chat: NonNullable<ChatBackend['hooks']>;
  readonly now: () => number;
}

/** Where an address leads. Without a stream the message goes to the owner of the bot. */
export interface HookTarget {
  readonly botId: number;
  readonly stream: number | string | undefined;
  /** Undefined: the topic of the message. */
  readonly topic: string | undefined;
}

/** Seconds: `used` and a repeated error are stored once in this time, because a burst of posts needs no write for each. */
const noteEvery = 60;

const refusals = { no_bot: 'no_service', no_stream: 'channel_not_found', archived: 'channel_is_archived' } as const;

/** Receives the requests of all hooks. An unknown address is not counted, so it costs one look-up and no memory. */
export class HookPosts {
  readonly #database: Database;
  readonly #chat: PostDependencies['chat'];
  readonly #now: () => number;
  readonly #counts: CallCounts;

  constructor({ database, chat, now }: PostDependencies) {
    this.#database = database;
    this.#chat = chat;
    this.#now = now;
    this.#counts = new CallCounts({ now }, hookRate);
  }

  ofToken(token: string): HookTarget | undefined {
    const hook = isToken(token) ? hooks.byTokenHash(this.#database.reader, hashOf(token)) : undefined;
    // A former owner knows the address, which would post with the rights of the new one.
    if (!hook || this.#chat.bot(hook.bot_id)?.ownerId !== hook.owner_id) return undefined;
    return { botId: hook.bot_id, stream: hook.stream_id, topic: hook.topic };
  }

  ofKey(apiKey: string): number | undefined {
    return this.#chat.botOfKey(apiKey);
  }

  /** Counts a request before its body is read. @throws HookRefusedError */
  async count({ botId }: Pick<HookTarget, 'botId'>): Promise<void> {
    const { exceeded, reset } = this.#counts.spend(botId);
    if (!exceeded) return;
    await this.note(botId, 'rate_limited');
    throw new HookRefusedError('rate_limited', Math.max(1, Math.ceil(reset - this.#now() / 1000)));
  }

  /** @throws HookRefusedError */
  async post({ botId, stream, topic }: HookTarget, read: () => HookMessage): Promise<void> {
    try {
      const message = read();
      const to = stream === undefined ? 'owner' : ({ stream, topic: topic ?? topicOf(message) } as const);
      const result = await this.#chat.post(botId, to, written(message.cards));
      if (result !== 'sent') throw new HookRefusedError(refusals[result]);
    } catch (error) {
      const refusal = refusalOf(error);
      await this.note(botId, refusal.code);
      throw refusal;
    }
    await this.#noteUse(botId);
  }

  async note(botId: number, code: HookError): Promise<void> {
    const time = this.#seconds();
    const hook = hooks.ofBot(this.#database.reader, botId);
    if (!hook || (hook.error === code && time - (hook.error_time ?? 0) < noteEvery)) return;
    await this.#database.write((tx) => hooks.noteError(tx, botId, code, time));
  }

  async #noteUse(botId: number): Promise<void> {
    const time = this.#seconds();
    const hook = hooks.ofBot(this.#database.reader, botId);
    if (!hook || time - (hook.used ?? 0) < noteEvery) return;
    await this.#database.write((tx) => hooks.noteUse(tx, botId, time));
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}

/** Of a payload's topic only visible characters remain. */
function topicOf({ topic }: HookMessage): string {
  const plain = (topic ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
  return plain === '' ? defaultTopic : plain;
}

/** @throws the error itself if the sender did not cause it. */
function refusalOf(error: unknown): HookRefusedError {
  if (error instanceof HookRefusedError) return error;
  if (error instanceof PayloadError) return new HookRefusedError(error.reason);
  if (error instanceof ChatError) return new HookRefusedError('invalid_topic');
  throw error;
}
