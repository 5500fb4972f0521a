import { expect, it } from 'vitest';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { advanceTaskTime, stopTaskTime } from '../testing/taskTime.ts';
import type { Reader } from '../database/index.ts';
import { EventLog, type EventRow } from './log.ts';

async function logOf(count: number) {
  const { database } = fileOf(await eg.server());
  const log = new EventLog(fakeClock());
  const append = (times: number) =>
    database.write((tx) => {
      for (let time = 0; time < times; time += 1) log.append(tx, { type: 'realm', reach: 'everyone', payload: { time } });
    });
  await append(count);
  const { reader } = database;
  return { log, append, reader, database, newest: () => log.bounds(reader).newest };
}

/** What `rangeFor` returns for a user, until the end of the log. */
function eventsFor(log: EventLog, reader: Reader, after: number, userId: number, conversationIds?: readonly number[]) {
  const { newest } = log.bounds(reader);
  const rows: EventRow[] = [];
  for (let upTo = after; upTo < newest;) {
    const range = log.rangeFor(reader, upTo, newest, userId, conversationIds && (() => conversationIds));
    rows.push(...range.rows);
    expect(range.isAll).toBe(range.upTo === newest);
    upTo = range.upTo;
  }
  return rows;
}

it('EventLog.rangeFor() returns the same events from its pages as a direct read, from every start', async () => {
  const { log, append, reader, newest } = await logOf(2600);
  for (const round of [1, 2]) {
    const ends = newest();
    for (const from of [0, 1, 49, 50, 940, 999, 1000, 1001, 1950, 2000, ends - 60, ends - 50, ends - 1, ends]) {
      expect(eventsFor(log, reader, from, 1), `${round}: ${from}`).toEqual(log.after(reader, from, 5000));
    }
    // Later events extend the last page, which was not full.
    await append(700);
  }
});

it('EventLog.rangeFor() reads no further page after 5 ms, and otherwise reads four', async () => {
  const { log, database, reader, newest } = await logOf(0);
  await database.write((tx) => {
    for (let time = 0; time < 3500; time += 1) log.append(tx, { type: 'realm', reach: 'self', reachId: 2, payload: {} });
  });
  const last = newest();
  const endsOfRanges = () => {
    const ends = [];
    for (let upTo = 0; upTo < last; ends.push(upTo)) upTo = log.rangeFor(reader, upTo, last, 1, () => []).upTo;
    return ends;
  };
  stopTaskTime();
  expect(endsOfRanges()).toEqual([last]);
  advanceTaskTime(5);
  expect(endsOfRanges()).toEqual([1000, 2000, 3000, last]);
});

it('EventLog.rangeFor() leaves out events that reach only other users or the members of other conversations', async () => {
  const { log, database, reader, newest } = await logOf(0);
  const before = newest();
  await database.write((tx) => {
    for (let time = 0; time < 50; time += 1) {
      for (const reach of ['self', 'members', 'viewers', 'everyone', 'members_without_guests'] as const) {
        for (const reachId of [1, 2, 3]) log.append(tx, { type: 'realm', reach, reachId, payload: {} });
      }
    }
  });
  const reaching = log
    .after(reader, before, 5000)
    .filter(({ reach, reach_id: id }) => (reach === 'self' ? id === 2 : reach === 'members' ? id === 1 || id === 3 : true));
  expect(eventsFor(log, reader, before, 2, [1, 3])).toEqual(reaching);
  const ofAll = log.after(reader, before, 5000).filter(({ reach, reach_id: id }) => reach !== 'self' || id === 2);
  expect(eventsFor(log, reader, before, 2)).toEqual(ofAll);
});

it('EventLog removes cached pages that no reader used between two sweeps, and reads them from the database again', async () => {
  const { log, reader, newest } = await logOf(1500);
  const first = () => log.rangeFor(reader, 0, newest(), 1, () => []).rows.at(0);
  const read = first();
  log.evictPages();
  expect(first()).toBe(read);
  log.evictPages();
  log.evictPages();
  expect(first()).not.toBe(read);
  expect(first()).toEqual(read);
});

it.each([
  ['keeps the pages between members who are far apart', 10, true],
  ['forgets the oldest page when the payloads of all pages become too long', 1000, false],
])('EventLog %s', async (_, length, isKept) => {
  const { log, database, reader, newest } = await logOf(0);
  await database.write((tx) => {
    const payload = { text: 'x'.repeat(length) };
    for (let time = 0; time < 14_000; time += 1) log.append(tx, { type: 'realm', reach: 'everyone', payload });
  });
  const first = () => log.rangeFor(reader, 0, newest(), 1, () => []).rows.at(0);
  const read = first();
  eventsFor(log, reader, 0, 1, []);
  expect(first() === read).toBe(isKept);
});

async function logWithLongPayloads() {
  const opened = await logOf(1500);
  const before = opened.newest();
  const payload = { text: 'x'.repeat(300_000) };
  await opened.database.write((tx) => {
    for (let time = 0; time < 60; time += 1) opened.log.append(tx, { type: 'realm', reach: 'self', reachId: 2, payload });
  });
  return { ...opened, before };
}

it('Long payloads for a single member take no place from the pages of other members', async () => {
  const { log, reader, newest } = await logWithLongPayloads();
  const first = () => log.rangeFor(reader, 0, newest(), 1, () => []).rows.at(0);
  const read = first();
  eventsFor(log, reader, 0, 1, []);
  expect(first()).toBe(read);
});

it('EventLog.rangeFor() returns the whole payloads for its member alone, and ends once they exceed a million characters', async () => {
  const { log, reader, before, newest } = await logWithLongPayloads();
  const { rows, upTo, isAll } = log.rangeFor(reader, before, newest(), 2, () => []);
  expect({ rows: rows.length, upTo, isAll }).toEqual({ rows: 4, upTo: before + 4, isAll: false });
  expect(eventsFor(log, reader, before, 2, [])).toEqual(log.after(reader, before, 60));
  expect(eventsFor(log, reader, before, 2)).toEqual(log.after(reader, before, 60));
});

it('EventLog.rangeFor() begins with the oldest stored event after older events were deleted', async () => {
  const { log, reader, database, newest } = await logOf(1500);
  await database.write((tx) => log.prune(tx, Number.MAX_SAFE_INTEGER, 300));
  const { pruned } = log.bounds(reader);
  const ids = eventsFor(log, reader, pruned, 1).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: newest() - pruned }, (_, index) => pruned + 1 + index));
});
