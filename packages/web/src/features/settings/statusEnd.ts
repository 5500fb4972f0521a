/** The end of a status. Days and times are those of the member's zone (R9.5). */
import { maxStatusSeconds } from '@engawa/protocol';
import { beginIn, dayIn, momentIn, offsetIn } from '../../model/people/zone.ts';

export const statusEnds = ['never', 'halfHour', 'hour', 'today', 'at'] as const;
export type StatusEnd = (typeof statusEnds)[number];

/** In Unix seconds; undefined if the status has no end or `at` is no time. @param at `2026-11-20T15:00` */
export function endOf(end: StatusEnd, now: number, at: string, zone: string): number | undefined {
  switch (end) {
    case 'never':
      return undefined;
    case 'halfHour':
      return now + 1800;
    case 'hour':
      return now + 3600;
    case 'today':
      return beginIn(zone, dayIn(zone, now) + 1) - 1;
    case 'at': {
      const milliseconds = Date.parse(`${at}Z`);
      return Number.isNaN(milliseconds) ? undefined : momentIn(zone, milliseconds / 1000);
    }
  }
}

export function faultOf(end: StatusEnd, until: number | undefined, now: number): 'past' | 'far' | undefined {
  if (end === 'never') return undefined;
  if (until === undefined || until <= now) return 'past';
  return until > now + maxStatusSeconds ? 'far' : undefined;
}

export function fieldTime(timestamp: number, zone: string): string {
  return new Date((timestamp + offsetIn(zone, timestamp)) * 1000).toISOString().slice(0, 16);
}
