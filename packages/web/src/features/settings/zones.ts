import { japan } from '../../model/people/zone.ts';

let known: readonly string[] | undefined;

export function zones(): readonly string[] {
  known ??= [japan, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== japan), 'UTC'];
  return known;
}

export function zoneNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return zones().find((zone) => zone.toLowerCase() === name);
}
