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

export interface SearchQuery {
  readonly words: readonly string[];
  readonly conversationIds: readonly number[];
}

interface SearchDependencies {
  readonly directory: string;
  readonly database: Database;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly report: (event: Readonly<Record<string, unknown>>) => void;
}

/** A search waits at most this many milliseconds for the index. */
const longestWait = 3000;
/** Milliseconds between checks whether the thread has work or is idle. A search starts the thread without waiting for a check. */
const startEvery = 10_000;
/** After this many milliseconds without messages and searches the thread ends, to free its memory. */
const idleAfter = 10 * 60_000;
/** Milliseconds without a thread after a failure. The time doubles with each further failure. */
const rest = { first: 1000, longest: 10 * 60_000 } as const;

/** Milliseconds for which the result of a probe is reused. */
const probeHolds = 1000;

export class NotIndexedError extends Error {
  override readonly name = 'NotIndexedError';
}

/** @returns the indexed part of a span. @throws NotIndexedError if the search would begin with messages that are not indexed. */
export function indexedIn({ floor }: Progress, span: Span, direction: Direction): Span {
  // Edits also add entries below the floor, but other messages there may be missing.
  const after = Math.max(span.after, floor - 1);
  if (direction === 'up' && after > span.after) throw new NotIndexedError('the oldest messages are not indexed yet');
  return { ...span, after };
}

/** Finds messages that may contain words. `narrow.ts` checks the current text of each. */
export class SearchIndex {
  readonly #dependencies: SearchDependencies;
  readonly #stopStarting: () => void;
  #thread: IndexThread | undefined;
  #used: number;
  #resting: Promise<void> | undefined;
  /** The last known progress, while no thread runs. */
  #known: Progress | undefined;
  #isDamaged = false;
  /** The number of failures since the last success. After a failure no thread starts until `#restsUntil`. */
  #failures = 0;
  #restsUntil = 0;
  #isClosed = false;
  #probe: { readonly at: number; readonly holds: Promise<void> } | undefined;

  constructor(dependencies: SearchDependencies) {
    this.#dependencies = dependencies;
    this.#used = dependencies.clock.now();
    dependencies.log.onCommit(() => {
      this.#used = dependencies.clock.now();
      this.#thread?.follow();
    });
    this.#stopStarting = dependencies.clock.every(startEvery, () => this.#check());
  }

