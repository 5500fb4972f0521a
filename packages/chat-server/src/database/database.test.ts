import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Generated, sql } from 'kysely';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import {
  Database,
  DatabaseClosedError,
  NewerDatabaseError,
  type Reader,
  type Transaction,
  type Value,
  WriteFailedError,
  queriesOf,
} from './index.ts';
import { resultOf } from '../testing/steps.ts';
import type { DatabaseOptions } from './database.ts';

interface Notes {
  note: { id: Generated<number>; text: string; answers: number | null };
  pragma_journal_mode: { journal_mode: string };
  pragma_synchronous: { synchronous: number };
}
const queries = queriesOf<Notes>();

const insertNote = queries.run((query, text: Value<string>, answers: Value<number | null>) =>
  query.insertInto('note').values({ text, answers }),
);
const addNote = queries.insert((query, text: Value<string>) => query.insertInto('note').values({ text, answers: null }));
const renameNote = queries.run((query, text: Value<string>, to: Value<string>) =>
  query.updateTable('note').set({ text: to }).where('text', '=', text),
);
const renameAndRead = queries.values((query, text: Value<string>, to: Value<string>) =>
  query.updateTable('note').set({ text: to }).where('text', '=', text).returning('text'),
);
const deleteNotes = queries.run((query) => query.deleteFrom('note'));
const texts = queries.values((query) => query.selectFrom('note').select('text').orderBy('id'));

/** A note that answers a missing note is refused by COMMIT only, because the foreign key is deferred. */
const notes = `
  CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    answers INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED
  ) STRICT;
`;

const write = (tx: Transaction, text: string, answers: number | null = null) => insertNote(tx, text, answers);
/** Ends in its second step. */
function* readTexts(reader: Reader) {
  yield;
  return texts(reader);
}

const big = '縁'.repeat(100_000);
const sixteenPages = 16 * 4096;

function file(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-database-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'notes.db');
}

function open(path: string, options: Partial<DatabaseOptions> = {}) {
  const database = new Database(path, { migrations: [notes], ...options });
  onTestFinished(() => database.close());
  return database;
}

it('The database stores all changes of one event-loop turn in one transaction', async () => {
  const path = file();
  const database = open(path);
  const commits = countCommits(path);
  await Promise.all(['a', 'b', 'c'].map((text) => database.write((tx) => write(tx, text))));
  expect(commits()).toBe(1);
  expect(texts(database.reader)).toEqual(['a', 'b', 'c']);
});

it('An insert returns the key of its row, and what depends on the table is looked up again', async () => {
  const database = open(file());
  const all = database.untilChange(['note'], 1, (reader) => texts(reader));
  expect(all(undefined)).toEqual([]);
  const keys = await Promise.all(['a', 'b'].map((text) => database.write((tx) => addNote(tx, text))));
  expect(keys).toEqual([1, 2]);
  expect(all(undefined)).toEqual(['a', 'b']);
});

it('A database change reads the results of earlier changes of the same event-loop turn', async () => {
  const database = open(file());
  const [, seen] = await Promise.all([database.write((tx) => write(tx, 'a')), database.write((tx) => texts(tx))]);
  expect(seen).toEqual(['a']);
});

const kinds = [
  ['', {}],
  [' that may run again', { mayRunAgain: true }],
] as const;

it.each(kinds)(
  'If a database change%s throws, only it is rolled back and the others of its transaction are committed',
  async (_, kind) => {
    const database = open(file());
    const refusal = new RangeError('not that one');
    const effects: string[] = [];
    const change = (text: string) => (tx: Transaction) => {
      write(tx, text);
      tx.afterCommit(() => effects.push(text));
    };
    const failing = (tx: Transaction) => {
      change('half')(tx);
      throw refusal;
    };
    const outcomes = await Promise.allSettled([change('a'), failing, change('b')].map((each) => database.write(each, kind)));
    expect(effects).toEqual(['a', 'b']);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toHaveProperty('reason', refusal);
    expect(texts(database.reader)).toEqual(['a', 'b']);
  },
);

