/** R9.5: times and days in Japan or in the member's time zone, independent of the browser's zone. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useWords } from '../i18n/LocaleProvider.tsx';
import type { Dictionary } from '../i18n/ja.ts';
import { dayIn, japan, offsetIn } from '../model/people/zone.ts';
import { selectMe } from '../model/people/selectors.ts';
import { createSignal } from '../model/signal.ts';
import { useModel } from './model.ts';

const secondsInDay = 86_400;

export interface Times {
  /** Days since 1970-01-01. */
  dayOf(timestamp: number): number;
  /** 07:13 */
  clock(timestamp: number): string;
  /** 07:13 today, 昨日 07:13, 11月18日 07:13; with the year if it is another one. */
  recent(timestamp: number): string;
  /** 今日, 昨日, 11月18日(水); with the year if it is another one. */
  day(timestamp: number): string;
  /** 2026年11月18日(水) 07:13 */
  full(timestamp: number): string;
}

type TimeWords = Pick<Dictionary, 'date' | 'today' | 'yesterday' | 'dayAndTime'>;

/** The dictionaries write the dates, because the first use of `Intl` delays the first message. Only zones other than Japan's need it. */
export function timesIn(words: TimeWords, today: number, zone: string = japan): Times {
  const dayOf = (timestamp: number) => dayIn(zone, timestamp);

  const clock = (timestamp: number) => {
    const minutes = Math.floor((timestamp + offsetIn(zone, timestamp) - dayOf(timestamp) * secondsInDay) / 60);
    return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  };

  const thisYear = yearOfDay(today);
  const date = (timestamp: number, withWeekday: boolean, withYear = yearOfDay(dayOf(timestamp)) !== thisYear) =>
    words.date(dateOfDay(dayOf(timestamp)), withWeekday, withYear);

  const relative = (timestamp: number): string | undefined => {
    if (dayOf(timestamp) === today) return words.today;
    return dayOf(timestamp) === today - 1 ? words.yesterday : undefined;
  };

  return {
    dayOf,
    clock,
    recent: (timestamp) => {
      if (dayOf(timestamp) === today) return clock(timestamp);
      return words.dayAndTime(relative(timestamp) ?? date(timestamp, false), clock(timestamp));
    },
    day: (timestamp) => relative(timestamp) ?? date(timestamp, true),
    full: (timestamp) => words.dayAndTime(date(timestamp, true, true), clock(timestamp)),
  };
}

function dateOfDay(day: number): Date {
  return new Date(day * secondsInDay * 1000);
}

function yearOfDay(day: number): number {
  return dateOfDay(day).getUTCFullYear();
}

export function useZone(): string {
  return useModel(selectMe)?.timezone || japan;
}

export function useTimes(): Times {
  const words = useWords();
  const zone = useZone();
  const today = useSyncExternalStore(subscribeToMidnight, () => dayIn(zone, Date.now() / 1000));
  return sharedTimes(words, today, zone);
}

let shared: { readonly of: readonly [TimeWords, number, string]; readonly times: Times } | undefined;

/** Shared per language, day and zone, so that rows get the same object. */
function sharedTimes(...of: readonly [words: TimeWords, today: number, zone: string]): Times {
  if (!shared?.of.every((each, index) => each === of[index])) shared = { of, times: timesIn(...of) };
  return shared.times;
}

const midnight = createSignal();
let untilMidnight: ReturnType<typeof setTimeout> | undefined;
/** Seconds in a quarter of an hour. Midnight of any time zone falls on a multiple of it. */
const quarter = 900;

function subscribeToMidnight(listener: () => void): () => void {
  const unsubscribe = midnight.subscribe(listener);
  untilMidnight ??= waitForMidnight();
  return () => {
    unsubscribe();
    if (midnight.hasListeners) return;
    clearTimeout(untilMidnight);
    untilMidnight = undefined;
  };
}

function waitForMidnight(): ReturnType<typeof setTimeout> {
  const wait = (quarter - ((Date.now() / 1000) % quarter)) * 1000;
  return setTimeout(() => {
    untilMidnight = waitForMidnight();
    midnight.emit();
  }, wait + 100);
}

const millisecondsInMinute = 60_000;

export function useClock(): string {
  const { clock } = useTimes();
  return clock(useMinute() / 1000);
}

/** The current time in Unix milliseconds; renders again every minute. */
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
