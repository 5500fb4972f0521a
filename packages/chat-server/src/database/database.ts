import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Durations } from '../durations.ts';
import { type StorageFault, storageFaultOf } from './fault.ts';
import { migrate } from './migrate.ts';
import { type Steps, atOnce, longestTurn } from '../turns.ts';
import type { Statement, Values } from './statement.ts';

/** Further changes wait for the next transaction, so that one commit does not block calls for long. */
const mostChangesPerCommit = 200;

export interface Reader {
  all<V extends Values, Row>(statement: Statement<V, Row>, values: V): Row[];
  get<V extends Values, Row>(statement: Statement<V, Row>, values: V): Row | undefined;
}

/** Its reads see all earlier writes of the same transaction. */
export interface Transaction extends Reader {
  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): number;
  insert<V extends Values, Row>(statement: Statement<V, Row>, values: V): number;
  /** Runs `effect` after COMMIT and before the promises of the changes resolve, but never if the change fails. */
  afterCommit(effect: () => void): void;
}

/** Nothing of a change was stored, for example because the disk is full or the file is locked. */
export class WriteFailedError extends Error {
  override readonly name = 'WriteFailedError';

  /** Undefined if the machine is not at fault but the change, for example because it violates a constraint. */
  get fault(): StorageFault | undefined {
    return storageFaultOf(this.cause);
  }
}

export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError';
}

type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

interface HeldChange {
  readonly change: PendingChange;
  readonly effects: readonly (() => void)[];
}

interface PendingChange {
  /** @returns the steps of a change that lasts longer than a turn. */
  readonly apply: (transaction: Transaction) => Steps<void> | undefined;
  readonly isLong: boolean;
  readonly mayRunAgain: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface DatabaseOptions {
  /** Each runs once, in order. A released migration never changes, because existing databases do not run it again. */
  readonly migrations: readonly string[];
  /** Bytes. A change that would make the file larger fails as on a full disk. */
  readonly maxBytes?: number | undefined;
  /** Receives an event when changes can no longer be stored, and when they can again. */
  readonly report?: (event: Readonly<Record<string, unknown>> & { readonly level: 'error' | 'warn' }) => void;
}

/** At most this many long reads have a snapshot at once. Others wait in their turns. */
const mostLongReads = 8;
/** Milliseconds for which changes wait while another process locks the file. */
const lockPatience = 5000;
const lockRetry = 25;
/** A commit makes a checkpoint if the WAL file has so many pages: it writes them into the database file. */
const pagesUntilCheckpoint = 4000;
/** Milliseconds for which a successful probe is reused instead of a new write. */
const probeHolds = 1000;

/**
 * One SQLite file with one writer and one reader connection, both used synchronously on this thread.
 * All changes of an event-loop turn share one transaction, so that they wait for the disk only once (group commit).
 */
export class Database {
  readonly #writer: DatabaseSync;
  /** Prepared once, because every change needs them. */
  readonly #control: Readonly<Record<'begin' | 'commit' | 'save' | 'release', StatementSync>>;
  readonly #reader: DatabaseSync;
  readonly #file: string;
  readonly #longReaders: Readonly<Record<'free' | 'all', DatabaseSync[]>> = { free: [], all: [] };
  #pending: PendingChange[] = [];
  /** The transaction of a long change. Its steps have not ended. */
  #long: Steps<void> | undefined;
  /** Whether the last commit that wrote rows left its checkpoint to the next transaction. */
  #isCheckpointLeft = false;
  #closed = false;
  readonly #name: string;
  readonly #report: NonNullable<DatabaseOptions['report']>;
  /** When another process was first found to lock the file, as `performance.now()`. */
  #lockedSince: number | undefined;
  #failures = 0;
  /** The rows that this transaction has written, without those of undone changes. */
  #writes = 0;
  /** The tables of which this transaction has changed rows, also by undone changes. */
  readonly #changed = new Set<string>();
  /** Called after each commit with the tables that it changed. */
  readonly #onChange = new Set<(tables: ReadonlySet<string>) => void>();
  #probe: { readonly at: number; readonly failures: number; readonly holds: Promise<void> } | undefined;

