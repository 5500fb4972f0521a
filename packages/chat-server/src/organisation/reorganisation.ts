import type { Role } from '@engawa/protocol';

/** Who changes the organisation: a member, by their number, or whoever runs the server. */
export type Reorganiser = number | 'console';

/** A user's number, or the email of one whom the same change makes. */
export type Person = number | string;

export interface NewPerson {
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** A PHC string; empty: they cannot sign in with a password. */
  readonly password: string;
}

/** What is not named stays. */
export interface PersonChange {
  readonly userId: number;
  readonly email?: string | undefined;
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly isActive?: boolean | undefined;
  /** A PHC string. Every key and queue that they had ends. */
  readonly password?: string | undefined;
}

/** A stream that stands for something outside; see `Bindings`. */
export interface BoundStreamChange {
  /** Absent: it is made, private, with a history that whoever joins reads. */
  readonly streamId?: number | undefined;
  /** Absent: it keeps its name. The first that is free becomes its name; where none is, the first with a number. */
  readonly names?: readonly string[] | undefined;
  readonly isArchived?: boolean | undefined;
  readonly joins: readonly Person[];
  readonly leaves: readonly Person[];
}

/** A change of people and of the streams that they are in because of where they belong. */
export interface Reorganisation {
  /** A change with an id that was made is not made again. */
  readonly id: string;
  readonly by: Reorganiser;
  readonly made: readonly NewPerson[];
  readonly changed: readonly PersonChange[];
  readonly streams: readonly BoundStreamChange[];
}

/** The numbers that were given. */
export interface Reorganised {
  /** In the order of `made`. */
  readonly users: readonly number[];
  /** In the order of `streams`. */
  readonly streams: readonly number[];
}
