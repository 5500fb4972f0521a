/** Until when a status lasts, as it is chosen. Days and clocks are Japan's (R9.5). */
import { japanOffsetSeconds } from '../../model/constants.ts';

export const statusEnds = ['never', 'halfHour', 'hour', 'today', 'at'] as const;
export type StatusEnd = (typeof statusEnds)[number];

const secondsInDay = 86_400;

/**
 * @param now Unix seconds. @param at As a field of the browser has it: `2026-11-20T15:00`.
 * @returns unix seconds; undefined where it has no end, or `at` names no time.
 */
export function endOf(end: StatusEnd, now: number, at: string): number | undefined {
  switch (end) {
    case 'never':
      return undefined;
    case 'halfHour':
      return now + 1800;
    case 'hour':
      return now + 3600;
    case 'today': {
      const day = Math.floor((now + japanOffsetSeconds) / secondsInDay);
      // The last second that bears the day's date.
      return (day + 1) * secondsInDay - japanOffsetSeconds - 1;
    }
    case 'at': {
      const milliseconds = Date.parse(`${at}Z`);
      return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000 - japanOffsetSeconds;
    }
  }
}

/** The time as a field of the browser has it, in Japan. */
export function fieldTime(timestamp: number): string {
  return new Date((timestamp + japanOffsetSeconds) * 1000).toISOString().slice(0, 16);
}