  constructor(file: string, { migrations, maxBytes, report = () => undefined }: DatabaseOptions) {
    this.#file = file;
    this.#name = basename(file);
    this.#report = report;
    this.#writer = open(file);
    migrate(this.#writer, migrations);
    // SQLite waits for locks synchronously, which would block the whole process, so it must not wait at all.
    this.#writer.exec('PRAGMA busy_timeout = 0');
    this.#control = {
      begin: this.#writer.prepare('BEGIN IMMEDIATE'),
      commit: this.#writer.prepare('COMMIT'),
      save: this.#writer.prepare('SAVEPOINT change'),
      release: this.#writer.prepare('RELEASE change'),
    };
    if (maxBytes !== undefined) limitSize(this.#writer, maxBytes);
    this.#reader = open(file, { readOnly: true });
  }

  /** How long the commits took, each with its changes and the sync of the disk. */
  readonly commits = new Durations();

  /** The changes that wait for a commit. */
  get waitingChanges(): number {
    return this.#pending.length;
  }

  /** Reads committed rows. Use `snapshot` for several reads of one moment. @throws DatabaseClosedError after `close`. */
  readonly reader: Reader = readerOf(() => this.#readable());

  snapshot<T>(look: (reader: Reader) => Synchronous<T>): T {
    const reader = this.#readable();
    reader.exec('BEGIN');
    try {
      return look(this.reader);
    } finally {
      endSnapshot(reader);
    }
  }

  /** Like `snapshot`, for reads that last longer than a turn. All steps see the moment at which the first one began. */
  *longSnapshot<T>(look: (reader: Reader) => Steps<T>): Steps<T> {
    let connection = this.#longReader();
    for (; !connection; connection = this.#longReader()) yield;
    const reader = connection;
    try {
      reader.exec('BEGIN');
      return yield* look(
        readerOf(() => {
          this.#readable();
          return reader;
        }),
      );
    } finally {
      if (!this.#closed) {
        this.#longReaders.free.push(reader);
        endSnapshot(reader);
      }
    }
  }

  /**
   * Remembers what `read` returns for a key, until a commit changes one of `tables`, which must be all that `read` reads. SQLite
   * itself forgets the pages of a reader with each commit. A transaction that has changed one of the tables gets a value that is not
   * remembered.
   * @param most keys, after which all are forgotten.
   */
  untilChange<Key, Value>(
    tables: readonly string[],
    most: number,
    read: (reader: Reader, key: Key) => Value,
  ): (key: Key, tx?: Transaction) => Value {
    const known = new Map<Key, Value>();
    const isAmong = (changed: ReadonlySet<string>) => tables.some((table) => changed.has(table));
    this.#onChange.add((changed) => {
      if (isAmong(changed)) known.clear();
    });
    return (key, tx) => {
      if (tx && isAmong(this.#changed)) return read(tx, key);
      const before = known.get(key);
      if (before !== undefined) return before;
      const value = read(tx ?? this.reader, key);
      if (known.size >= most) known.clear();
      known.set(key, value);
      return value;
    };
  }

  #longReader(): DatabaseSync | undefined {
    this.#readable();
    const { free, all } = this.#longReaders;
    // The last one used comes first, because its page cache and statements are the most useful.
    if (free.length > 0 || all.length === mostLongReads) return free.pop();
    const opened = open(this.#file, { readOnly: true });
    // Less than the usual 32 MB, because all of them may be open at once.
    opened.exec('PRAGMA cache_size = -4000');
    all.push(opened);
    return opened;
  }

  #readable(): DatabaseSync {
    if (this.#closed) throw new DatabaseClosedError('the database is closed');
    return this.#reader;
  }

  /**
   * Adds `change` to the transaction of this event-loop turn. Resolves when it is on the disk. Rejects with the error that
   * `change` threw, which undoes only this change, with WriteFailedError, or with DatabaseClosedError.
   * @param mayRunAgain whether `change` has no effect outside the transaction. A transaction of such changes is faster.
   */
  write<T>(change: (transaction: Transaction) => Synchronous<T>, { mayRunAgain = false } = {}): Promise<T> {
    return this.#enqueue<T>({ isLong: false, mayRunAgain }, (transaction, settle) => {
      settle(change(transaction));
      return undefined;
    });
  }

  /**
   * Like `write`, for a long change. Its transaction contains nothing else and lasts several turns of the event loop. Meanwhile
   * reads go on, and other changes wait.
   * @param isShort whether all steps run at once instead, in a transaction shared with other changes, as by `write`
   */
  writeInSteps<T>(change: (transaction: Transaction) => Steps<T>, { isShort = false } = {}): Promise<T> {
    return this.#enqueue<T>({ isLong: !isShort, mayRunAgain: false }, function* (transaction, settle) {
      settle(yield* change(transaction));
    });
  }

