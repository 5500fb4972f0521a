import { expect, it } from 'vitest';
import { zoneNamed, zones } from './zones.ts';

it('[R9.5] The choice of time zones lists Japan first, and each zone once', () => {
  expect(zones()[0]).toBe('Asia/Tokyo');
  expect(new Set(zones()).size).toBe(zones().length);
});

it.each([
  ['europe/paris', 'Europe/Paris'],
  [' Asia/Tokyo ', 'Asia/Tokyo'],
  ['UTC', 'UTC'],
  ['Paris', undefined],
  ['', undefined],
])('[R9.5] zoneNamed finds the time zone of the typed text %j, in upper or lower case', (text, zone) => {
  expect(zoneNamed(text)).toBe(zone);
});
