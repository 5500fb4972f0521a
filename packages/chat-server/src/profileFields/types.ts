import { profileValueLength } from '@engawa/protocol';
import { z } from 'zod';
import { refused } from '../errors.ts';
import type { ProfileFieldRow } from './store.ts';

/**
 * Types of fields. Fields for people are refused, because a value would name users whom a guest may not see, and those for accounts
 * elsewhere, because there is no list of such sites.
 */
export const fieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const;

const lengths = new Map<number, number>(Object.entries(profileValueLength).map(([type, length]) => [Number(type), length]));
export const isFieldType = (type: number): boolean => lengths.has(type);

/** @throws ChatError if the value does not fit the type of the field. */
export function checkedValue({ type, name, field_data }: ProfileFieldRow, value: string): string {
  const cleaned = value.toWellFormed().trim();
  const most = lengths.get(type) ?? 0;
  if ([...cleaned].length > most) throw refused.because(`${name} is too long (limit: ${most} characters)`);
  const isValid = cleaned === '' || fits(type, field_data, cleaned);
  if (!isValid) throw refused.because(`Invalid value for ${name}`);
  return cleaned;
}

function fits(type: number, fieldData: string, value: string): boolean {
  switch (type) {
    case fieldTypes.SELECT.id:
      return Object.hasOwn(JSON.parse(fieldData), value);
    case fieldTypes.DATE.id:
      return z.iso.date().safeParse(value).success;
    case fieldTypes.URL.id:
      return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
    default:
      return true;
  }
}
