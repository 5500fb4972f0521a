import { plainName } from '../text/plainName.ts';
import { refused } from '../errors.ts';

/** An organisation's name as it is kept: on one line, without space around it, and without what nobody sees. */
export function cleanOrganisationName(name: string): string {
  const cleaned = plainName(name)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (cleaned === '') throw refused.because("Organization name can't be empty!");
  return cleaned;
}
