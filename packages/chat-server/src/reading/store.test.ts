import { expect, it } from 'vitest';
import type { Reader } from '../database/index.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { seeded } from '../testing/random.ts';
import { type Range, type ReadRanges, add, difference, includes, union } from './ranges.ts';
import { readStates } from './store.ts';

const highest = 6000;

async function setup() {
  const server = await eg.server();
  const { database } = fileOf(server);
  return { database, place: [server.user('sato'), server.stream(eg.general)] as const };
}

function expectSame(reader: Reader, [userId, conversationId]: readonly [number, number], expected: ReadRanges): void {
  expect(readStates.ranges(reader, userId, conversationId)).toEqual(expected);
  const random = seeded(expected.length);
  const ids = [...Array.from({ length: 40 }, () => random.below(highest)), 1, highest * 2];
  const inRanges = readStates.rangesOf(reader, conversationId, [userId]);
  expect(ids.map((id) => inRanges(userId, id, id))).toEqual(ids.map((id) => includes(expected, id)));
}

it('Read ranges in blocks contain the same messages as ranges in one list after random appends and changes', async () => {
  const { database, place } = await setup();
  const random = seeded(7);
  let expected: ReadRanges = [];
  let most = 0;
  for (let step = 0; step < 1500; step += 1) {
    const first = 1 + random.below(highest);
    const last = first + random.below(random.chance(0.03) ? highest : 3);
    const changed: Range[] = random.chance(0.3)
      ? [[first, last]]
      : [
          [first, first],
          [last + 5, last + 5],
        ];
    const apply = random.chance(0.7) ? union : difference;
    await database.write((tx) => readStates.change(tx, ...place, changed, apply));
    expected = apply(expected, changed);
    const next = random.chance(0.8) ? step * 4 + 1 : first + random.below(20);
    const more: Range = [next, next + random.below(3)];
    await database.write((tx) => readStates.add(tx, ...place, [more]));
    expected = add(expected, more);
    most = Math.max(most, expected.length);
    if (step % 10 === 0) expectSame(database.reader, place, expected);
  }
  expectSame(database.reader, place, expected);
  // Guards against a history without several blocks.
  expect(most).toBeGreaterThan(300);
});
