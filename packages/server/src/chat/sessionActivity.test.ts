import { expect, it } from 'vitest';
import { SessionActivities } from './sessionActivity.ts';

it('A call that begins to wait after its session has ended is aborted at once', () => {
  const activities = new SessionActivities();
  const activity = activities.of('phone');
  const [early, late] = [new AbortController(), new AbortController()];
  activity.add(early);
  activities.end('phone');
  activity.add(late);
  expect([early.signal.aborted, late.signal.aborted]).toEqual([true, true]);
});
