import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Direction, Span } from '../conversations/access.ts';

/** How far an index knows what there is in `chat.db`. */
export interface Progress {
  /** The newest event that it has followed. */
  readonly cursor: number;
  /** Messages below this id are not in it yet; 0: all are. */
  readonly floor: number;
}

/** Whose messages an index holds. Another organisation's, or one of before a restore, is of no use. */
export interface Origin {
  readonly epoch: string;
}

/** The file is no index, or a damaged one. It is of no use and is made anew. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';
}

/** What an index says of a message: nothing where it must not be found. */
export interface Entry {
  readonly id: number;
  readonly tokens: Iterable<string> | undefined;
}

/** A change of what stands in the index is a new number here: it is then made anew. */
const version = 2;

// Without contents and places of tokens: what is found is read again where it stands, `chat.db`.
// What is no longer said stands in the file until a hundredth of what was written with it is gone. See decision 17.
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

/** Milliseconds that the writer waits for a file that somebody else has locked. */
const longestBusy = 1000;

/** `search.db`, as its one writer has it. All of it can be made again from `chat.db`. */
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

  /** @returns undefined where there is none that is whole, of this version and of this origin. */
  static open(file: string, { epoch }: Origin): SearchFile | undefined {
    const connection = new DatabaseSync(file, { timeout: longestBusy });
    try {
      // A power cut may take the last changes, and with them the cursor: they are followed again.
      connection.exec(settings);
      const progress = progressIn(connection, epoch);
      if (progress) return new SearchFile(connection, progress);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    connection.close();
    return undefined;
  }

  /** How far one is that nobody has open. @returns undefined where it would have to be opened to be known. */
  static progressOf(file: string, { epoch }: Origin): Progress | undefined {
    if (!existsSync(file)) return undefined;
    const connection = new DatabaseSync(file, { timeout: 0 });
    try {
      return progressIn(connection, epoch);
    } catch (error) {
      // What is the matter with it whoever opens it will see.
      if (!isSqliteError(error)) throw error;
      return undefined;
    } finally {
      connection.close();
    }
  }

  /** A new one in place of what is there. Nobody may have that open. */
  static create(file: string, { epoch }: Origin, progress: Progress): SearchFile {
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

  /**
   * What `change` puts, together with how far that leads.
   * @throws DamagedIndexError
   */
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

/** The same file, to be looked at from another thread. It is opened by the first look. */
export class SearchFileReader {
  readonly #file: string;
  #opened: { readonly connection: DatabaseSync; readonly find: Readonly<Record<Direction, StatementSync>> } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * The first ids that a query (`queryOf`) finds.
   * @throws DamagedIndexError
   */
  find(query: string, { after, upTo }: Span, direction: Direction, most: number): number[] {
    return noticingDamage(() => {
      const { find } = (this.#opened ??= this.#open());
      return find[direction].all(query, after, upTo, most).map(({ id }) => Number(id));
    });
  }

  /** The next look opens it again. */
  close(): void {
    this.#opened?.connection.close();
    this.#opened = undefined;
  }

  #open() {
    // It never waits: everybody else would wait with it.
    const connection = new DatabaseSync(this.#file, { readOnly: true, timeout: 0 });
    connection.exec('PRAGMA cache_size = -16000');
    // A number arrives as a REAL, and with one FTS5 does not skip: it would walk what it finds from the first id on.
    const inOrder = (order: 'ASC' | 'DESC') =>
      connection.prepare(
        `SELECT rowid AS id FROM message_tokens
         WHERE message_tokens MATCH ? AND rowid > CAST(? AS INTEGER) AND rowid <= CAST(? AS INTEGER)
         ORDER BY rowid ${order} LIMIT ?`,
      );
    return { connection, find: { up: inOrder('ASC'), down: inOrder('DESC') } };
  }
}

/** Undefined where it is of another version or of another origin. */
function progressIn(connection: DatabaseSync, epoch: string): Progress | undefined {
  const kept = connection.prepare('SELECT * FROM progress').get();
  if (kept?.['version'] !== version || kept['epoch'] !== epoch) return undefined;
  return { cursor: Number(kept['cursor']), floor: Number(kept['floor']) };
}

const isSqliteError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

function noticingDamage<Value>(look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    throw isUnreadable(error) ? new DamagedIndexError('the index cannot be read', { cause: error }) : error;
  }
}

/** No database, a damaged one, or one without these tables: SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB. */
function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return code === 1 || code === 11 || code === 26;
}
