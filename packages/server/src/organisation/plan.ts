import type { OrganisationDifference } from '@engawa/protocol/administration';
import type { Role } from '@engawa/protocol';

/** The member whose role decides, or the operator. */
export type Actor = number | 'console';

/** The desired state of people and departments. Anything not named stays unchanged. */
export interface OrganisationPlan {
  /** A new department's parent exists or comes before it. */
  readonly departments: readonly PlannedDepartment[];
  /** Codes of departments to remove; they must be empty. Their streams are archived. */
  readonly removedDepartments?: readonly string[] | undefined;
  readonly members: readonly PlannedMember[];
}

export interface PlannedDepartment {
  /** For a new department: `newDepartmentCode()`. */
  readonly code: string;
  /** Required for a new department. Its stream gets the same name if it is free. */
  readonly displayName?: string | undefined;
  /** Null or absent for a new department: a root. */
  readonly parent?: string | null | undefined;
  /** The index among the siblings; by default a new department comes last. */
  readonly position?: number | undefined;
}

export interface PlannedMember {
  /** The member to change; absent: the member with the email, or else a new one. */
  readonly userId?: number | undefined;
  /** The email of a new member or of the member to change; with `userId` the new email. */
  readonly email?: string | undefined;
  /** Required for a new member. */
  readonly fullName?: string | undefined;
  readonly reading?: string | undefined;
  readonly title?: string | undefined;
  /** Identifies the member in the organisation, even if their email changes. */
  readonly employeeNumber?: string | undefined;
  readonly role?: Role | undefined;
  /** A deactivated member keeps their departments; their sessions, keys and queues end. */
  readonly isActive?: boolean | undefined;
  /** A PHC string; the member's keys end. A new member without one cannot sign in with a password. */
  readonly passwordHash?: string | undefined;
  /** Codes of all departments, the main one first. */
  readonly departments?: readonly string[] | undefined;
}

export interface AppliedPlan {
  /** The ids of the members that the plan names by email, by lower-case email. */
  readonly users: ReadonlyMap<string, number>;
  readonly difference: OrganisationDifference;
}
