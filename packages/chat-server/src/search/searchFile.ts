import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Direction, Span } from '../conversations/access.ts';

export interface Progress {
  readonly cursor: number;
  /** Messages below this id are not indexed yet; 0: all are indexed. */
  readonly floor: number;
}

/** The file is no index, or damaged. It must be rebuilt. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';
}

/** The tokens of a message; undefined removes it from the index. */
export interface Entry {
  readonly id: number;
  readonly tokens: Iterable<string> | undefined;
}

/** Must rise when the form of the index changes, so that it is rebuilt. */
const version = 2;

// Without contents and token positions, because hits are read again from `chat.db`. Deleted entries stay in the file until
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

/** Milliseconds that the writer waits for a lock. */
const longestBusy = 1000;

/** `search.db` for its only writer. It can be rebuilt from `chat.db`. */
export class SearchFile {
  readonly #connection: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #note: StatementSync;
  #progress: Progress;

  private constructor(connection: DatabaseSync, progress: Progress) {
    this.#connection = connection;
    this.#progress = progress;
    this.#put = connection.prepare('INSERT OR REPLACE INTO message_tokens (rowid, tokens) VALUES (?, ?)');
    this.#remove = connection.prepare('DELETE FROM message_tokens WHERE rowid = ?');
    this.#note = connection.prepare('UPDATE progress SET cursor = ?, floor = ?');
  }

  /** @returns undefined if there is no valid file of this version and epoch: another organisation, or before a restore. */
  static open(file: string, epoch: string): SearchFile | undefined {
    const connection = new DatabaseSync(file, { timeout: longestBusy });
    try {
      // A power cut may lose the last changes with their cursor. They are indexed again.
      connection.exec(settings);
      const progress = progressIn(connection, epoch);
      if (progress) return new SearchFile(connection, progress);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    connection.close();
    return undefined;
  }

  /** The progress of a closed file. @returns undefined if it cannot be read without opening it for writing. */
  static progressOf(file: string, epoch: string): Progress | undefined {
    if (!existsSync(file)) return undefined;
    const connection = new DatabaseSync(file, { timeout: 0 });
    try {
      return progressIn(connection, epoch);
    } catch (error) {
      // `open` will find the fault.
      if (!isSqliteError(error)) throw error;
      return undefined;
    } finally {
      connection.close();
    }
  }

  /** Creates a file and replaces an existing one, which must be closed. */
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

  /** Writes entries together with the new progress. @throws DamagedIndexError */
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

  close(): void {
    this.#connection.close();
  }
}

/** `search.db` for another thread. The first read opens it. */
export class SearchFileReader {
  readonly #file: string;
  #opened: { readonly connection: DatabaseSync; readonly find: Readonly<Record<Direction, StatementSync>> } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** The first ids that a query (`queryOf`) finds. @throws DamagedIndexError */
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
    // It must not wait for locks, which would block the process.
    const connection = new DatabaseSync(this.#file, { readOnly: true, timeout: 0 });
    connection.exec('PRAGMA cache_size = -16000');
    // A bound number is a REAL, with which FTS5 would walk all hits from the first id.
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

/** SQLITE_ERROR (a table is missing), SQLITE_CORRUPT or SQLITE_NOTADB. */
function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return code === 1 || code === 11 || code === 26;
}