it.each(kinds)(
  'If a database change%s violates a constraint, it rejects with WriteFailedError and the others are committed',
  async (_, kind) => {
    const database = open(file());
    const outcomes = await Promise.allSettled([
      database.write((tx) => write(tx, 'a'), kind),
      database.write((tx) => {
        write(tx, 'half');
        insertWithId(tx, 1, 'taken');
      }, kind),
    ]);
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: expect.any(WriteFailedError) }]);
    expect(texts(database.reader)).toEqual(['a']);
  },
);

it('Changes that may run again run once if one of them throws before it has written, and its effects do not run', async () => {
  const database = open(file());
  const runs: string[] = [];
  const change = (text: string) => (tx: Transaction) => {
    runs.push(text);
    write(tx, text);
  };
  const refused = (tx: Transaction) => {
    runs.push('refused');
    tx.afterCommit(() => runs.push('effect'));
    throw new RangeError('not that one');
  };
  const all = [change('a'), refused, change('b')].map((each) => database.write(each, { mayRunAgain: true }));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual(['a', 'refused', 'b']);
  expect(texts(database.reader)).toEqual(['a', 'b']);
});

it('TypeScript reports an error for a database change that returns a promise', () => {
  type Change<Answer> = Parameters<typeof Database.prototype.write<Answer>>[0];
  expectTypeOf<(tx: Transaction) => number>().toExtend<Change<number>>();
  expectTypeOf<ReturnType<Change<Promise<number>>>>().toBeNever();
  expectTypeOf<() => Promise<number>>().not.toExtend<Change<Promise<number>>>();
  expectTypeOf<() => Promise<void>>().not.toExtend<Change<Promise<void>>>();
  type Look<Answer> = Parameters<typeof Database.prototype.snapshot<Answer>>[0];
  expectTypeOf<() => Promise<number>>().not.toExtend<Look<Promise<number>>>();
});

it('The database runs the effects of changes after COMMIT, in the order of the changes, before their promises resolve', async () => {
  const database = open(file());
  const order: string[] = [];
  const change = async (name: string) => {
    await database.write((tx) => {
      write(tx, name);
      tx.afterCommit(() => order.push(`effect of ${name}, ${texts(database.reader).length} notes there`));
      order.push(`change ${name}`);
    });
    order.push(`${name} told`);
  };
  await Promise.all([change('a'), change('b')]);
  expect(order).toEqual(['change a', 'change b', 'effect of a, 2 notes there', 'effect of b, 2 notes there', 'a told', 'b told']);
});

it('The database runs no effects of a change that throws', async () => {
  const database = open(file());
  const effects: string[] = [];
  const failing = database.write((tx) => {
    tx.afterCommit(() => effects.push('a'));
    throw new RangeError('after all not');
  });
  await expect(failing).rejects.toThrow(RangeError);
  expect(effects).toEqual([]);
});

it('Readers of the database do not see a change before its COMMIT', async () => {
  const database = open(file());
  const seen = await database.write((tx) => {
    write(tx, 'a');
    return texts(database.reader);
  });
  expect(seen).toEqual([]);
  expect(texts(database.reader)).toEqual(['a']);
});

it('A database change is on disk before its promise resolves (WAL with synchronous = FULL)', async () => {
  const database = open(file());
  const settings = await database.write((tx) => ({ ...journalMode(tx), ...synchronous(tx) }));
  expect(settings).toEqual({ journal_mode: 'wal', synchronous: 2 });
});

it('If more changes wait than one transaction takes, the database commits all of them in several transactions', async () => {
  const path = file();
  const database = open(path);
  const commits = countCommits(path);
  await Promise.all(Array.from({ length: 2500 }, (_, index) => database.write((tx) => write(tx, `${index}`))));
  expect(texts(database.reader)).toHaveLength(2500);
  expect(commits()).toBe(13);
});

it('A change that is still waiting when the database is closed is committed', async () => {
  const path = file();
  const database = open(path);
  const waiting = database.write((tx) => write(tx, 'just in time'));
  database.close();
  await expect(waiting).resolves.toBe(1);
  expect(texts(open(path).reader)).toEqual(['just in time']);
});

it('A closed database refuses writes and reads', async () => {
  const database = open(file());
  database.close();
  await expect(database.write((tx) => write(tx, 'too late'))).rejects.toThrow(DatabaseClosedError);
  expect(() => texts(database.reader)).toThrow(DatabaseClosedError);
  expect(() => database.snapshot(texts)).toThrow(DatabaseClosedError);
});

