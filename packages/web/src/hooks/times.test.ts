import { expect, it } from 'vitest';
import { en } from '../i18n/en.ts';
import { ja } from '../i18n/ja.ts';
import { dayIn, japan } from '../model/people/zone.ts';
import { timesIn } from './times.ts';

const at = (text: string) => Date.parse(`${text}+09:00`) / 1000;
const today = dayIn(japan, at('2026-11-20T12:00:00'));
const times = timesIn(ja, today);

it('[R9.5] clock formats hour and minute with two digits, in the time of Japan', () => {
  expect(times.clock(1_700_000_000)).toBe('07:13');
  expect(times.clock(at('2026-11-20T23:59:59.9'))).toBe('23:59');
  expect(times.clock(at('2026-11-20T00:05:00'))).toBe('00:05');
});

it('[R2.6] recent always includes the time as HH:MM', () => {
  expect(times.recent(at('2026-11-20T09:58:00'))).toBe('09:58');
  expect(times.recent(at('2026-11-19T18:42:00'))).toBe('昨日 18:42');
  expect(times.recent(at('2026-11-18T09:30:00'))).toBe('11月18日 09:30');
  expect(times.recent(at('2025-12-31T09:30:00'))).toBe('2025年12月31日 09:30');
});

it('[R2.20.1] day calls a day today or yesterday by the calendar of Japan', () => {
  expect(times.day(at('2026-11-20T00:00:00'))).toBe('今日');
  expect(times.day(at('2026-11-19T23:59:00'))).toBe('昨日');
  expect(times.day(at('2026-11-18T09:30:00'))).toBe('11月18日(水)');
  expect(times.full(at('2026-11-18T09:30:00'))).toBe('2026年11月18日(水) 09:30');
});

it('[R1.4] Times are formatted in English if the member chose English', () => {
  const english = timesIn(en, today);
  expect(english.recent(at('2026-11-19T18:42:00'))).toBe('Yesterday, 18:42');
  expect(english.recent(at('2026-11-18T09:30:00'))).toBe('18 November, 09:30');
});

it('[R9.5] Times are formatted in the member’s time zone if they chose one, and else in that of Japan', () => {
  const noon = at('2026-11-20T12:00:00');
  const paris = timesIn(ja, dayIn('Europe/Paris', noon), 'Europe/Paris');
  expect(paris.clock(noon)).toBe('04:00');
  expect(paris.recent(at('2026-11-20T07:30:00'))).toBe('昨日 23:30');
  expect(paris.full(at('2026-07-01T00:00:00'))).toBe('2026年6月30日(火) 17:00');
});
