/** R9.5: clocks and days in a time zone: that of Japan, or the member's own. */
import { japanOffsetSeconds } from '../constants.ts';

/** Where a member has said nothing else. */
export const japan = 'Asia/Tokyo';
const secondsInDay = 86_400;
/** Unix seconds of the last time that a `Date` holds (ECMA-262, 21.4.1.1). */
const lastDate = 8_640_000_000_000;

let last: { readonly zone: string; readonly offsetAt: (timestamp: number) => number } | undefined;

/** Seconds by which the clock there is ahead of UTC at a time. In Japan it is a constant, whatever the browser knows of zones. */
export function offsetIn(zone: string, timestamp: number): number {
  if (zone === japan) return japanOffsetSeconds;
  if (last?.zone !== zone) last = { zone, offsetAt: offsetsOf(zone) };
  return last.offsetAt(timestamp);
}

function offsetsOf(zone: string): (timestamp: number) => number {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  const format = formatOf({ ...fields, timeZone: zone, hourCycle: 'h23' });
  // What the browser does not know is as if nothing were said.
  if (!format) return () => japanOffsetSeconds;
  return (timestamp) => {
    const seconds = Math.floor(timestamp);
    const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]));
    const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
    return local / 1000 - seconds;
  };
}

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', options);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a date names the time, in whatever zone: beyond, the browser formats none. */
export function isDate(timestamp: number): boolean {
  return Math.abs(timestamp) <= lastDate - secondsInDay;
}

/** The number of the day there, counted from 1970. */
export function dayIn(zone: string, timestamp: number): number {
  return Math.floor((timestamp + offsetIn(zone, timestamp)) / secondsInDay);
}

/** Unix seconds at which a day begins there, by its number. */
export function beginIn(zone: string, day: number): number {
  return momentIn(zone, day * secondsInDay);
}

/**
 * Unix seconds at which the clock there stands so. The offset is that of then, also where the clock is changed.
 * @param local As if the clock were that of UTC.
 */
export function momentIn(zone: string, local: number): number {
  const near = local - offsetIn(zone, local);
  return local - offsetIn(zone, near);
}
