import { maxPrincipals, maxStreamDescriptionLength, maxStreamNameLength } from '@engawa/protocol';
import { trimmedLength } from '../../validation/trimmedLength.ts';
import { complaintOf, required } from '../../validation/validators.ts';
import type { GroupDraft } from './groupDraft.ts';

/** Limit of picked members: one less than a call may name, because the creator is named too. */
export const mostMembers = maxPrincipals - 1;

export interface Complaints {
  readonly name: 'missing' | 'too-long' | undefined;
  readonly description: 'too-long' | undefined;
  readonly members: 'too-many' | undefined;
}

export function complaintsAbout({ name, description, userIds }: GroupDraft, submitted: boolean): Complaints {
  const missing = submitted && complaintOf(name, [required]) !== undefined;
  const tooLong = trimmedLength(name) > maxStreamNameLength;
  return {
    name: missing ? 'missing' : tooLong ? 'too-long' : undefined,
    description: trimmedLength(description) > maxStreamDescriptionLength ? 'too-long' : undefined,
    members: userIds.length > mostMembers ? 'too-many' : undefined,
  };
}
