import { fullNameLength } from '@engawa/protocol';
import type { Failure } from '../../model/connection/failure.ts';
import { complaintAboutPassword } from '../../validation/password.ts';
import { complaintOf, email, maxLength, minLength, required, type Validator } from '../../validation/validators.ts';

const fieldNames = ['code', 'organisation', 'name', 'reading', 'email', 'password'] as const;
export type FieldName = (typeof fieldNames)[number];
export type Values = Readonly<Record<FieldName, string>>;

/** A `new` value must fulfil the rules of the server. A `known` one only has to be present. */
export type Occasion = 'new' | 'known';

const longest = 100;
const longestEmail = 320;

const validators: Readonly<Record<Exclude<FieldName, 'password'>, readonly Validator[]>> = {
  code: [required, maxLength(longest)],
  organisation: [required, maxLength(longest)],
  name: [required, minLength(fullNameLength.least), maxLength(fullNameLength.most)],
  reading: [maxLength(longest)],
  email: [required, email, maxLength(longestEmail)],
};

export function complaintAbout(name: FieldName, value: string, occasion: Occasion): string | undefined {
  if (occasion === 'known') return value.trim() === '' ? 'required' : undefined;
  return name === 'password' ? complaintAboutPassword(value) : complaintOf(value.trim(), validators[name]);
}

/** Trims all values but passwords, where spaces may be intended. */
export function trimmed(values: Values): Values {
  return {
    code: values.code.trim(),
    organisation: values.organisation.trim(),
    name: values.name.trim(),
    reading: values.reading.trim(),
    email: values.email.trim(),
    password: values.password,
  };
}

export function refusedField(failure: Failure): { readonly name: FieldName; readonly complaint: string } | undefined {
  if (failure.kind !== 'refused') return undefined;
  if (failure.code === 'SETUP_CODE_WRONG') return { name: 'code', complaint: 'wrong' };
  if (failure.code === 'PASSWORD_TOO_WEAK') return { name: 'password', complaint: 'weak' };
  if (failure.code === 'NAME_IN_USE') return { name: 'name', complaint: 'taken' };
  return failure.code === 'EMAIL_IN_USE' ? { name: 'email', complaint: 'taken' } : undefined;
}
