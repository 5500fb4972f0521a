import { expect, it } from 'vitest';
import { beginIn, dayIn, japan, offsetIn } from './zone.ts';

const at = (text: string) => Date.parse(text) / 1000;
const dayOf = (text: string) => at(`${text}T00:00:00Z`) / 86_400;

it.each([
  [japan, '2026-11-20T00:00:00Z', 9],
  ['Europe/Paris', '2026-01-15T00:00:00Z', 1],
  ['Europe/Paris', '2026-07-15T00:00:00Z', 2],
  ['America/New_York', '2026-07-15T00:00:00Z', -4],
  ['Asia/Kolkata', '2026-07-15T00:00:00Z', 5.5],
  ['UTC', '2026-07-15T00:00:00Z', 0],
  ['Moon/Tranquility', '2026-07-15T00:00:00Z', 9],
])('[R9.5] The clock of %s at %s is %s hours ahead of UTC', (zone, time, hours) => {
  expect(offsetIn(zone, at(time)) / 3600).toBe(hours);
});

it.each([
  [japan, '2026-11-19T15:00:00Z', '2026-11-20'],
  ['Europe/Paris', '2026-11-19T22:59:59Z', '2026-11-19'],
  ['Europe/Paris', '2026-11-19T23:00:00Z', '2026-11-20'],
  ['America/New_York', '2026-11-20T04:59:59Z', '2026-11-19'],
])('[R9.5] In the time zone %s, the moment %s is on the day %s', (zone, time, day) => {
  expect(dayIn(zone, at(time))).toBe(dayOf(day));
});

it.each([
  [japan, '2026-11-20', '2026-11-19T15:00:00Z'],
  ['Europe/Paris', '2026-03-29', '2026-03-28T23:00:00Z'],
  ['Europe/Paris', '2026-03-30', '2026-03-29T22:00:00Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00Z'],
])('[R9.5] In the time zone %s, the day %s begins at %s', (zone, day, begin) => {
  expect(beginIn(zone, dayOf(day))).toBe(at(begin));
});
