/** R9.5: clocks and days as they stand in Japan, in any browser zone. */
import { useEffect, useState, useSyncExternalStore } from 'react';
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
  const today = useSyncExternalStore(subscribeToMidnight, currentDay);
  return sharedTimes(words, today);
}

let shared: { readonly words: TimeWords; readonly today: number; readonly times: Times } | undefined;

/** Every row of every list asks, and formatters are slow to make: they are made once for a language and a day. */
function sharedTimes(words: TimeWords, today: number): Times {
  if (shared?.words !== words || shared.today !== today) shared = { words, today, times: timesIn(words, today) };
  return shared.times;
}

/** The day's number in Japan. */
function currentDay(): number {
  return dayOf(Date.now() / 1000);
}

const atMidnight = new Set<() => void>();
let untilMidnight: ReturnType<typeof setTimeout> | undefined;

/** One timer for all who listen. */
function subscribeToMidnight(listener: () => void): () => void {
  atMidnight.add(listener);
  untilMidnight ??= waitForMidnight();
  return () => {
    atMidnight.delete(listener);
    if (atMidnight.size > 0) return;
    clearTimeout(untilMidnight);
    untilMidnight = undefined;
  };
}

function waitForMidnight(): ReturnType<typeof setTimeout> {
  const midnight = ((currentDay() + 1) * secondsInDay - japanOffsetSeconds) * 1000;
  return setTimeout(() => {
    untilMidnight = waitForMidnight();
    atMidnight.forEach((listener) => listener());
  }, midnight - Date.now() + 1000);
}

const millisecondsInMinute = 60_000;

/** What time it is, as 07:13; renders again with each minute. */
export function useClock(): string {
  const { clock } = useTimes();
  return clock(useMinute() / 1000);
}

/** Milliseconds since 1970; again with each minute. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(tick, millisecondsInMinute - (Date.now() % millisecondsInMinute));
    };
    const tick = () => {
      setNow(Date.now());
      wait();
    };
    wait();
    return () => clearTimeout(timer);
  }, []);
  return now;
}
