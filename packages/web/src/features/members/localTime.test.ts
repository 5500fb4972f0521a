import { expect, it } from 'vitest';
import { japan } from '../../model/people/zone.ts';
import { localTimeAt } from './localTime.ts';

const now = Date.parse('2026-11-20T14:03:30+09:00');

it.each([
  ['America/New_York', '00:03'],
  ['Europe/Berlin', '06:03'],
  ['Asia/Kolkata', '10:33'],
  ['UTC', '05:03'],
])('[R2.24.1] the local time in %s is %s', (zone, clock) => {
  expect(localTimeAt('ja-JP', zone, now, japan).clock).toBe(clock);
});

it('the zone is named in the language of the interface', () => {
  expect(localTimeAt('ja-JP', 'America/New_York', now, japan).zone).toBe('米国東部時間');
  expect(localTimeAt('en-GB', 'America/New_York', now, japan).zone).toBe('Eastern Time');
});

it.each(['Asia/Tokyo', '', 'Nowhere/Land'])(
  '[R9.5] the zone “%s” shows the time of Japan, and no zone name to a reader in Japan',
  (zone) => {
    expect(localTimeAt('ja-JP', zone, now, japan)).toEqual({ clock: '14:03', zone: undefined });
    expect(localTimeAt('ja-JP', zone, now, 'America/New_York')).toEqual({ clock: '14:03', zone: '日本標準時' });
  },
);

it('[R9.5] the zone of the reader is not named, and another zone with equal time is named', () => {
  expect(localTimeAt('ja-JP', 'America/New_York', now, 'America/New_York')).toEqual({ clock: '00:03', zone: undefined });
  expect(localTimeAt('ja-JP', 'Asia/Seoul', now, japan)).toEqual({ clock: '14:03', zone: '韓国標準時' });
});
