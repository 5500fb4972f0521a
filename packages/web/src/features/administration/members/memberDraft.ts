import { fullNameLength, roles, type Role } from '@engawa/protocol';
import { maxReadingLength, maxTitleLength, type AdministeredMember, type MemberChange } from '@engawa/protocol/administration';
import { complaintOf, email, maxLength, minLength, required } from '../../../validation/validators.ts';

export interface MemberDraft {
  readonly name: string;
  readonly reading: string;
  readonly email: string;
  readonly title: string;
  readonly role: Role;
  readonly departments: readonly string[];
}

export const emptyMember: MemberDraft = { name: '', reading: '', email: '', title: '', role: roles.member, departments: [] };

export function draftOf(member: AdministeredMember): MemberDraft {
  const { full_name: name, reading, email: address, title, role, departments } = member;
  return { name, reading, email: address, title, role, departments };
}

export type MemberField = 'name' | 'reading' | 'email' | 'title';

const rules = {
  name: [required, minLength(fullNameLength.least), maxLength(fullNameLength.most)],
  reading: [maxLength(maxReadingLength)],
  email: [required, email],
  title: [maxLength(maxTitleLength)],
} as const;

export const mostCharacters = {
  name: fullNameLength.most,
  reading: maxReadingLength,
  email: 320,
  title: maxTitleLength,
} as const;

export function complaintsAbout(draft: MemberDraft): Readonly<Partial<Record<MemberField, string>>> {
  const fields = ['name', 'reading', 'email', 'title'] as const;
  const found = fields.map((field) => [field, complaintOf(draft[field].trim(), rules[field])] as const);
  return Object.fromEntries(found.filter(([, complaint]) => complaint !== undefined));
}

/** Only the changed fields, so that changes of another administrator are kept. */
export function changeOf(before: MemberDraft, draft: MemberDraft): MemberChange {
  const { name, reading, email: address, title } = draft;
  const isMoved = before.departments.join() !== draft.departments.join();
  return {
    ...(name.trim() === before.name ? {} : { full_name: name.trim() }),
    ...(reading.trim() === before.reading ? {} : { reading: reading.trim() }),
    ...(address.trim() === before.email ? {} : { email: address.trim() }),
    ...(title.trim() === before.title ? {} : { title: title.trim() }),
    ...(draft.role === before.role ? {} : { role: draft.role }),
    ...(isMoved ? { departments: [...draft.departments] } : {}),
  };
}

/** The roles that an administrator may assign. Only owners appoint and change owners. */
export function rolesFor({ isOwner, role }: { readonly isOwner: boolean; readonly role: Role }): readonly Role[] {
  if (role === roles.owner && !isOwner) return [roles.owner];
  const usual: readonly Role[] = [roles.administrator, roles.moderator, roles.member, roles.guest];
  return isOwner ? [roles.owner, ...usual] : usual;
}
