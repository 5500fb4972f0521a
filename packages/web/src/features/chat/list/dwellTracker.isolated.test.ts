import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDwellTracker, dwellMs } from './dwellTracker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const told: (readonly number[])[] = [];
  let isThere = true;
  const dwelling = createDwellTracker<number>(
    () => isThere,
    (keys) => void told.push(keys),
  );
  return { dwelling, told, leave: () => void (isThere = false), comeBack: () => void (isThere = true) };
}

it('[R4.6] The dwell tracker reports messages that were visible long enough in one call, and only once', () => {
  const { dwelling, told } = watched();
  dwelling.see([1, 2]);
  vi.advanceTimersByTime(dwellMs - 1);
  expect([told, dwelling.hasStayed(1)]).toEqual([[], false]);
  vi.advanceTimersByTime(1);
  expect([told, dwelling.hasStayed(1)]).toEqual([[[1, 2]], true]);
  dwelling.see([1, 2]);
  vi.advanceTimersByTime(2 * dwellMs);
  expect(told).toEqual([[1, 2]]);
});

it('[R4.6] The dwell tracker times each message separately while others appear and disappear', () => {
  const { dwelling, told } = watched();
  dwelling.see([1, 2]);
  vi.advanceTimersByTime(dwellMs - 100);
  dwelling.see([2, 3]);
  vi.advanceTimersByTime(100);
  expect(told).toEqual([[2]]);
  vi.advanceTimersByTime(dwellMs);
  expect(told).toEqual([[2], [3]]);
});

it('[R4.6] The dwell tracker restarts the time of a message that disappeared and appeared again', () => {
  const { dwelling, told } = watched();
  dwelling.see([1]);
  vi.advanceTimersByTime(dwellMs - 100);
  dwelling.see([]);
  dwelling.see([1]);
  vi.advanceTimersByTime(dwellMs - 100);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(told).toEqual([[1]]);
});

it('[R4.6] The dwell tracker reports nothing while the member is inactive', () => {
  const { dwelling, told, leave, comeBack } = watched();
  dwelling.see([1]);
  leave();
  vi.advanceTimersByTime(dwellMs);
  comeBack();
  expect([told, dwelling.hasStayed(1)]).toEqual([[], false]);
  dwelling.see([1]);
  vi.advanceTimersByTime(dwellMs);
  expect(told).toEqual([[1]]);
});

it('[R4.6] The dwell tracker reports nothing after it is stopped', () => {
  const { dwelling, told } = watched();
  dwelling.see([1]);
  dwelling.stop();
  vi.advanceTimersByTime(dwellMs);
  expect(told).toEqual([]);
});
