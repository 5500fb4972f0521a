/** What time it is where a member is. */
import { offsetIn } from '../../model/zone.ts';

export interface LocalTime {
  /** 14:03, on the 24-hour clock. */
  readonly clock: string;
  /** What its zone is called: 米国東部時間. */
  readonly zone: string;
}

/**
 * Undefined where it is the same as on all other clocks of the screens, which are those of the reader's zone (R9.5), and
 * where the zone is not known.
 * @param tag Of the language. @param now Milliseconds since 1970. @param readers The reader's zone.
 */
export function localTimeAt(tag: string, timeZone: string, now: number, readers: string): LocalTime | undefined {
  if (!isZone(timeZone) || offsetIn(timeZone, now / 1000) === offsetIn(readers, now / 1000)) return undefined;
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
