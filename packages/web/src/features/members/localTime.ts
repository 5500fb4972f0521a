/** What time it is where a member is. */
import { japanOffsetSeconds } from '../../model/constants.ts';

export interface LocalTime {
  /** 14:03, on the 24-hour clock. */
  readonly clock: string;
  /** What its zone is called: 米国東部時間. */
  readonly zone: string;
}

const millisecondsInMinute = 60_000;

/**
 * Undefined where it is the same as on all other clocks of the screens, which are Japan's, and where the zone is not
 * known.
 * @param tag Of the language. @param now Milliseconds since 1970.
 */
export function localTimeAt(tag: string, timeZone: string, now: number): LocalTime | undefined {
  if (!isZone(timeZone) || offsetOf(timeZone, now) === japanOffsetSeconds * 1000) return undefined;
  const clock = new Intl.DateTimeFormat(tag, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const named = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'longGeneric' });
  const zone = named.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return { clock: clock.format(now), zone };
}

function isZone(timeZone: string): boolean {
  if (timeZone === '') return false;
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch (error) {
    // Another server's word for a zone that this browser has never heard of.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Milliseconds that its clocks are ahead of UTC. */
function offsetOf(timeZone: string, now: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(now);
  const part = (wanted: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === wanted)?.value);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return shown - Math.floor(now / millisecondsInMinute) * millisecondsInMinute;
}
