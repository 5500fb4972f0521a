import type { OrganisationDifference } from '@engawa/protocol/administration';
import type { Role } from '@engawa/protocol';

/** A wanted state. People, departments and fields that it does not name stay unchanged. */
export interface OrganisationPlan {
  /** Parents come before children. */
  readonly departments: readonly PlannedDepartment[];
  /** Codes of departments without members and children; their streams are archived. */
  readonly removedDepartments?: readonly string[] | undefined;
  readonly members: readonly PlannedMember[];
}

export interface PlannedDepartment {
  readonly code: string;
  readonly displayName?: string | undefined;
  /** The parent's code; null means a root, and so does absence for a new department. */
  readonly parent?: string | null | undefined;
  /** By default a new department comes last. */
  readonly position?: number | undefined;
}

export interface PlannedMember {
  /** Absent: the plan means the member with this email, or a new member if there is none. */
  readonly userId?: number | undefined;
  /** The member's email, or the new email if `userId` is given. */
  readonly email?: string | undefined;
  readonly fullName?: string | undefined;
  readonly reading?: string | undefined;
  readonly title?: string | undefined;
  readonly employeeNumber?: string | undefined;
  readonly role?: Role | undefined;
  /** A deactivated member keeps their departments; their sessions, keys and queues end. */
  readonly isActive?: boolean | undefined;
  /** The new password as a PHC hash string; the member's API keys end. Without one a new member has no password. */
  readonly passwordHash?: string | undefined;
  /** Codes of departments, the main one first. */
  readonly departments?: readonly string[] | undefined;
}

export interface AppliedPlan {
  /** The ids of the members that the plan names by email, by lower-case email. */
  readonly users: ReadonlyMap<string, number>;
  readonly difference: OrganisationDifference;
}
