import { maxStatusSeconds } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { japan } from '../../model/people/zone.ts';
import { endOf, faultOf, fieldTime } from './statusEnd.ts';

const now = Date.parse('2026-11-20T14:03:30+09:00') / 1000;
const inNewYork = (time: string) => Date.parse(`${time}-05:00`) / 1000;
const inJapan = (time: string) => Date.parse(`${time}+09:00`) / 1000;

describe('the end of a status', () => {
  it.each([
    ['never', undefined],
    ['halfHour', inJapan('2026-11-20T14:33:30')],
    ['hour', inJapan('2026-11-20T15:03:30')],
    ['today', inJapan('2026-11-20T23:59:59')],
    ['at', inJapan('2026-11-24T09:00:00')],
  ] as const)('[R2.24.1] endOf returns the end of a status for the choice %s', (end, expected) => {
    expect(endOf(end, now, '2026-11-24T09:00', japan)).toBe(expected);
  });

  it('[R2.24.1] A status for today that is set just after midnight in Japan ends at the next midnight', () => {
    expect(endOf('today', inJapan('2026-11-20T00:00:00'), '', japan)).toBe(inJapan('2026-11-20T23:59:59'));
  });

  it.each([
    ['never', undefined, undefined],
    ['at', undefined, 'past'],
    ['at', now, 'past'],
    ['at', now + 1, undefined],
    ['at', now + maxStatusSeconds, undefined],
    ['at', now + maxStatusSeconds + 1, 'far'],
  ] as const)(
    '[R2.24.1] faultOf accepts an end of a status that is in the future and not too far: %s, %s',
    (end, until, fault) => {
      expect(faultOf(end, until, now)).toBe(fault);
    },
  );

  it('[R2.24.1] A status has no end if the member leaves the field for its end empty', () => {
    expect(endOf('at', now, '', japan)).toBeUndefined();
  });

  it('[R9.5] The field for the end of a status shows Japan time', () => {
    expect(fieldTime(now, japan)).toBe('2026-11-20T14:03');
    expect(endOf('at', now, fieldTime(now, japan), japan)).toBe(inJapan('2026-11-20T14:03:00'));
  });

  it('[R9.5] The end of a status is computed in the time zone of the member', () => {
    const zone = 'America/New_York';
    expect(fieldTime(now, zone)).toBe('2026-11-20T00:03');
    expect(endOf('at', now, '2026-11-24T09:00', zone)).toBe(inNewYork('2026-11-24T09:00:00'));
    expect(endOf('today', now, '', zone)).toBe(inNewYork('2026-11-20T23:59:59'));
  });
});
