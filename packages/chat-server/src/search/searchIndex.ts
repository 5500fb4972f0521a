import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Direction, Span } from '../conversations/access.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { realms } from '../realm/store.ts';
import { type Index, IndexThread } from './indexThread.ts';
import { type DamagedIndexError, type Progress, SearchFile } from './searchFile.ts';
import { queryOf } from './tokens.ts';

/** How messages are looked for. */
export interface Wanted {
  /** As `wordsOf` gives them. */
  readonly words: readonly string[];
  /** Only in these, or wherever they stand. */
  readonly conversationIds: readonly number[] | 'all';
}

/** What a search lives with. */
interface SearchRooms {
  /** Where `chat.db` and `search.db` lie. */
  readonly directory: string;
  readonly database: Database;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly report: (event: Readonly<Record<string, unknown>>) => void;
}

/** Milliseconds that a search waits for the index. */
const longestWait = 3000;
/** Milliseconds after which the thread begins, or begins again where it failed, unless somebody searches before. */
const startEvery = 10_000;
/** Milliseconds after which the thread ends that has all, when nothing was said or sought: what it takes is not little. */
const idleAfter = 10 * 60_000;
/** Milliseconds for which the index is left alone after it has failed; each time twice as long. */
const rest = { first: 1000, longest: 10 * 60_000 } as const;

/** The part of the index that is sought in is not there yet. */
export class NotIndexedError extends Error {
  override readonly name = 'NotIndexedError';
}

/**
 * The part of a span that is indexed.
 * @throws NotIndexedError where a walk would begin outside of it.
 */
export function indexedIn({ floor }: Progress, span: Span, direction: Direction): Span {
  // What stands below the floor by now came there by a correction, and what stands beside it may be missing.
  const after = Math.max(span.after, floor - 1);
  if (direction === 'up' && after > span.after) throw new NotIndexedError('the oldest messages are not indexed yet');
  return { ...span, after };
}

/** Finds messages by their words. What it finds are candidates: `narrow.ts` looks at each as it is now. */
export class SearchIndex {
  readonly #rooms: SearchRooms;
  readonly #stopStarting: () => void;
  #thread: IndexThread | undefined;
  /** When something was said or sought last. */
  #used: number;
  /** A thread that had nothing to do is about to end. */
  #resting: Promise<void> | undefined;
  /** How far the index is while no thread runs, as far as that is known. */
  #known: Progress | undefined;
  /** The file is damaged: it is made anew. */
  #isDistrusted = false;
  /** How often the index failed since it last found what was asked, and until when it is left alone. */
  #failures = 0;
  #restsUntil = 0;
  #isClosed = false;

  constructor(rooms: SearchRooms) {
    this.#rooms = rooms;
    this.#used = rooms.clock.now();
    rooms.log.onCommit(() => {
      this.#used = rooms.clock.now();
      this.#thread?.tell();
    });
    this.#stopStarting = rooms.clock.every(startEvery, () => this.#look());
  }

