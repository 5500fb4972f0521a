import { plainName } from '../text/plainName.ts';
import { refused } from '../errors.ts';

/** The name to store: on one line, without surrounding space and invisible characters. */
export function cleanOrganisationName(name: string): string {
  const cleaned = plainName(name)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (cleaned === '') throw refused.because("Organization name can't be empty!");
  return cleaned;
}
