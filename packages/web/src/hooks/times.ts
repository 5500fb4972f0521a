/** R9.5: clocks and days as they stand in Japan, in any browser zone. */
import { useEffect, useMemo, useState } from 'react';
import { useWords } from '../i18n/LocaleProvider.tsx';
import type { Dictionary } from '../i18n/ja.ts';
import { japanOffsetSeconds } from '../model/constants.ts';

const secondsInDay = 86_400;

/** The number of the day in Japan, counted from 1970. */
export function dayOf(timestamp: number): number {
  return Math.floor((timestamp + japanOffsetSeconds) / secondsInDay);
}

export interface Times {
  /** 07:13 */
  clock(timestamp: number): string;
  /** 07:13 today, 昨日 07:13, 11月18日 07:13, and with its year when that is another. */
  recent(timestamp: number): string;
  /** 今日, 昨日, 11月18日(水), and with its year when that is another. */
  day(timestamp: number): string;
  /** 2026年11月18日(水) 07:13 */
  full(timestamp: number): string;
}

type TimeWords = Pick<Dictionary, 'tag' | 'today' | 'yesterday' | 'dayAndTime'>;

export function timesIn(words: TimeWords, today: number): Times {
  // The clock is shifted first and then read as UTC: the seed's offset decides, not the browser's zone data.
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(words.tag, { ...options, timeZone: 'UTC' });
    return (timestamp: number) => formatter.format((timestamp + japanOffsetSeconds) * 1000);
  };
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const monthDay = format({ month: 'long', day: 'numeric' });
  const yearMonthDay = format({ year: 'numeric', month: 'long', day: 'numeric' });
  const weekday = format({ month: 'long', day: 'numeric', weekday: 'short' });
  const yearWeekday = format({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' });

  const thisYear = yearOfDay(today);
  const isThisYear = (timestamp: number) => yearOfDay(dayOf(timestamp)) === thisYear;

  const relative = (timestamp: number): string | undefined => {
    if (dayOf(timestamp) === today) return words.today;
    return dayOf(timestamp) === today - 1 ? words.yesterday : undefined;
  };

  return {
    clock,
    recent: (timestamp) => {
      if (dayOf(timestamp) === today) return clock(timestamp);
      const date = isThisYear(timestamp) ? monthDay : yearMonthDay;
      return words.dayAndTime(relative(timestamp) ?? date(timestamp), clock(timestamp));
    },
    day: (timestamp) => relative(timestamp) ?? (isThisYear(timestamp) ? weekday : yearWeekday)(timestamp),
    full: (timestamp) => words.dayAndTime(yearWeekday(timestamp), clock(timestamp)),
  };
}

function yearOfDay(day: number): number {
  return new Date(day * secondsInDay * 1000).getUTCFullYear();
}

export function useTimes(): Times {
  const words = useWords();
  const today = useToday();
  return useMemo(() => timesIn(words, today), [words, today]);
}

/** The day's number in Japan; renders again at midnight there. */
function useToday(): number {
  const [today, setToday] = useState(() => dayOf(Date.now() / 1000));
  useEffect(() => {
    const midnight = ((today + 1) * secondsInDay - japanOffsetSeconds) * 1000;
    const timer = setTimeout(() => setToday(dayOf(Date.now() / 1000)), Math.max(midnight - Date.now(), 0) + 1000);
    return () => clearTimeout(timer);
  }, [today]);
  return today;
}
