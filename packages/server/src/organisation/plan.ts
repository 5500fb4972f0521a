import type { OrganisationDifference } from '@engawa/protocol/administration';
import type { Role } from '@engawa/protocol';

/** Who asks for a plan: the member whose role decides, or whoever sits at the command line. */
export type Actor = number | 'console';

/** How an organisation's people and departments shall be. What is not named stays as it is. */
export interface OrganisationPlan {
  /** A new one's parent is there, or stands before it. */
  readonly departments: readonly PlannedDepartment[];
  /** Codes of those that go: with nobody in them and none below. Their streams are archived. */
  readonly removedDepartments?: readonly string[] | undefined;
  readonly members: readonly PlannedMember[];
}

export interface PlannedDepartment {
  /** Of a new one: `newDepartmentCode()`. */
  readonly code: string;
  /** A new one has one. Its stream is called the same where that is free. */
  readonly displayName?: string | undefined;
  /** Null: a root. A new one without a parent is a root. */
  readonly parent?: string | null | undefined;
  /** Among its siblings, from 0; a new one comes last unless it is said. */
  readonly position?: number | undefined;
}

export interface PlannedMember {
  /** Who is changed; absent: whoever has the email, or else a new member. */
  readonly userId?: number | undefined;
  /** Of a new member, or whom to change; with `userId` their new address. */
  readonly email?: string | undefined;
  /** A new member has one. */
  readonly fullName?: string | undefined;
  readonly reading?: string | undefined;
  readonly title?: string | undefined;
  /** By which the organisation knows them, whatever becomes of their address. */
  readonly employeeNumber?: string | undefined;
  readonly role?: Role | undefined;
  /** A member who goes stays in their departments and comes back there; every session, key and queue of theirs ends. */
  readonly isActive?: boolean | undefined;
  /** A PHC string; every key of theirs ends. A new member without one cannot sign in with a password. */
  readonly passwordHash?: string | undefined;
  /** Codes of all their departments, the main one first. */
  readonly departments?: readonly string[] | undefined;
}

export interface AppliedPlan {
  /** Everybody whom the plan names by an email, by that email in lower case. */
  readonly users: ReadonlyMap<string, number>;
  readonly difference: OrganisationDifference;
}