const insertWithId = queries.run((query, id: Value<number>, text: Value<string>) =>
  query.insertInto('note').values({ id, text }),
);
const journalMode = queries.row((query) => query.selectFrom('pragma_journal_mode').selectAll());
const synchronous = queries.row((query) => query.selectFrom('pragma_synchronous').selectAll());

it('All steps of a long snapshot see the moment at which it began, while changes are stored and read in between', async () => {
  const database = open(file());
  await database.write((tx) => write(tx, 'before'));
  const steps = database.longSnapshot(function* (reader) {
    const first = texts(reader);
    yield;
    return [first, texts(reader)];
  });
  expect(steps.next()).toEqual({ done: false, value: undefined });
  await database.write((tx) => write(tx, 'between'));
  expect(texts(database.reader)).toEqual(['before', 'between']);
  expect(resultOf(steps)).toEqual([['before'], ['before']]);
  expect(resultOf(database.longSnapshot(readTexts))).toEqual(['before', 'between']);
});

it('A ninth long snapshot waits until one of the eight before it ends, whether it returns or is given up', async () => {
  const database = open(file());
  const begun = Array.from({ length: 8 }, () => {
    const steps = database.longSnapshot(readTexts);
    steps.next();
    return steps;
  });
  const ninth = database.longSnapshot(readTexts);
  expect(ninth.next().done).toBe(false);
  expect(ninth.next().done).toBe(false);
  expect(() => begun[0]?.throw(new Error('given up'))).toThrow('given up');
  expect(ninth.next().done).toBe(false);
  expect(ninth.next()).toEqual({ done: true, value: [] });
  for (const steps of begun.slice(1)) expect(resultOf(steps)).toEqual([]);
});

/** SQLite ends the transaction of a connection in the same way when a read of the file fails. */
const endTransaction = queries.rows((query) => ({ compile: () => sql`ROLLBACK`.compile(query) }));
const failing = (reader: Reader) => {
  endTransaction(reader);
  throw new Error('disk I/O error');
};
function* failingSteps(reader: Reader) {
  yield;
  failing(reader);
}

it('If a read of the file fails, its error is the error of the snapshot, and later long snapshots do not wait for ever', () => {
  const database = open(file());
  for (let count = 0; count < 4; count += 1) {
    expect(() => resultOf(database.longSnapshot(failingSteps))).toThrow('disk I/O error');
  }
  expect(() => database.snapshot(failing)).toThrow('disk I/O error');
  const later = database.longSnapshot(readTexts);
  later.next();
  expect(later.next()).toEqual({ done: true, value: [] });
});

it('A long snapshot ends with a DatabaseClosedError if the database is closed between two of its steps', async () => {
  const database = open(file());
  const steps = database.longSnapshot(readTexts);
  steps.next();
  database.close();
  expect(() => steps.next()).toThrow(DatabaseClosedError);
  expect(() => database.longSnapshot(readTexts).next()).toThrow(DatabaseClosedError);
});

it.each(kinds)(
  'If one change%s does not fit into a full database, all of its transaction are rejected and no effects run',
  async (_, kind) => {
    const path = file();
    const database = open(path, { maxBytes: sixteenPages });
    const effects: string[] = [];
    const change = (text: string) =>
      database.write((tx) => {
        write(tx, text);
        tx.afterCommit(() => effects.push(text));
      }, kind);
    const outcomes = await Promise.allSettled([change('before'), change(big), change('after')]);

    const failed = { status: 'rejected', reason: expect.any(WriteFailedError) };
    expect(outcomes).toEqual([failed, failed, failed]);
    expect(effects).toEqual([]);
    database.close();
    expect(texts(open(path).reader)).toEqual([]);
  },
);

it('If a change catches the error of a full database and continues to write, nothing of the change is stored', async () => {
  const path = file();
  const database = open(path, { maxBytes: sixteenPages });
  const result = database.write((tx) => {
    try {
      write(tx, big);
    } catch {
      write(tx, 'in spite of it');
    }
  });
  await expect(result).rejects.toThrow(WriteFailedError);
  database.close();
  expect(texts(open(path).reader)).toEqual([]);
});