  /** Begins the thread where it has something to do, and ends it where it has had nothing to do for long. */
  #look(): void {
    if (!this.#thread) {
      if (!this.#rests && this.#isBehind()) this.#started();
      return;
    }
    const progress = this.#thread.index?.progress;
    const isIdle = this.#rooms.clock.now() - this.#used >= idleAfter;
    if (this.#resting || !isIdle || !progress || !this.#holdsAll(progress)) return;
    this.#known = progress;
    this.#resting = this.#thread.end().finally(() => {
      this.#resting = undefined;
    });
  }

  #isBehind(): boolean {
    const { directory, database } = this.#rooms;
    const realm = realms.get(database.reader);
    if (!realm) return false;
    this.#known ??= this.#isDistrusted ? undefined : SearchFile.progressOf(join(directory, 'search.db'), realm);
    return this.#known === undefined || !this.#holdsAll(this.#known);
  }

  #holdsAll({ cursor, floor }: Progress): boolean {
    return floor === 0 && cursor === this.#rooms.log.bounds(this.#rooms.database.reader).newest;
  }

  /**
   * What `look` finds, once the index holds all that was said until now. While it is made anew, the newest messages
   * may be enough; where they are not, `look` is tried again when all are there.
   * @throws ChatError SEARCH_NOT_READY after `longestWait`, or when nobody listens any more.
   */
  async search<Found>(look: () => Found, signal: AbortSignal): Promise<Found> {
    this.#used = this.#rooms.clock.now();
    const until = this.#used + longestWait;
    const { newest } = this.#rooms.log.bounds(this.#rooms.database.reader);
    await this.#reached(({ cursor }) => cursor >= newest, until, signal);
    try {
      return this.#found(look);
    } catch (error) {
      if (!(error instanceof NotIndexedError)) throw error;
    }
    await this.#reached(({ cursor, floor }) => cursor >= newest && floor === 0, until, signal);
    return this.#found(look);
  }

  #found<Found>(look: () => Found): Found {
    const found = look();
    this.#failures = 0;
    return found;
  }

  /** See `indexedIn`; to be called within `search`. */
  indexed(span: Span, direction: Direction): Span {
    return indexedIn(this.#index.progress, span, direction);
  }

  /**
   * The first ids in a span that is indexed, in the order of the direction, of messages that may hold all words; to be
   * called within `search`.
   */
  find({ words, conversationIds }: Wanted, span: Span, direction: Direction, most: number): number[] {
    const { file } = this.#index;
    try {
      return file.find(queryOf(words, conversationIds), span, direction, most);
    } catch (error) {
      this.#rooms.report({ event: 'search_failed', error });
      file.close();
      if (isDamage(error)) {
        this.#failed(error);
        void this.#thread?.end();
      }
      throw refused.searchNotReady();
    }
  }

  get #index(): Index {
    const index = this.#thread?.index;
    if (!index) throw new NotIndexedError('there is no index');
    return index;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopStarting();
    await this.#thread?.end();
  }

  async #reached(holds: (progress: Progress) => boolean, until: number, signal: AbortSignal): Promise<void> {
    // Nobody may have the file when the next thread begins, which makes it anew.
    if (this.#isDistrusted) await this.#thread?.end();
    await this.#resting;
    const { clock } = this.#rooms;
    const left = until - clock.now();
    const mayWait = !this.#isClosed && !this.#rests && left > 0;
    if (!mayWait || !(await this.#started().reaches(holds, left, signal))) throw refused.searchNotReady();
  }

  get #rests(): boolean {
    const left = this.#restsUntil - this.#rooms.clock.now();
    // More than the longest rest is left where the clock was set back.
    return left > 0 && left <= rest.longest;
  }

  #started(): IndexThread {
    return (this.#thread ??= this.#begun());
  }

  #begun(): IndexThread {
    const { directory, report } = this.#rooms;
    const [chat, search] = [join(directory, 'chat.db'), join(directory, 'search.db')];
    const anew = this.#isDistrusted;
    this.#isDistrusted = false;
    this.#known = undefined;
    return new IndexThread({ chat, search, anew }, this.#rooms.clock, (error) => {
      this.#thread = undefined;
      if (error === undefined) return;
      report({ event: 'search_index_failed', error });
      this.#failed(error);
    });
  }

  /** What is damaged is made anew at once. What fails otherwise may be as good as ever when it is opened again. */
  #failed(error: unknown): void {
    this.#isDistrusted = isDamage(error);
    this.#failures += 1;
    if (this.#isDistrusted && this.#failures === 1) return;
    const pause = Math.min(rest.first * 2 ** (this.#failures - 1), rest.longest);
    this.#restsUntil = this.#rooms.clock.now() + pause;
  }
}

/** Told by its name, which is all that another thread's error keeps of its class. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && error.name === ('DamagedIndexError' satisfies DamagedIndexError['name']);
}
