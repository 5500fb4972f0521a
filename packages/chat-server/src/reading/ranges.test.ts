import { expect, it } from 'vitest';
import { type Random, seeded } from '../testing/random.ts';
import {
  type Range,
  type ReadRanges,
  add,
  appended,
  difference,
  divided,
  gaps,
  includes,
  includesAll,
  lastRead,
  mostCharacters,
  parseRanges,
  remove,
  union,
  writeRanges,
} from './ranges.ts';

const highest = 40;
const everyId = Array.from({ length: highest + 2 }, (_, id) => id);

function someRange(random: Random): Range {
  const first = 1 + random.below(highest);
  return [first, first + random.below(highest + 1 - first)];
}

const idsOf = ([first, last]: Range): number[] => everyId.filter((id) => id >= first && id <= last);

it('After random calls of add() and remove(), read ranges contain the same ids as a Set with the same changes', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = seeded(seed);
    const set = new Set<number>();
    let ranges: ReadRanges = [];
    for (let step = 0; step < 60; step += 1) {
      const range = someRange(random);
      const adding = random.chance(0.55);
      ranges = adding ? add(ranges, range) : remove(ranges, range);
      for (const id of idsOf(range)) {
        if (adding) set.add(id);
        else set.delete(id);
      }
      const held = everyId.filter((id) => includes(ranges, id));
      expect(held, `seed ${seed}, step ${step}`).toEqual([...set].toSorted(ascending));
      expectCanonical(ranges);
      const asked = someRange(random);
      const heldOfAsked = new Set(idsOf(asked).map((id) => set.has(id)));
      expect(includesAll(ranges, ...asked)).toBe(heldOfAsked.size === 1 ? heldOfAsked.has(true) : undefined);
      expectGaps(ranges, set, someRange(random));
    }
  }
});

it('union() and difference() of random read ranges contain the same ids as the operations on sets', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    const some = (): ReadRanges => Array.from({ length: random.below(8) }, () => someRange(random)).reduce<ReadRanges>(add, []);
    const [one, other] = [some(), some()];
    const heldBy = (ranges: ReadRanges) => everyId.filter((id) => includes(ranges, id));
    const inEither = everyId.filter((id) => includes(one, id) || includes(other, id));
    expect(heldBy(union(one, other)), `seed ${seed}`).toEqual(inEither);
    expect(heldBy(difference(one, other)), `seed ${seed}`).toEqual(
      everyId.filter((id) => includes(one, id) && !includes(other, id)),
    );
    expectCanonical(union(one, other));
    expectCanonical(difference(one, other));
  }
});

it('add() keeps one read range while messages are read in order', () => {
  const read = everyId.slice(1).reduce<ReadRanges>((ranges, id) => add(ranges, [id, id]), []);
  expect(read).toEqual([[1, highest + 1]]);
});

it('gaps() finds no gap if there is no id between its bounds', () => {
  expect(gaps([], 7, 7)).toEqual([]);
  expect(gaps([], 8, 7)).toEqual([]);
  expect(gaps([], 7, 8)).toEqual([[8, 8]]);
});

it('appended() adds random ranges to the end of written read ranges, and returns undefined if they begin before the last', () => {
  const random = seeded(5);
  let appendedCount = 0;
  for (let round = 0; round < 400; round += 1) {
    const ranges = Array.from({ length: random.below(4) }).reduce<ReadRanges>((all) => add(all, someRange(random)), []);
    const more = Array.from({ length: 1 + random.below(3) }, () => someRange(random)).toSorted(([one], [other]) => one - other);
    const written = appended(writeRanges(ranges), more);
    const isBefore = (more[0]?.[0] ?? 0) < (ranges.at(-1)?.[0] ?? 0);
    expect(written === undefined).toBe(isBefore);
    if (written === undefined) continue;
    expect(parseRanges(written)).toEqual(union(ranges, more));
    appendedCount += 1;
  }
  expect(appendedCount).toBeGreaterThan(50);
});

it('divided() keeps all ranges in order, in as few written blocks of at most `mostCharacters` as their order allows', () => {
  const ranges = Array.from({ length: 500 }, (_, index): Range => [index * 7, index * 7 + 3]);
  const blocks = divided(ranges);
  expect(blocks.flat()).toEqual(ranges);
  const lengths = blocks.map((block) => writeRanges(block).length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(mostCharacters);
  expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(mostCharacters * 0.8);
  expect(divided([])).toEqual([[]]);
});

it('lastRead() returns the last id of written read ranges, or 0 if there are none', () => {
  expect(
    [
      writeRanges([]),
      writeRanges([[3, 9]]),
      writeRanges([
        [3, 9],
        [12, 1_000_000],
      ]),
    ].map(lastRead),
  ).toEqual([0, 9, 1_000_000]);
});

it('parseRanges() returns the read ranges that writeRanges() wrote', () => {
  const ranges = add(add([], [3, 9]), [12, 12]);
  expect(parseRanges(writeRanges(ranges))).toEqual(ranges);
});

const ascending = (one: number, other: number): number => one - other;

/** Ascending, not empty, and separated by at least one id. */
function expectCanonical(ranges: ReadRanges): void {
  let last = -1;
  for (const range of ranges) {
    expect(range[0]).toBeGreaterThan(last + 1);
    expect(range[1]).toBeGreaterThanOrEqual(range[0]);
    last = range[1];
  }
}

function expectGaps(ranges: ReadRanges, set: ReadonlySet<number>, [after, upTo]: Range): void {
  const open = gaps(ranges, after, upTo);
  expect(open.flatMap(idsOf)).toEqual(everyId.filter((id) => id > after && id <= upTo && !set.has(id)));
  expectCanonical(open);
}
