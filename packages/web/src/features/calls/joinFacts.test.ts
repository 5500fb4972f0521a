import { expect, it } from 'vitest';
import { exampleCallState } from '../../../test/exampleCall.ts';
import { ai, ken, mai, sessionOf } from '../../../test/organisation.ts';
import { initialState } from '../../model/state.ts';
import { selectCallLimits, selectNobodyOnline } from './joinFacts.ts';

const now = 1_700_000_000;
const members = [ai, ken, mai].map(({ user_id }) => user_id);
const seen = (seconds: number) => ({ active: now - seconds, idle: now - seconds });

/** The state of 田中 愛 in which others were last seen so many seconds ago. */
function stateWith(...others: readonly (readonly [userId: number, seconds: number])[]) {
  const presences = new Map(others.map(([userId, seconds]) => [userId, seen(seconds)]));
  return { ...initialState(sessionOf(ai, [])), now, presences };
}

it('[R2.10] Nobody is online if all others were last seen long ago, whether the member is online or not', () => {
  const away = stateWith([ai.user_id, 0], [ken.user_id, 100_000], [mai.user_id, 100_000]);
  expect(selectNobodyOnline(away, members)).toBe(true);
  const present = stateWith([ai.user_id, 0], [ken.user_id, 100_000], [mai.user_id, 1]);
  expect(selectNobodyOnline(present, members)).toBe(false);
});

it('A member whose presence is unknown may be online', () => {
  expect(selectNobodyOnline(stateWith([ken.user_id, 100_000]), members)).toBe(false);
  expect(selectNobodyOnline(stateWith(), [ai.user_id])).toBe(false);
});

it('[R2.10] The limits are those of the ongoing call, or of the smallest engine that has room for all members', () => {
  const engines = [
    { engine: 'mesh', participants: 8, cameras: 6 },
    { engine: 'sfu', participants: 16, cameras: 16 },
  ] as const;
  const state = { ...stateWith(), callEngines: [...engines] };
  const [mesh, sfu] = engines;
  expect([2, 8, 9, 17].map((count) => selectCallLimits(state, 7, count))).toEqual([mesh, mesh, sfu, sfu]);
  const limits = { participants: 50, cameras: 50 };
  expect(selectCallLimits({ ...state, calls: new Map([[7, exampleCallState({ limits })]]) }, 7, 2)).toBe(limits);
});
