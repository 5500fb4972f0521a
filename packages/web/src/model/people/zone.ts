/** R9.5: times and days in a time zone. */
import { japanOffsetSeconds } from '../constants.ts';

export const japan = 'Asia/Tokyo';
const secondsInDay = 86_400;
/** The last time that a `Date` can hold, in Unix seconds (ECMA-262, 21.4.1.1). */
const lastDate = 8_640_000_000_000;

let last: { readonly zone: string; readonly offsetAt: (timestamp: number) => number } | undefined;

/** Seconds by which the zone is ahead of UTC at a time. For Japan a constant, because browsers may have wrong zone data. */
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
  // A zone that the browser does not know is treated as Japan.
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

/** Whether a `Date` can hold the time in every zone. Browsers throw when they format another time. */
export function isDate(timestamp: number): boolean {
  return Math.abs(timestamp) <= lastDate - secondsInDay;
}

export function dayIn(zone: string, timestamp: number): number {
  return Math.floor((timestamp + offsetIn(zone, timestamp)) / secondsInDay);
}

/** Unix seconds of the beginning of a day in the zone, by its number. */
export function beginIn(zone: string, day: number): number {
  return momentIn(zone, day * secondsInDay);
}

/**
 * Unix seconds of a local time in the zone. Uses the offset of that moment, so that it is right near a clock change, too.
 * @param local The local time as if it were UTC.
 */
export function momentIn(zone: string, local: number): number {
  const near = local - offsetIn(zone, local);
  return local - offsetIn(zone, near);
}
