import { fullNameLength } from '@engawa/protocol';
import { maxLocationLength } from '@engawa/protocol/product';
import {
  complaintOf,
  email,
  maxLength,
  minLength,
  not,
  or,
  required,
  sameAs,
  type Validator,
} from '../../validation/validators.ts';

export const profileFields = ['image', 'name', 'email', 'location'] as const;
export type ProfileField = (typeof profileFields)[number];

export type ProfileValues = Readonly<Record<ProfileField, string>>;

export type ProfileComplaints = Readonly<Partial<Record<ProfileField, string>>>;

export function complaintsAbout(values: ProfileValues, others: readonly string[]): ProfileComplaints {
  const isAnothers = or(...others.map((each) => sameAs(() => each.toLowerCase())));
  const validators: Readonly<Record<ProfileField, readonly Validator[]>> = {
    image: [required],
    name: [required, minLength(fullNameLength.least), maxLength(fullNameLength.most)],
    email: [required, email, not(isAnothers)],
    location: [required, maxLength(maxLocationLength)],
  };
  const checked = { ...values, email: values.email.toLowerCase() };
  const found = profileFields.map((field) => [field, complaintOf(checked[field].trim(), validators[field])] as const);
  return Object.fromEntries(found.filter(([, complaint]) => complaint !== undefined));
}