it('A full database stores a small change directly after it refused a large one', async () => {
  const database = open(file(), { maxBytes: sixteenPages });
  await expect(database.write((tx) => write(tx, big))).rejects.toThrow(WriteFailedError);
  await database.write((tx) => write(tx, 'small'));
  expect(texts(database.reader)).toEqual(['small']);
});

it('A full database reports that it is writable again only after a change was really stored', async () => {
  const events: unknown[] = [];
  const database = open(file(), { maxBytes: sixteenPages, report: ({ event }) => events.push(event) });
  await expect(database.write((tx) => write(tx, big))).rejects.toThrow(WriteFailedError);
  await database.write(texts);
  const half = database.write((tx) => {
    write(tx, 'half');
    throw new RangeError('not that one');
  });
  await expect(half).rejects.toThrow(RangeError);
  expect(events).toEqual(['storage_unwritable']);
  await database.write((tx) => write(tx, 'small'));
  expect(events).toEqual(['storage_unwritable', 'storage_writable_again']);
  await expect(database.write((tx) => write(tx, big))).rejects.toThrow(WriteFailedError);
  await database.probe();
  expect(events).toEqual(['storage_unwritable', 'storage_writable_again', 'storage_unwritable', 'storage_writable_again']);
});

it.each(kinds)(
  'A full database counts only the changes%s that it refused, not one that failed for its own reason or was refused before',
  async (_, kind) => {
    const reports: unknown[] = [];
    const database = open(file(), { maxBytes: sixteenPages, report: (event) => reports.push(event) });
    const outcomes = await Promise.allSettled([
      database.write(() => {
        throw new RangeError('not that one');
      }),
      database.write((tx) => write(tx, 'before'), kind),
      database.write((tx) => write(tx, big), kind),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { message: 'not that one' } },
      { reason: { fault: 'full' } },
      { reason: { fault: 'full' } },
    ]);
    await database.write((tx) => write(tx, 'small'));
    expect(reports).toMatchObject([{ event: 'storage_unwritable' }, { event: 'storage_writable_again', refused: 2 }]);
  },
);

it('After all rows of a full database are deleted, the same number of rows fits again', async () => {
  const database = open(file(), { maxBytes: sixteenPages });
  const page = '縁'.repeat(1000);
  const fill = async () => {
    let fitted = 0;
    for (;;) {
      const [outcome] = await Promise.allSettled([database.write((tx) => write(tx, page))]);
      if (outcome.status === 'rejected') return { fitted, reason: outcome.reason };
      fitted += 1;
    }
  };
  const first = await fill();
  expect(first).toEqual({ fitted: expect.any(Number), reason: expect.any(WriteFailedError) });
  expect(first.fitted).toBeGreaterThan(5);
  expect(texts(database.reader)).toHaveLength(first.fitted);

  await database.write((tx) => deleteNotes(tx));
  expect((await fill()).fitted).toBe(first.fitted);
});

it('A database that was too full for a large change stores it after it is opened with a larger limit', async () => {
  const path = file();
  const small = open(path, { maxBytes: sixteenPages });
  await expect(small.write((tx) => write(tx, big))).rejects.toThrow(WriteFailedError);
  small.close();
  const larger = open(path, { maxBytes: 100 * sixteenPages });
  await larger.write((tx) => write(tx, big));
  expect(texts(larger.reader)).toEqual([big]);
});

it('If COMMIT fails, all changes of the transaction are rejected, no effects run, and the next transaction works', async () => {
  const database = open(file());
  const effects: string[] = [];
  const change = (text: string, answers: number | null) =>
    database.write((tx) => {
      write(tx, text, answers);
      tx.afterCommit(() => effects.push(text));
    });
  const outcomes = await Promise.allSettled([change('good', null), change('answers nobody', 99)]);
  const failed = { status: 'rejected', reason: expect.any(WriteFailedError) };
  expect(outcomes).toEqual([failed, failed]);
  expect(effects).toEqual([]);
  expect(texts(database.reader)).toEqual([]);

  await change('next', null);
  expect(texts(database.reader)).toEqual(['next']);
  expect(effects).toEqual(['next']);
});