  #enqueue<T>(
    kind: Pick<PendingChange, 'isLong' | 'mayRunAgain'>,
    apply: (transaction: Transaction, settle: (value: T) => void) => Steps<void> | undefined,
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosedError('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | undefined;
      if (this.#pending.length === 0) setImmediate(() => this.#commit());
      this.#pending.push({
        ...kind,
        apply: (transaction) => apply(transaction, (value) => (result = { value })),
        resolve: () => {
          if (result) resolve(result.value);
        },
        reject,
      });
    });
  }

  /** Checks by a write that changes no data whether changes can be stored. Rejects like `write`. */
  probe(): Promise<void> {
    const now = performance.now();
    const isNew = this.#probe !== undefined && now - this.#probe.at < probeHolds && this.#probe.failures === this.#failures;
    if (this.#probe === undefined || !isNew) {
      const holds = this.write(() => {
        const { user_version: version } = this.#writer.prepare('PRAGMA user_version').get() ?? {};
        // SQLite writes a page to the disk even though the value stays the same.
        this.#writer.exec(`PRAGMA user_version = ${Number(version)}`);
        this.#writes += 1;
      });
      this.#probe = { at: now, failures: this.#failures, holds };
    }
    return this.#probe.holds;
  }

  close(): void {
    if (this.#closed) return;
    // The process serves no calls any more, so SQLite may block it while it waits for locks.
    this.#writer.exec(`PRAGMA busy_timeout = ${lockPatience}`);
    this.#lockedSince = -Infinity;
    while (this.#long || this.#pending.length > 0) {
      if (!this.#long) this.#commit();
      else if (this.#long.next().done) this.#long = undefined;
    }
    this.#closed = true;
    this.#reader.close();
    for (const reader of this.#longReaders.all) reader.close();
    this.#writer.close();
  }

  #commit(): void {
    if (this.#long) return;
    const firstLong = this.#pending.findIndex(({ isLong }) => isLong);
    // A long change is alone in its transaction.
    const most = firstLong === -1 ? mostChangesPerCommit : Math.max(1, Math.min(firstLong, mostChangesPerCommit));
    const batch = this.#pending.slice(0, most);
    if (batch.length === 0 || !this.#begin(batch)) return;
    const steps = this.#transact(batch);
    if (firstLong === 0) {
      this.#long = steps;
      this.#continue();
    } else atOnce(steps);
  }

  /** Runs the next steps of a long change. Other changes wait until it ends. */
  #continue(): void {
    const began = performance.now();
    while (this.#long) {
      if (this.#long.next().done) this.#long = undefined;
      else if (performance.now() - began > longestTurn) return void setImmediate(() => this.#continue());
    }
  }

  *#transact(batch: readonly PendingChange[]): Steps<void> {
    const began = performance.now();
    let held: readonly HeldChange[];
    const failures = this.#failures;
    // A failed commit refuses the changes that are still in this set.
    const remaining = new Set(batch);
    try {
      held = this.#applyTogether(batch, remaining) ?? (yield* this.#applyEach(batch, remaining));
      this.#commitTransaction(batch[0]?.isLong === true);
    } catch (error) {
      this.#refuse([...remaining], error);
      if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
      return;
    } finally {
      this.#pending = this.#pending.slice(batch.length);
      if (this.#pending.length > 0) setImmediate(() => this.#commit());
    }
    if (!batch[0]?.isLong) this.commits.note(performance.now() - began);
    for (const look of this.#onChange) look(this.#changed);
    // Only a transaction that wrote rows, without a change that did not fit, proves that the disk works again.
    if (this.#writes > 0 && this.#failures === failures) this.#held();
    for (const { effects } of held) for (const effect of effects) effect();
    for (const { change } of held) change.resolve();
  }

  /** The COMMIT of a long change already blocks calls for long, so its checkpoint is left to the next transaction. */
  #commitTransaction(isLong: boolean): void {
    if (isLong) this.#writer.exec('PRAGMA wal_autocheckpoint = 0');
    try {
      this.#control.commit.run();
      if (this.#writes > 0) this.#isCheckpointLeft = isLong;
    } finally {
      if (isLong) this.#writer.exec(`PRAGMA wal_autocheckpoint = ${pagesUntilCheckpoint}`);
    }
  }

  /** @returns false if the batch waits for a lock or its changes have been rejected. */
  #begin(batch: readonly PendingChange[]): boolean {
    try {
      // The COMMIT of a long change makes none, and a file that is never written into the database would grow without bound.
      if (this.#isCheckpointLeft && batch[0]?.isLong) {
        this.#writer.exec('PRAGMA wal_checkpoint');
        this.#isCheckpointLeft = false;
      }
      this.#control.begin.run();
      this.#lockedSince = undefined;
      this.#writes = 0;
      this.#changed.clear();
      return true;
    } catch (error) {
      this.#lockedSince ??= performance.now();
      if (storageFaultOf(error) === 'locked' && performance.now() - this.#lockedSince < lockPatience) {
        setTimeout(() => this.#commit(), lockRetry);
        return false;
      }
      this.#pending = this.#pending.slice(batch.length);
      if (this.#pending.length > 0) setImmediate(() => this.#commit());
      else this.#lockedSince = undefined;
      this.#refuse(batch, error);
      return false;
    }
  }

  #refuse(batch: readonly PendingChange[], error: unknown): void {
    const failure = new WriteFailedError('the transaction failed', { cause: error });
    for (const change of batch) change.reject(failure);
    this.#note(failure, batch.length);
  }

  #note({ fault, cause: error }: WriteFailedError, refused: number): void {
    if (fault === undefined) return;
    const isFirst = this.#failures === 0;
    this.#failures += refused;
    if (!isFirst) return;
    this.#report({ level: 'error', event: 'storage_unwritable', database: this.#name, reason: fault, error });
  }

  #held(): void {
    if (this.#failures === 0) return;
    this.#report({ level: 'warn', event: 'storage_writable_again', database: this.#name, refused: this.#failures });
    this.#failures = 0;
  }

  /**
   * Without a savepoint for each change, which is two statements, and a copy of each page that the change writes.
   * @returns undefined if nothing was written, because the changes must be applied one by one.
   */
  #applyTogether(batch: readonly PendingChange[], remaining: Set<PendingChange>): HeldChange[] | undefined {
    if (!batch.every(({ mayRunAgain }) => mayRunAgain)) return undefined;
    const held: HeldChange[] = [];
    const refused: (() => void)[] = [];
    this.#control.save.run();
    for (const change of batch) {
      const writes = this.#writes;
      const effects: (() => void)[] = [];
      try {
        change.apply(this.#transaction(effects));
        held.push({ change, effects });
      } catch (error) {
        if (!this.#writer.isTransaction) throw error;
        if (this.#writes > writes || isSqliteError(error)) {
          this.#undo();
          this.#writes = 0;
          return undefined;
        }
        refused.push(() => {
          remaining.delete(change);
          change.reject(error);
        });
      }
    }
    this.#control.release.run();
    for (const refuse of refused) refuse();
    return held;
  }

  *#applyEach(batch: readonly PendingChange[], remaining: Set<PendingChange>): Steps<HeldChange[]> {
    const held: HeldChange[] = [];
    for (const change of batch) {
      const applied = yield* this.#apply(change);
      if (applied) held.push(applied);
      else remaining.delete(change);
    }
    return held;
  }

  /** @returns the change with its effects; nothing if it failed. @throws if SQLite ended the transaction. */
  *#apply(change: PendingChange): Steps<HeldChange | undefined> {
    const effects: (() => void)[] = [];
    const writes = this.#writes;
    this.#control.save.run();
    try {
      const steps = change.apply(this.#transaction(effects));
      if (steps) yield* steps;
      this.#control.release.run();
      return { change, effects };
    } catch (error) {
      // SQLite rolled the whole transaction back, as on a full disk or an I/O error. All its changes fail together.
      if (!this.#writer.isTransaction) throw error;
      this.#undo();
      this.#writes = writes;
      if (isSqliteError(error)) {
        const failure = new WriteFailedError('the change failed', { cause: error });
        this.#note(failure, 1);
        change.reject(failure);
      } else {
        change.reject(error);
      }
      return undefined;
    }
  }

  /** Undoes everything since the savepoint, and removes it. */
  #undo(): void {
    this.#writer.exec('ROLLBACK TO change');
    this.#control.release.run();
  }

  #transaction(effects: (() => void)[]): Transaction {
    // A statement after the end of the transaction would be committed alone, outside any change.
    const writer = (): DatabaseSync => {
      if (!this.#writer.isTransaction) throw new WriteFailedError('the transaction is over');
      return this.#writer;
    };
    const note = ({ changes }: { readonly changes: string | undefined }, rows: number): void => {
      if (rows === 0 || changes === undefined) return;
      this.#changed.add(changes);
      this.#writes += rows;
    };
    // A change that is read returns each changed row.
    return {
      all: (statement, values) => {
        const rows = statement.all(writer(), values);
        note(statement, rows.length);
        return rows;
      },
      get: (statement, values) => {
        const row = statement.get(writer(), values);
        note(statement, row === undefined ? 0 : 1);
        return row;
      },
      run: (statement, values) => {
        const rows = statement.run(writer(), values);
        note(statement, rows);
        return rows;
      },
      insert: (statement, values) => {
        const key = statement.insert(writer(), values);
        note(statement, 1);
        return key;
      },
      afterCommit: (effect) => void effects.push(effect),
    };
  }
}

/** SQLite has already ended the transaction after a failed read of the file. COMMIT would then replace the error of the read. */
function endSnapshot(connection: DatabaseSync): void {
  if (connection.isTransaction) connection.exec('COMMIT');
}

function readerOf(connection: () => DatabaseSync): Reader {
  return {
    all: (statement, values) => statement.all(connection(), values),
    get: (statement, values) => statement.get(connection(), values),
  };
}

export function openReader(file: string): { readonly reader: Reader; close(): void } {
  const connection = open(file, { readOnly: true });
  return { reader: readerOf(() => connection), close: () => connection.close() };
}

function open(file: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  const connection = new DatabaseSync(file, { ...options, enableForeignKeyConstraints: true, timeout: 5000 });
  if (!options.readOnly) {
    // With FULL, a change that was answered is still there after a power cut.
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${pagesUntilCheckpoint}`);
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
