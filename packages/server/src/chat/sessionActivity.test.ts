import { expect, it } from 'vitest';
import { SessionActivities } from './sessionActivity.ts';

it('[R2.25.1] The end of a session refuses its unfinished calls with 401, like every later call', () => {
  const activities = new SessionActivities();
  const [finished, unfinished] = [new AbortController(), new AbortController()];
  activities.of('own').add(finished)();
  activities.of('own').add(unfinished);
  activities.end('own');
  expect(finished.signal.aborted).toBe(false);
  expect(unfinished.signal.reason).toMatchObject({ name: 'ChatError', status: 401, code: 'UNAUTHORIZED' });
});
it('A call that begins to wait after its session has ended is aborted at once', () => {
  const activities = new SessionActivities();
  const activity = activities.of('phone');
  const [early, late] = [new AbortController(), new AbortController()];
  activity.add(early);
  activities.end('phone');
  activity.add(late);
  expect([early.signal.aborted, late.signal.aborted]).toEqual([true, true]);
});
