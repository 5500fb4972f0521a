import { setImmediate } from 'node:timers/promises';
import type { Database } from '@engawa/chat-server/database';
import { ChatError, type Clock, Turnstile } from '@engawa/chat-server/parts';
import { type OffReason, type PostError, maxOutgoingHooks } from '@engawa/protocol/outgoing-hooks';
import type { ChatBackend, NextHooked } from '../../chat/backend.ts';
import type { Log } from '../../log/log.ts';
import { allowedAddress } from './origins.ts';
import { UnreadableAnswerError, payloadOf, textIn } from './payload.ts';
import { type Answer, PostFailedError, post, resolveByName } from './post.ts';
import { signedHeaders, tokenOf } from './signature.ts';
import { type OutgoingHookRow, outgoingHooks, streamIdsOf } from './store.ts';

export interface PostDependencies {
  readonly database: Database;
  readonly chat: NonNullable<ChatBackend['outgoingHooks']>;
  readonly now: () => number;
  readonly every: Clock['every'];
  readonly log: Log;
}

/** Seconds. */
const firstDelay = 5;
const longestDelay = 60 * 60;
const day = 24 * 60 * 60;
/** A post that failed for so long is given up. */
const postLife = day;
/** A hook without a success for so long is turned off. */
const failingLife = 7 * day;
/** A hook that gets no messages stores its cursor this often, because the log keeps events for a week. */
const cursorEvery = 60 * 60;
/** After an error of this server, for example a full disk. */
const pauseAfterError = 60;

/** Milliseconds. */
const timeout = 10_000;
/** Retries have a separate limit, so that many dead receivers do not delay the first attempts of others. */
const mostInFlight = { first: 16, repeated: 4 } as const;

interface Run {
  readonly ending: AbortController;
  readonly done: Promise<void>;
}

interface Position {
  cursor: number;
  stored: number;
  /** When the cursor was stored. */
  saved: number;
}

type Hooked = NextHooked & { readonly hooked: NonNullable<NextHooked['hooked']> };
type HookedMessage = Hooked['hooked']['message'];

type Outcome =
  | { readonly kind: 'delivered'; readonly answer: Answer }
  | {
      readonly kind: 'refused' | 'failed';
      readonly error: PostError;
      readonly status: number | null;
      readonly retryAfter: number;
    };

/**
 * Posts the messages of all hooks that are on: each hook in order and one post at a time. The cursor of a hook is stored after its
 * receiver has acknowledged a post, so a stopped server repeats at most this post, with the same id.
 */
export class OutgoingPosts {
  readonly #dependencies: PostDependencies;
  readonly #runs = new Map<number, Run>();
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  readonly #ended = new AbortController();
  readonly #turns = { first: turnstile(mostInFlight.first), repeated: turnstile(mostInFlight.repeated) };
  readonly #stopBeats: () => void;
  /** Since the start of the process. */
  readonly counts = { delivered: 0, refused: 0, failed: 0, dropped: 0 };

  constructor(dependencies: PostDependencies) {
    this.#dependencies = dependencies;
    this.#stopBeats = dependencies.every(1000, () => this.#wake());
  }

