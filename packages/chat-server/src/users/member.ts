import type { Role } from '@engawa/protocol';

/** The member who asks. Whatever a call looks up, it looks up through this. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
}
