import { japan } from '../../model/people/zone.ts';

let known: readonly string[] | undefined;

/** All that the browser knows, that of Japan first. */
export function zones(): readonly string[] {
  known ??= [japan, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== japan), 'UTC'];
  return known;
}

/** The zone that is called so, in whichever case; undefined where there is none. */
export function zoneNamed(text: string): string | undefined {
  const sought = text.trim().toLowerCase();
  return zones().find((zone) => zone.toLowerCase() === sought);
}
