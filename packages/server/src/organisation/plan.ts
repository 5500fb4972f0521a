import type { OrganisationDifference } from '@engawa/protocol/administration';
import type { Role } from '@engawa/protocol';

/** The member whose role decides, or the operator. */
export type Actor = number | 'console';

/** Anything that is not named stays unchanged. */
export interface OrganisationPlan {
  /** Parents come before children. */
  readonly departments: readonly PlannedDepartment[];
  /** They must be empty. Their streams are archived. */
  readonly removedDepartments?: readonly string[] | undefined;
  readonly members: readonly PlannedMember[];
}

export interface PlannedDepartment {
  readonly code: string;
  readonly displayName?: string | undefined;
  /** Null, or absent for a new department: a root. */
  readonly parent?: string | null | undefined;
  /** By default a new department comes last. */
  readonly position?: number | undefined;
}

export interface PlannedMember {
  /** Absent: the member with the email, or else a new one. */
  readonly userId?: number | undefined;
  /** With `userId`: the new email. */
  readonly email?: string | undefined;
  readonly fullName?: string | undefined;
  readonly reading?: string | undefined;
  readonly title?: string | undefined;
  readonly employeeNumber?: string | undefined;
  readonly role?: Role | undefined;
  /** A deactivated member keeps their departments; their sessions, keys and queues end. */
  readonly isActive?: boolean | undefined;
  /** A PHC string; the member's keys end. A new member without one cannot sign in with a password. */
  readonly passwordHash?: string | undefined;
  /** The main one first. */
  readonly departments?: readonly string[] | undefined;
}

export interface AppliedPlan {
  /** The ids of the members that the plan names by email, by lower-case email. */
  readonly users: ReadonlyMap<string, number>;
  readonly difference: OrganisationDifference;
}
