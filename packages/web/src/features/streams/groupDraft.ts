import { maxPrincipals, maxStreamDescriptionLength, maxStreamNameLength } from '@engawa/protocol';
import { complaintOf, required } from '../../validation/validators.ts';

export interface GroupDraft {
  readonly name: string;
  readonly description: string;
  readonly userIds: readonly number[];
}

export const emptyGroup: GroupDraft = { name: '', description: '', userIds: [] };

/** Limit of picked members: one less than a call may name, because the creator is named too. */
export const mostMembers = maxPrincipals - 1;

/** Length of a name or a description as the server counts: code points of the trimmed text. */
export function nameLength(name: string): number {
  return [...name.trim()].length;
}

export interface Complaints {
  readonly name: 'missing' | 'too-long' | undefined;
  readonly description: 'too-long' | undefined;
  readonly members: 'too-many' | undefined;
}

export function complaintsAbout({ name, description, userIds }: GroupDraft, submitted: boolean): Complaints {
  const missing = submitted && complaintOf(name, [required]) !== undefined;
  const tooLong = nameLength(name) > maxStreamNameLength;
  return {
    name: missing ? 'missing' : tooLong ? 'too-long' : undefined,
    description: nameLength(description) > maxStreamDescriptionLength ? 'too-long' : undefined,
    members: userIds.length > mostMembers ? 'too-many' : undefined,
  };
}