  start(): void {
    for (const { bot_id: botId, off } of outgoingHooks.all(this.#dependencies.database.reader))
      if (off === null) this.restart(botId);
  }

  /** Call it after a change of a hook. A post in flight is finished first. */
  restart(botId: number): void {
    if (this.#ended.signal.aborted) return;
    const before = this.#runs.get(botId);
    before?.ending.abort();
    const ending = new AbortController();
    const run: Run = { ending, done: this.#runAfter(before, botId, ending.signal) };
    this.#runs.set(botId, run);
  }

  async #runAfter(before: Run | undefined, botId: number, signal: AbortSignal): Promise<void> {
    await before?.done;
    await this.#run(botId, signal);
    if (this.#runs.get(botId)?.ending.signal === signal) this.#runs.delete(botId);
  }

  /** Ends the posts in flight. They are repeated after the next start. */
  async stop(): Promise<void> {
    this.#stopBeats();
    this.#ended.abort();
    const runs = [...this.#runs.values()];
    for (const { ending } of runs) ending.abort();
    await Promise.all(runs.map(({ done }) => done));
  }

  /** Hooks whose post failed and is going to be repeated. */
  get waiting(): number {
    return outgoingHooks.all(this.#dependencies.database.reader).filter(({ message_id }) => message_id !== null).length;
  }

  async #run(botId: number, signal: AbortSignal): Promise<void> {
    let position: Position | undefined;
    while (!signal.aborted) {
      try {
        position ??= this.#position(botId);
        if (!position || !(await this.#step(botId, position, signal))) return;
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        this.#dependencies.log({ event: 'outgoing_hook_failed', hook: botId, error });
        await this.#sleep(this.#seconds() + pauseAfterError, signal);
      }
    }
    if (position) await this.#saveAtEnd(botId, position);
  }

  /** The next run may have more streams. Without this it would post their messages since the stored cursor. */
  async #saveAtEnd(botId: number, position: Position): Promise<void> {
    try {
      await this.#save(botId, position);
    } catch (error) {
      this.#dependencies.log({ event: 'outgoing_hook_failed', hook: botId, error });
    }
  }

  #position(botId: number): Position | undefined {
    const { database, chat } = this.#dependencies;
    const row = outgoingHooks.of(database.reader, botId);
    // After a restore the log of the chat server may end before the cursor.
    return row && { cursor: Math.min(row.cursor, chat.newest()), stored: row.cursor, saved: this.#seconds() };
  }

  /** @returns whether the hook is still on. */
  async #step(botId: number, position: Position, signal: AbortSignal): Promise<boolean> {
    const row = outgoingHooks.of(this.#dependencies.database.reader, botId);
    if (!row || row.off !== null) return false;
    if (row.next_attempt !== null && row.next_attempt > this.#seconds()) {
      await this.#sleep(row.next_attempt, signal);
      return true;
    }
    const { chat } = this.#dependencies;
    const next = this.#next(row, position);
    const off = offBecause(row, next);
    if (!next || off) {
      await this.#turnOff(botId, off ?? 'bot_inactive');
      return false;
    }
    if (next.hooked) {
      const turns = row.message_id === next.hooked.message.id ? this.#turns.repeated : this.#turns.first;
      await turns.pass(() => this.#attempt(botId, position, signal));
      return true;
    }
    position.cursor = next.examined;
    await (next.isAll ? chat.wait(botId, position.cursor, signal) : setImmediate());
    await this.#saveIdle(botId, position);
    return true;
  }

  #next(row: OutgoingHookRow, { cursor }: Position): NextHooked | undefined {
    return this.#dependencies.chat.next(row.bot_id, cursor, new Set(streamIdsOf(row)));
  }

  async #saveIdle(botId: number, position: Position): Promise<void> {
    if (this.#seconds() - position.saved >= cursorEvery) await this.#save(botId, position);
  }

  async #save(botId: number, position: Position): Promise<void> {
    const { cursor: to, stored: from } = position;
    position.saved = this.#seconds();
    if (to === from) return;
    await this.#dependencies.database.write((tx) => outgoingHooks.moveCursor(tx, botId, { from, to }));
    position.stored = to;
  }

  /** Everything is read again, because the hook may have waited for its turn. */
  async #attempt(botId: number, position: Position, signal: AbortSignal): Promise<void> {
    const row = outgoingHooks.of(this.#dependencies.database.reader, botId);
    if (!row || row.off !== null || signal.aborted) return;
    const next = this.#next(row, position);
    if (offBecause(row, next) || !isHooked(next)) return;
    const outcome = await this.#post(row, next);
    if (outcome.kind === 'delivered') await this.#deliver(row, next, outcome.answer);
    else {
      await this.#fail(row, next, outcome);
      // Stores that the messages before this one were examined. A run with more streams must not post them.
      await this.#save(botId, position);
    }
    const after = outgoingHooks.of(this.#dependencies.database.reader, botId);
    if (after) position.cursor = position.stored = after.cursor;
    position.saved = this.#seconds();
  }

  async #post(row: OutgoingHookRow, { bot, hooked }: Hooked): Promise<Outcome> {
    const { database } = this.#dependencies;
    const to = allowedAddress(database.reader, row.address);
    if (!to) return { kind: 'failed', error: 'not_allowed', status: null, retryAfter: 0 };
    const body = payloadOf(bot, hooked, tokenOf(row.secret));
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Engawa',
      ...signedHeaders(row.secret, deliveryId(row, hooked.message), this.#seconds(), body),
    };
    try {
      const answer = await post(to, { headers, body }, { resolve: resolveByName, timeout, signal: this.#ended.signal });
      return this.#outcomeOf(answer);
    } catch (error) {
      if (!(error instanceof PostFailedError)) throw error;
      return { kind: 'failed', error: error.code, status: null, retryAfter: 0 };
    }
  }

  #outcomeOf(answer: Answer): Outcome {
    const { status } = answer;
    if (status >= 200 && status < 300) return { kind: 'delivered', answer };
    const kind = status === 429 || status >= 500 ? 'failed' : 'refused';
    return { kind, error: 'status', status, retryAfter: secondsIn(answer.retryAfter, this.#dependencies.now()) };
  }

  async #deliver(row: OutgoingHookRow, { hooked, examined }: Hooked, answer: Answer): Promise<void> {
    const { database } = this.#dependencies;
    const { bot_id: botId, cursor: from } = row;
    const error = await this.#sendAnswer(row, hooked.message, answer);
    const time = this.#seconds();
    await database.write((tx) => {
      outgoingHooks.pass(tx, botId, { from, to: examined });
      outgoingHooks.noteSuccess(tx, botId, time);
      if (error) outgoingHooks.noteError(tx, botId, { error, error_status: null, time });
    });
    this.counts.delivered += 1;
  }

  async #sendAnswer(row: OutgoingHookRow, message: HookedMessage, answer: Answer): Promise<PostError | undefined> {
    try {
      const content = textIn(answer);
      if (content === undefined) return undefined;
      const client_message_id = `hook ${deliveryId(row, message)}`;
      const result = await this.#dependencies.chat.answer(row.bot_id, message.id, { content, client_message_id });
      return result === 'sent' ? undefined : 'answer_refused';
    } catch (error) {
      if (error instanceof UnreadableAnswerError) return 'answer_unreadable';
      if (error instanceof ChatError) return 'answer_refused';
      throw error;
    }
  }

  async #fail(
    row: OutgoingHookRow,
    { hooked, examined }: Hooked,
    outcome: Exclude<Outcome, { kind: 'delivered' }>,
  ): Promise<void> {
    const { database } = this.#dependencies;
    const { bot_id: botId, cursor: from } = row;
    const message_id = hooked.message.id;
    const time = this.#seconds();
    const isRepeated = row.message_id === message_id;
    const attempts = (isRepeated ? row.attempts : 0) + 1;
    const first_attempt = (isRepeated ? row.first_attempt : null) ?? time;
    const isDropped = outcome.kind === 'failed' && time - first_attempt >= postLife;
    const next_attempt = time + Math.max(delayAfter(attempts), Math.min(outcome.retryAfter, longestDelay));
    await database.write((tx) => {
      outgoingHooks.noteError(tx, botId, { error: outcome.error, error_status: outcome.status, time });
      outgoingHooks.noteFailingSince(tx, botId, time);
      if (isDropped) outgoingHooks.countDropped(tx, botId);
      if (isDropped || outcome.kind === 'refused') outgoingHooks.pass(tx, botId, { from, to: examined });
      else outgoingHooks.setRetry(tx, botId, { from, message_id, attempts, first_attempt, next_attempt });
    });
    this.counts[isDropped ? 'dropped' : outcome.kind] += 1;
    // Read again: the hook may have been turned off, or off and on, during the post.
    const after = outgoingHooks.of(database.reader, botId);
    if (after?.off === null && time - (after.failing_since ?? time) >= failingLife) await this.#turnOff(botId, 'failing');
  }

  async #turnOff(botId: number, off: OffReason): Promise<void> {
    const { chat, database, log } = this.#dependencies;
    // The owner is told first: after a crash they are rather told twice than never.
    if (off === 'failing') await chat.tellOwner(botId, failingText);
    // An administrator may have turned it off meanwhile, which the owner cannot undo.
    await database.write((tx) => outgoingHooks.turnOffIfOn(tx, botId, off));
    log({ level: 'warn', event: 'outgoing_hook_turned_off', hook: botId, reason: off });
  }

  #sleep(until: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = {
        until,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', sleeper.wake);
      if (signal.aborted) sleeper.wake();
    });
  }

  #wake(): void {
    const now = this.#seconds();
    for (const { wake } of [...this.#sleepers].filter(({ until }) => until <= now)) wake();
  }

  #seconds(): number {
    return Math.floor(this.#dependencies.now() / 1000);
  }
}

const failingText =
  '外部への送信が 7 日間失敗し続けたため、停止しました。設定の「外部への送信」で理由を確かめて、再開できます。\n\n' +
  'This hook was turned off because its posts failed for 7 days. See the reason in Settings, and turn it on there.';

function turnstile(atOnce: number): Turnstile {
  return new Turnstile({ atOnce, waiting: maxOutgoingHooks }, () => new Error('more hooks wait than there can be'));
}

/** Each attempt has this id, so that a receiver recognises a repeated post. After a restore a new message may have a used id. */
function deliveryId({ bot_id: botId }: OutgoingHookRow, { id, timestamp }: HookedMessage): string {
  return `${botId}-${id}-${timestamp}`;
}

function offBecause(row: OutgoingHookRow, next: NextHooked | undefined): OffReason | undefined {
  if (!next) return 'bot_inactive';
  return next.bot.ownerId === row.owner_id ? undefined : 'owner_changed';
}

function isHooked(next: NextHooked | undefined): next is Hooked {
  return next?.hooked !== undefined;
}

/** Random, so that hooks which failed together are not repeated together. */
function delayAfter(attempts: number): number {
  const delay = Math.min(longestDelay, firstDelay * 2 ** (attempts - 1));
  return Math.ceil(delay * (0.5 + Math.random() / 2));
}

/** The header Retry-After has seconds or a date. */
function secondsIn(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}
