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

it.each([ja, en])('[R9.5] Dates are written as the browser writes them in the language of the screens (%#)', (words) => {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(words.tag, { ...options, timeZone: japan });
  const date = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [full, thisYear] = [format({ ...date, weekday: 'short' }), format({ month: 'long', day: 'numeric', weekday: 'short' })];
  const here = timesIn(words, today);
  const days = Array.from({ length: 400 }, (_, index) => at('2025-10-01T00:00:00') + index * 86_460);
  for (const day of days) {
    expect(here.full(day)).toBe(words.dayAndTime(full.format(day * 1000), clock.format(day * 1000)));
    const isNear = here.dayOf(day) === today || here.dayOf(day) === today - 1;
    const isThisYear = new Date(day * 1000 + 32_400_000).getUTCFullYear() === 2026;
    if (!isNear) expect(here.day(day)).toBe((isThisYear ? thisYear : full).format(day * 1000));
  }
});
