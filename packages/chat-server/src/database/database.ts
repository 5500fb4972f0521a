import { DatabaseSync } from 'node:sqlite';
import { migrate } from './migrate.ts';
import type { Statement, Values } from './statement.ts';

/** Most changes that share one transaction; the rest goes into the next turn's. */
const mostChangesPerCommit = 1000;

/** What may look at the database: committed rows, as one connection sees them. */
export interface Reader {
  all<V extends Values, Row>(statement: Statement<V, Row>, values: V): Row[];
  get<V extends Values, Row>(statement: Statement<V, Row>, values: V): Row | undefined;
}

/** What a change may do. Its look-ups see its own writes and those that came before it in the same turn. */
export interface Transaction extends Reader {
  /** @returns how many rows changed. */
  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): number;
  /** Runs once COMMIT has returned, before anyone is told; never when the change did not hold. */
  afterCommit(effect: () => void): void;
}

/** Nothing of the change was kept, and it is not the change's fault: the disk is full, the file is locked, … */
export class WriteFailedError extends Error {
  override readonly name = 'WriteFailedError';
}

/** The file is closed: whoever asks comes too late, which is nobody's fault. */
export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError';
}

type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

interface PendingChange {
  readonly apply: (transaction: Transaction) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface DatabaseOptions {
  /** Each is run once, in order, and never changed again once it has been released. */
  readonly migrations: readonly string[];
  /** Bytes. A file that would grow beyond it refuses to be written, as a full disk does. */
  readonly maxBytes?: number;
}

/**
 * One SQLite file with one writer and one reader connection, both used synchronously on this thread.
 * All changes of an event-loop turn share one transaction and so one wait for the disk (group commit).
 */
export class Database {
  readonly #writer: DatabaseSync;
  readonly #reader: DatabaseSync;
  #pending: PendingChange[] = [];
  #closed = false;

  constructor(file: string, { migrations, maxBytes }: DatabaseOptions) {
    this.#writer = open(file);
    migrate(this.#writer, migrations);
    if (maxBytes !== undefined) limitSize(this.#writer, maxBytes);
    this.#reader = open(file, { readOnly: true });
  }

  /**
   * Looks at what has been committed. For several look-ups that must agree, see `snapshot`.
   * A look-up throws DatabaseClosedError when there is nothing to look at any more.
   */
  readonly reader: Reader = {
    all: (statement, values) => statement.all(this.#readable(), values),
    get: (statement, values) => statement.get(this.#readable(), values),
  };

  /** Every look-up in `look` sees the database as of one moment. */
  snapshot<T>(look: (reader: Reader) => Synchronous<T>): T {
    const reader = this.#readable();
    reader.exec('BEGIN');
    try {
      return look(this.reader);
    } finally {
      reader.exec('COMMIT');
    }
  }

  #readable(): DatabaseSync {
    if (this.#closed) throw new DatabaseClosedError('the database is closed');
    return this.#reader;
  }

  /**
   * Makes `change` part of this turn's transaction. Resolves after it is on disk.
   * Rejects with what `change` threw, which undoes it alone, with WriteFailedError when the transaction failed, or
   * with DatabaseClosedError.
   */
  write<T>(change: (transaction: Transaction) => Synchronous<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosedError('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | undefined;
      if (this.#pending.length === 0) setImmediate(() => this.#commit());
      this.#pending.push({
        apply: (transaction) => {
          result = { value: change(transaction) };
        },
        resolve: () => {
          if (result) resolve(result.value);
        },
        reject,
      });
    });
  }

  /** Commits what is pending and closes the file. */
  close(): void {
    if (this.#closed) return;
    while (this.#pending.length > 0) this.#commit();
    this.#closed = true;
    this.#reader.close();
    this.#writer.close();
  }

  #commit(): void {
    const batch = this.#pending.slice(0, mostChangesPerCommit);
    if (batch.length === 0) return;
    this.#pending = this.#pending.slice(batch.length);
    if (this.#pending.length > 0) setImmediate(() => this.#commit());

    let held: HeldChange[];
    try {
      this.#writer.exec('BEGIN IMMEDIATE');
      held = batch.flatMap((change) => this.#apply(change) ?? []);
      this.#writer.exec('COMMIT');
    } catch (error) {
      const failure = new WriteFailedError('the transaction failed', { cause: error });
      for (const change of batch) change.reject(failure);
      if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
      return;
    }
    for (const { effects } of held) for (const effect of effects) effect();
    for (const { change } of held) change.resolve();
  }

  /** @returns the change with its effects when it holds so far; throws when the transaction is gone. */
  #apply(change: PendingChange): HeldChange | undefined {
    const effects: (() => void)[] = [];
    this.#writer.exec('SAVEPOINT change');
    try {
      change.apply(this.#transaction(effects));
      this.#writer.exec('RELEASE change');
      return { change, effects };
    } catch (error) {
      // SQLite ends the whole transaction on a full disk or an I/O error: then no change of the batch holds.
      if (!this.#writer.isTransaction) throw error;
      this.#writer.exec('ROLLBACK TO change');
      this.#writer.exec('RELEASE change');
      change.reject(isSqliteError(error) ? new WriteFailedError('the change failed', { cause: error }) : error);
      return undefined;
    }
  }

  #transaction(effects: (() => void)[]): Transaction {
    // Without the transaction a statement would commit by itself: once SQLite has ended it, or the change has returned.
    const writer = (): DatabaseSync => {
      if (!this.#writer.isTransaction) throw new WriteFailedError('the transaction is over');
      return this.#writer;
    };
    return {
      all: (statement, values) => statement.all(writer(), values),
      get: (statement, values) => statement.get(writer(), values),
      run: (statement, values) => statement.run(writer(), values),
      afterCommit: (effect) => void effects.push(effect),
    };
  }
}

/** A look at a file from another thread than the one that writes it. */
export function openReader(file: string): { readonly reader: Reader; close(): void } {
  const connection = open(file, { readOnly: true });
  return {
    reader: {
      all: (statement, values) => statement.all(connection, values),
      get: (statement, values) => statement.get(connection, values),
    },
    close: () => connection.close(),
  };
}

interface HeldChange {
  readonly change: PendingChange;
  readonly effects: readonly (() => void)[];
}

function open(file: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  const connection = new DatabaseSync(file, { ...options, enableForeignKeyConstraints: true, timeout: 5000 });
  if (!options.readOnly) {
    // FULL: a commit is on the disk before it is answered, also in the face of a power cut.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
  }
  connection.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
  return connection;
}

function limitSize(connection: DatabaseSync, maxBytes: number): void {
  const { page_size: pageSize } = connection.prepare('PRAGMA page_size').get() ?? {};
  connection.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / Number(pageSize))}`);
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