  #check(): void {
    if (!this.#thread) {
      if (!this.#rests && this.#isBehind()) this.#started();
      return;
    }
    const progress = this.#thread.index?.progress;
    const isIdle = this.#dependencies.clock.now() - this.#used >= idleAfter;
    if (this.#resting || !isIdle || !progress || !this.#holdsAll(progress)) return;
    this.#known = progress;
    this.#resting = this.#thread.end().finally(() => {
      this.#resting = undefined;
    });
  }

  #isBehind(): boolean {
    const { directory, database } = this.#dependencies;
    const realm = realms.get(database.reader);
    if (!realm) return false;
    this.#known ??= this.#isDamaged ? undefined : SearchFile.progressOf(join(directory, 'search.db'), realm.epoch);
    return this.#known === undefined || !this.#holdsAll(this.#known);
  }

  /** The logged events that are not indexed yet; undefined if no thread runs and nothing has been compared since the start. */
  get lag(): number | undefined {
    const progress = this.#thread?.index?.progress ?? this.#known;
    return progress && this.#dependencies.log.bounds(this.#dependencies.database.reader).newest - progress.cursor;
  }

  #holdsAll({ cursor, floor }: Progress): boolean {
    return floor === 0 && cursor === this.#dependencies.log.bounds(this.#dependencies.database.reader).newest;
  }

  /**
   * Runs `look` when all current messages are indexed. During a rebuild it first tries `look` with only the newest indexed.
   * @throws ChatError SEARCH_NOT_READY after `longestWait`, or after the client disconnected.
   */
  async search<Result>(look: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    this.#used = this.#dependencies.clock.now();
    const until = this.#used + longestWait;
    const { newest } = this.#dependencies.log.bounds(this.#dependencies.database.reader);
    await this.#reached(({ cursor }) => cursor >= newest, until, signal);
    try {
      return await this.#succeed(look);
    } catch (error) {
      if (!(error instanceof NotIndexedError)) throw error;
    }
    await this.#reached(({ cursor, floor }) => cursor >= newest && floor === 0, until, signal);
    return this.#succeed(look);
  }

  async #succeed<Result>(look: () => Promise<Result>): Promise<Result> {
    const result = await look();
    this.#failures = 0;
    return result;
  }

  /** See `indexedIn`. Call it only within `search`. */
  indexed(span: Span, direction: Direction): Span {
    return indexedIn(this.#index.progress, span, direction);
  }

  /** Finds the first ids of messages that may contain all words, in the given direction. Call it only within `search`. */
  find({ words, conversationIds }: SearchQuery, span: Span, direction: Direction, most: number): number[] {
    const { file } = this.#index;
    try {
      return file.find(queryOf(words, conversationIds), span, direction, most);
    } catch (error) {
      this.#dependencies.report({ event: 'search_failed', error });
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

  /** Checks by a write, at most one a second, whether the index can be stored. Rejects if it cannot. */
  probe(): Promise<void> {
    const now = this.#dependencies.clock.now();
    if (this.#probe === undefined || now - this.#probe.at >= probeHolds) this.#probe = { at: now, holds: this.#write() };
    return this.#probe.holds;
  }

  async #write(): Promise<void> {
    await this.#resting;
    if (this.#rests || this.#isDamaged) throw new Error('the search index cannot be used');
    // While a thread has the file open, only the thread may write it: it may be about to replace the file.
    if (!this.#thread) SearchFile.probe(join(this.#dependencies.directory, 'search.db'));
    else if (!(await this.#thread.probe())) throw new Error('the search index cannot be written');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopStarting();
    await this.#thread?.end();
  }

  async #reached(holds: (progress: Progress) => boolean, until: number, signal: AbortSignal): Promise<void> {
    // A new thread rebuilds the file, so the old thread must close it before.
    if (this.#isDamaged) await this.#thread?.end();
    await this.#resting;
    const { clock } = this.#dependencies;
    const left = until - clock.now();
    const mayWait = !this.#isClosed && !this.#rests && left > 0;
    if (!mayWait || !(await this.#started().reaches(holds, left, signal))) throw refused.searchNotReady();
  }

  get #rests(): boolean {
    const left = this.#restsUntil - this.#dependencies.clock.now();
    // A longer remaining time means that the clock was set back, so it is ignored.
    return left > 0 && left <= rest.longest;
  }

  #started(): IndexThread {
    return (this.#thread ??= this.#begun());
  }

  #begun(): IndexThread {
    const { directory, report } = this.#dependencies;
    const [chat, search] = [join(directory, 'chat.db'), join(directory, 'search.db')];
    const rebuild = this.#isDamaged;
    this.#isDamaged = false;
    this.#known = undefined;
    return new IndexThread({ chat, search, rebuild }, this.#dependencies.clock, (error) => {
      this.#thread = undefined;
      if (error === undefined) return;
      report({ event: 'search_index_failed', error });
      this.#failed(error);
    });
  }

  /** A damaged index is rebuilt at once. Other failures may be over after a pause, so the file is kept. */
  #failed(error: unknown): void {
    this.#isDamaged = isDamage(error);
    this.#failures += 1;
    if (this.#isDamaged && this.#failures === 1) return;
    const pause = Math.min(rest.first * 2 ** (this.#failures - 1), rest.longest);
    this.#restsUntil = this.#dependencies.clock.now() + pause;
  }
}

/** An error from another thread loses its class, so the name identifies it. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && error.name === ('DamagedIndexError' satisfies DamagedIndexError['name']);
}
