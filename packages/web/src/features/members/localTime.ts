import { japan } from '../../model/people/zone.ts';

export interface LocalTime {
  readonly clock: string;
  readonly zone: string | undefined;
}

/** A missing or unknown zone counts as Japan (R9.5). The zone is not named if it is the reader's. `now` in milliseconds. */
export function localTimeAt(tag: string, timeZone: string, now: number, readers: string): LocalTime {
  const theirs = isZone(timeZone) ? timeZone : japan;
  const clock = new Intl.DateTimeFormat(tag, { timeZone: theirs, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const zone = nameOf(tag, theirs, now);
  return { clock: clock.format(now), zone: zone === nameOf(tag, isZone(readers) ? readers : japan, now) ? undefined : zone };
}

function nameOf(tag: string, timeZone: string, now: number): string {
  const named = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'longGeneric' });
  return named.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

function isZone(timeZone: string): boolean {
  if (timeZone === '') return false;
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch (error) {
    // The browser does not know the zone that the server names.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
