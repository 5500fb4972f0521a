import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Direction, Span } from '../conversations/access.ts';

export interface Progress {
  readonly cursor: number;
  /** Messages with an id below `floor` are not indexed yet. 0 means that all messages are indexed. */
  readonly floor: number;
}

/** The file is damaged or not a search index. The index must be rebuilt. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';
}

/** The tokens of a message. Undefined tokens remove the message from the index. */
export interface Entry {
  readonly id: number;
  readonly tokens: Iterable<string> | undefined;
}

/** Raise this number when the contents of the index change. The server then rebuilds existing indexes. */
const version = 2;

// The index stores no contents, because hits are read again from `chat.db`. Deleted entries stay in the file until
// a hundredth of their segment is deleted. See decision 17.
const tables = `
  CREATE TABLE progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    floor INTEGER NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE message_tokens USING fts5(
    tokens, tokenize = 'ascii', content = '', contentless_delete = 1, detail = none, prefix = '1'
  );
  INSERT INTO message_tokens (message_tokens, rank) VALUES ('deletemerge', 1);
`;
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16000;
`;

/** A merge reads and writes about this many pages at once. */
const pagesPerMerge = 250;
/** A merge that finds nothing to do changes fewer rows, according to SQLite's documentation. */
const leastOfMerge = 2;

/** The writer waits at most this many milliseconds for a lock. */
const longestBusy = 1000;

/** Only one connection writes `search.db`. A lost file can be rebuilt from `chat.db`. */
export class SearchFile {
  readonly #connection: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #note: StatementSync;
  readonly #changes: StatementSync;
  #progress: Progress;

  private constructor(connection: DatabaseSync, progress: Progress) {
    this.#connection = connection;
    this.#progress = progress;
    this.#put = connection.prepare('INSERT OR REPLACE INTO message_tokens (rowid, tokens) VALUES (?, ?)');
    this.#remove = connection.prepare('DELETE FROM message_tokens WHERE rowid = ?');
    this.#note = connection.prepare('UPDATE progress SET cursor = ?, floor = ?');
    this.#changes = connection.prepare('SELECT total_changes() AS count');
  }

  /** @returns undefined without a valid file of this version and epoch. A restore of a backup changes the epoch. */
  static open(file: string, epoch: string): SearchFile | undefined {
    const connection = new DatabaseSync(file, { timeout: longestBusy });
    try {
      // A power cut may lose the last entries together with their cursor. They are then indexed again.
      connection.exec(settings);
      const progress = progressIn(connection, epoch);
      if (progress) return new SearchFile(connection, progress);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    connection.close();
    return undefined;
  }

  /** Reads the progress of a closed file. @returns undefined if only a writing connection could read it. */
  static progressOf(file: string, epoch: string): Progress | undefined {
    if (!existsSync(file)) return undefined;
    const connection = new DatabaseSync(file, { timeout: 0 });
    try {
      return progressIn(connection, epoch);
    } catch (error) {
      // The fault is found again and handled when `open` opens the file.
      if (!isSqliteError(error)) throw error;
      return undefined;
    } finally {
      connection.close();
    }
  }

  /** Writes the current version again to a closed file. @throws if the file cannot be written now; a missing file is not checked. */
  static probe(file: string): void {
    if (!existsSync(file)) return;
    const connection = new DatabaseSync(file, { timeout: 0 });
    try {
      const { user_version: current } = connection.prepare('PRAGMA user_version').get() ?? {};
      // SQLite writes a page even though the value stays the same.
      connection.exec(`PRAGMA user_version = ${Number(current)}`);
    } finally {
      connection.close();
    }
  }

  /** Creates a file in place of an existing one, which must be closed. */
  static create(file: string, epoch: string, progress: Progress): SearchFile {
    for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
    const connection = new DatabaseSync(file, { timeout: longestBusy });
    connection.exec(`${settings} BEGIN; ${tables}`);
    const { cursor, floor } = progress;
    connection.prepare('INSERT INTO progress VALUES (1, ?, ?, ?, ?)').run(version, epoch, cursor, floor);
    connection.exec('COMMIT');
    return new SearchFile(connection, progress);
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Writes entries and the new progress in one transaction. @throws DamagedIndexError */
  write(change: (put: (entry: Entry) => void) => Progress): void {
    this.#progress = noticingDamage(() => {
      this.#connection.exec('BEGIN IMMEDIATE');
      const progress = change(({ id, tokens }) => {
        if (tokens) this.#put.run(id, [...tokens].join(' '));
        else this.#remove.run(id);
      });
      this.#note.run(progress.cursor, progress.floor);
      this.#connection.exec('COMMIT');
      return progress;
    });
  }

  /**
   * Begins to merge all segments into one. A search looks for each of its words and conversations in every segment.
   * @returns whether there may be more to merge.
   */
  beginMerge(): boolean {
    return this.#merge(-pagesPerMerge) >= leastOfMerge;
  }

  /** @returns whether there may be more to merge. */
  continueMerge(): boolean {
    return this.#merge(pagesPerMerge) >= leastOfMerge;
  }

  /** @returns the number of changed rows. @throws DamagedIndexError */
  #merge(pages: number): number {
    const changes = () => Number(this.#changes.get()?.['count']);
    return noticingDamage(() => {
      const before = changes();
      this.#connection.exec(`INSERT INTO message_tokens (message_tokens, rank) VALUES ('merge', ${pages})`);
      return changes() - before;
    });
  }

  close(): void {
    this.#connection.close();
  }
}

/** Reads `search.db` from the main thread. The first read opens the file. */
export class SearchFileReader {
  readonly #file: string;
  #opened: { readonly connection: DatabaseSync; readonly find: Readonly<Record<Direction, StatementSync>> } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param query from `queryOf`. @returns the first matching ids. @throws DamagedIndexError */
  find(query: string, { after, upTo }: Span, direction: Direction, most: number): number[] {
    return noticingDamage(() => {
      const { find } = (this.#opened ??= this.#open());
      return find[direction].all(query, after, upTo, most).map(({ id }) => Number(id));
    });
  }

  close(): void {
    this.#opened?.connection.close();
    this.#opened = undefined;
  }

  #open() {
    // No timeout, because waiting for a lock would block the process.
    const connection = new DatabaseSync(this.#file, { readOnly: true, timeout: 0 });
    connection.exec('PRAGMA cache_size = -16000');
    // Limits stand in the text: a bound number would be REAL, and FTS5 would then read all hits from the first id on.
    const inOrder = (order: 'ASC' | 'DESC') =>
      connection.prepare(
        `SELECT rowid AS id FROM message_tokens
         WHERE message_tokens MATCH ? AND rowid > CAST(? AS INTEGER) AND rowid <= CAST(? AS INTEGER)
         ORDER BY rowid ${order} LIMIT ?`,
      );
    return { connection, find: { up: inOrder('ASC'), down: inOrder('DESC') } };
  }
}

function progressIn(connection: DatabaseSync, epoch: string): Progress | undefined {
  const row = connection.prepare('SELECT * FROM progress').get();
  if (row?.['version'] !== version || row['epoch'] !== epoch) return undefined;
  return { cursor: Number(row['cursor']), floor: Number(row['floor']) };
}

const isSqliteError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

function noticingDamage<Value>(look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    throw isUnreadable(error) ? new DamagedIndexError('the index cannot be read', { cause: error }) : error;
  }
}

/** The codes mean that a table is missing (SQLITE_ERROR), or that the file is damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return code === 1 || code === 11 || code === 26;
}
