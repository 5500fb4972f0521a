import { expect, it } from 'vitest';
import { japan } from '../../model/people/zone.ts';
import { localTimeAt } from './localTime.ts';

const now = Date.parse('2026-11-20T14:03:30+09:00');

it.each([
  ['America/New_York', '00:03'],
  ['Europe/Berlin', '06:03'],
  ['Asia/Kolkata', '10:33'],
  ['UTC', '05:03'],
])('[R2.24.1] The local time of a member in %s is %s', (zone, clock) => {
  expect(localTimeAt('ja-JP', zone, now, japan).clock).toBe(clock);
});

it('localTimeAt names the time zone in the language of the interface', () => {
  expect(localTimeAt('ja-JP', 'America/New_York', now, japan).zone).toBe('米国東部時間');
  expect(localTimeAt('en-GB', 'America/New_York', now, japan).zone).toBe('Eastern Time');
});

it.each(['Asia/Tokyo', '', 'Nowhere/Land'])(
  '[R9.5] localTimeAt returns Japan time for the time zone “%s”, without its name for a reader in Japan',
  (zone) => {
    expect(localTimeAt('ja-JP', zone, now, japan)).toEqual({ clock: '14:03', zone: undefined });
    expect(localTimeAt('ja-JP', zone, now, 'America/New_York')).toEqual({ clock: '14:03', zone: '日本標準時' });
  },
);

it('[R9.5] localTimeAt names a zone that differs from the reader’s, even if both have the same time', () => {
  expect(localTimeAt('ja-JP', 'America/New_York', now, 'America/New_York')).toEqual({ clock: '00:03', zone: undefined });
  expect(localTimeAt('ja-JP', 'Asia/Seoul', now, japan)).toEqual({ clock: '14:03', zone: '韓国標準時' });
});
