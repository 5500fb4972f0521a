import { expect, it } from 'vitest';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { EventLog } from './log.ts';

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

it('EventLog.pagesAfter() returns the same events from its cache as a direct read, for every start and limit', async () => {
  const { log, append, reader, newest } = await logOf(2600);
  for (const round of [1, 2]) {
    const ends = newest();
    for (const from of [0, 1, 49, 50, 940, 999, 1000, 1001, 1950, 2000, ends - 60, ends - 50, ends - 1, ends]) {
      for (const most of [1, 50, 51, 700, 1000, 5000]) {
        expect(log.pagesAfter(reader, from, most), `${round}: ${from} ${most}`).toEqual(log.after(reader, from, most));
      }
    }
    // Later events extend the last page, which was not full.
    await append(700);
  }
});

it('EventLog removes a cached page that no reader used between two sweeps, and reads it from the database again', async () => {
  const { log, reader } = await logOf(1500);
  const whole = () => log.pagesAfter(reader, 0, 1000).at(500);
  const first = whole();
  log.evictPages();
  expect(whole()).toBe(first);
  log.evictPages();
  log.evictPages();
  expect(whole()).not.toBe(first);
  expect(whole()).toEqual(first);
});

it('EventLog.pagesAfter() begins with the oldest stored event after older events were deleted', async () => {
  const { log, reader, database, newest } = await logOf(1500);
  await database.write((tx) => log.prune(tx, Number.MAX_SAFE_INTEGER, 300));
  const { pruned } = log.bounds(reader);
  const ids = log.pagesAfter(reader, pruned, 5000).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: newest() - pruned }, (_, index) => pruned + 1 + index));
});
