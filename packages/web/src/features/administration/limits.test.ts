import { expect, it } from 'vitest';
import { durationOf, limitsWith, offeredLimits } from './limits.ts';

it('[I7.2] The choice of a time limit includes the current one even if it is unusual', () => {
  expect(limitsWith(3600)).toEqual(offeredLimits);
  expect(limitsWith(900)).toEqual([null, 600, 900, 3600, 86_400, 604_800]);
});

it('[I7.2] A time limit is shown in the largest unit without a remainder', () => {
  expect([604_800, 7200, 900, 90].map(durationOf)).toEqual([
    { unit: 'days', count: 7 },
    { unit: 'hours', count: 2 },
    { unit: 'minutes', count: 15 },
    { unit: 'seconds', count: 90 },
  ]);
});