it('A change cannot write through its transaction after the change function has returned', async () => {
  const database = open(file());
  const fitted: Transaction[] = [];
  await database.write((tx) => void fitted.push(tx));
  for (const tx of fitted) expect(() => write(tx, 'later')).toThrow(WriteFailedError);
  expect(texts(database.reader)).toEqual([]);
});

it('Database.snapshot reads the state of one moment, even if another connection commits meanwhile', () => {
  const path = file();
  const database = open(path);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  const seen = database.snapshot((reader) => {
    const before = texts(reader);
    other.exec("INSERT INTO note (text) VALUES ('meanwhile')");
    return [before, texts(reader)];
  });
  expect(seen).toEqual([[], []]);
  expect(texts(database.reader)).toEqual(['meanwhile']);
});

it('Database.snapshot closes its snapshot when the callback throws', () => {
  const database = open(file());
  const failing = () =>
    database.snapshot(() => {
      throw new RangeError('seen enough');
    });
  expect(failing).toThrow(RangeError);
  expect(database.snapshot(texts)).toEqual([]);
});

describe('untilChange', () => {
  it('untilChange reads a row again only after a commit that changed one of its tables', async () => {
    const database = open(file());
    const read = vi.fn((reader: Reader, wanted: string) => texts(reader).find((text) => text === wanted));
    const textOf = database.untilChange(['note'], 2, read);
    expect(textOf('縁側')).toBeUndefined();
    await database.write((tx) => write(tx, '縁側'));
    expect([textOf('縁側'), textOf('縁側')]).toEqual(['縁側', '縁側']);
    expect(read).toHaveBeenCalledTimes(2);
    await database.write((tx) => texts(tx));
    await expect(database.write((tx) => write(tx, '返事', 77))).rejects.toThrow(WriteFailedError);
    expect(textOf('縁側')).toBe('縁側');
    expect(read).toHaveBeenCalledTimes(2);
    await database.write((tx) => deleteNotes(tx));
    expect(textOf('縁側')).toBeUndefined();
  });

  it('untilChange keeps its rows after a commit whose statements on its tables changed no row', async () => {
    const database = open(file());
    await database.write((tx) => write(tx, '縁側'));
    const read = vi.fn((reader: Reader, wanted: string) => texts(reader).find((text) => text === wanted));
    const textOf = database.untilChange(['note'], 2, read);
    const renamed = (to: string) =>
      database.write((tx) => ({ run: renameNote(tx, '返事', to), read: renameAndRead(tx, '返事', to) }));
    expect(textOf('縁側')).toBe('縁側');
    expect(await renamed('縁側')).toEqual({ run: 0, read: [] });
    expect(textOf('縁側')).toBe('縁側');
    expect(read).toHaveBeenCalledTimes(1);
    expect(await database.write((tx) => renameAndRead(tx, '縁側', '返事'))).toEqual(['返事']);
    expect(textOf('縁側')).toBeUndefined();
  });

  it('A transaction that has changed a table reads its rows itself, and the value is not remembered', async () => {
    const database = open(file());
    const textOf = database.untilChange(['note'], 2, (reader, wanted: string) => texts(reader).includes(wanted));
    const undone = database.write((tx) => {
      expect(textOf('縁側', tx)).toBe(false);
      write(tx, '縁側');
      expect([textOf('縁側', tx), textOf('縁側')]).toEqual([true, false]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(textOf('縁側')).toBe(false);
    await database.write((tx) => write(tx, '縁側'));
    await database.write((tx) => expect(textOf('縁側', tx)).toBe(true));
  });

  it('untilChange forgets all rows when there are more than it may keep', async () => {
    const database = open(file());
    await database.write((tx) => ['一', '二', '三'].map((text) => write(tx, text)));
    const read = vi.fn((_: Reader, text: string) => text);
    const textOf = database.untilChange(['note'], 2, read);
    for (const text of ['一', '二', '三', '三', '一']) expect(textOf(text)).toBe(text);
    expect(read.mock.calls.map(([, text]) => text)).toEqual(['一', '二', '三', '一']);
  });
});

describe('Migrations', () => {
  const addColour = 'ALTER TABLE note ADD COLUMN colour TEXT';

  it('Opening a database runs only the migrations that have not run before', async () => {
    const path = file();
    const first = open(path);
    await first.write((tx) => write(tx, 'kept'));
    first.close();
    open(path, { migrations: [notes, addColour] }).close();
    expect(texts(open(path, { migrations: [notes, addColour] }).reader)).toEqual(['kept']);
  });

  it('If one migration fails, none of the new migrations is applied', () => {
    const path = file();
    open(path).close();
    expect(() => open(path, { migrations: [notes, addColour, 'this is not SQL'] })).toThrow('syntax error');
    open(path, { migrations: [notes, addColour] });
  });

  it('An older version of the software refuses to open a database that a newer version has migrated', () => {
    const path = file();
    open(path, { migrations: [notes, addColour] }).close();
    expect(() => open(path)).toThrow(NewerDatabaseError);
  });
});

/**
 * Counts commits in the write-ahead log since the call. The last frame of a commit has the size of the database in
 * its header.
 */
function countCommits(path: string): () => number {
  const before = commitsIn(path);
  return () => commitsIn(path) - before;
}

function commitsIn(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const pageSize = log.length < 32 ? 0 : log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= log.length; frame += 24 + pageSize) {
    if (log.readUInt32BE(frame + 4) > 0) commits += 1;
  }
  return commits;
}

/** A change that writes a note, waits for `goOn`, and writes another. */
function longChange(database: Database, fault?: Error) {
  const held = { isHeld: true };
  const done = database.writeInSteps(function* (tx) {
    write(tx, 'first');
    while (held.isHeld) yield;
    if (fault) throw fault;
    write(tx, 'last');
    return texts(tx);
  });
  return { done, goOn: () => (held.isHeld = false) };
}
const nextTurn = () => new Promise((resolve) => void setTimeout(resolve));

describe('writeInSteps()', () => {
  it('Readers see nothing of a change in steps before its last step, and other changes wait for it', async () => {
    const database = open(file());
    const before = database.write((tx) => write(tx, 'before'));
    const { done, goOn } = longChange(database);
    const later = database.write((tx) => texts(tx));
    await before;
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(texts(database.reader)).toEqual(['before']);
    goOn();
    expect(await done).toEqual(['before', 'first', 'last']);
    expect(await later).toEqual(['before', 'first', 'last']);
  });

  it('A change in steps that throws leaves nothing, and the changes that waited for it are committed', async () => {
    const database = open(file());
    const { done, goOn } = longChange(database, new RangeError('not that one'));
    const refused = expect(done).rejects.toThrow('not that one');
    const later = database.write((tx) => write(tx, 'later'));
    await nextTurn();
    goOn();
    await refused;
    await later;
    expect(texts(database.reader)).toEqual(['later']);
  });

  it('A short change in steps shares a commit with other changes', async () => {
    const path = file();
    const database = open(path);
    const commits = countCommits(path);
    const short = database.writeInSteps(
      function* (tx) {
        write(tx, 'first');
        yield;
        return texts(tx);
      },
      { isShort: true },
    );
    await database.write((tx) => write(tx, 'later'));
    expect(await short).toEqual(['first']);
    expect(commits()).toBe(1);
  });

  it('The pages of a change in steps are written into the database file before the next change in steps, or by the next commit', async () => {
    const path = file();
    const database = open(path);
    // More than 4,000 pages.
    const fill = () =>
      database.writeInSteps(function* (tx) {
        for (let count = 0; count < 60; count += 1) {
          write(tx, big);
          yield;
        }
      });
    /** Changes in steps whose pages are in the database file. */
    const written = () => Math.floor(statSync(path).size / (60 * Buffer.byteLength(big)));
    await fill();
    expect(written()).toBe(0);
    await database.write((tx) => texts(tx));
    await fill();
    expect(written()).toBe(1);
    await fill();
    expect(written()).toBe(2);
    await database.write((tx) => write(tx, 'short'));
    expect(written()).toBe(3);
  });

  it('close() ends a change in steps and the changes that wait for it', async () => {
    const path = file();
    const database = open(path);
    const { done, goOn } = longChange(database);
    const later = [database.write((tx) => write(tx, 'later')), longChange(database)] as const;
    await nextTurn();
    goOn();
    later[1].goOn();
    database.close();
    await Promise.all([done, later[0], later[1].done]);
    expect(texts(open(path).reader)).toEqual(['first', 'last', 'later', 'first', 'last']);
  });
});
