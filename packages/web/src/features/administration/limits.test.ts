import { expect, it } from 'vitest';
import { durationOf, limitsWith, offeredLimits } from './limits.ts';

it('[I7.2] The choice of time limits includes the current limit even if it is not one of the offered limits', () => {
  expect(limitsWith(3600)).toEqual(offeredLimits);
  expect(limitsWith(900)).toEqual([null, 600, 900, 3600, 86_400, 604_800]);
});

it('[I7.2] A time limit is shown in the largest unit that divides it without a remainder', () => {
  expect([604_800, 7200, 900, 90].map(durationOf)).toEqual([
    { unit: 'days', count: 7 },
    { unit: 'hours', count: 2 },
    { unit: 'minutes', count: 15 },
    { unit: 'seconds', count: 90 },
  ]);
});
