import { expect, it } from 'vitest';
import { durationOf, limitsWith, offeredLimits } from './limits.ts';

it('[I7.2] offers the current limit even if it is not one of the usual limits', () => {
  expect(limitsWith(3600)).toEqual(offeredLimits);
  expect(limitsWith(900)).toEqual([null, 600, 900, 3600, 86_400, 604_800]);
});

it('[I7.2] shows a limit in the largest unit without a remainder', () => {
  expect([604_800, 7200, 900, 90].map(durationOf)).toEqual([
    { unit: 'days', count: 7 },
    { unit: 'hours', count: 2 },
    { unit: 'minutes', count: 15 },
    { unit: 'seconds', count: 90 },
  ]);
});
