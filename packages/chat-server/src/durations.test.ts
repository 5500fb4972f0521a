import { expect, it } from 'vitest';
import { Durations } from './durations.ts';

it('Durations are counted in the class of the first bound that is not shorter, and the longest ones after the last bound', () => {
  const durations = new Durations();
  for (const milliseconds of [0, 1, 1.1, 6000]) durations.note(milliseconds);
  expect(durations.classes).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 1]);
  expect(durations.classes).toHaveLength(Durations.bounds.length + 1);
  expect([durations.count, durations.seconds]).toEqual([4, expect.closeTo(6.0021)]);
});
