import type { Role } from '@engawa/protocol';

export type Reorganiser = number | 'console';

/** A user's id, or the email of a user that the same reorganisation creates. */
export type Person = number | string;

export interface NewPerson {
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** A PHC string; empty: no password. */
  readonly password: string;
}

/** A property that is absent does not change. */
export interface PersonChange {
  readonly userId: number;
  readonly email?: string | undefined;
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly isActive?: boolean | undefined;
  /** A PHC string. It ends all keys and queues of the user. */
  readonly password?: string | undefined;
}

export interface BoundStreamChange {
  /** If absent, a new private stream with shared history is created. */
  readonly streamId?: number | undefined;
  /** The stream gets the first free name, or else the first one with a number. If absent, it keeps its name. */
  readonly names?: readonly string[] | undefined;
  readonly isArchived?: boolean | undefined;
  readonly joins: readonly Person[];
  readonly leaves: readonly Person[];
}

export interface Reorganisation {
  /** A second reorganisation with this id changes nothing and returns the first result. */
  readonly id: string;
  readonly by: Reorganiser;
  readonly made: readonly NewPerson[];
  readonly changed: readonly PersonChange[];
  readonly streams: readonly BoundStreamChange[];
}

/** The ids of new users and of streams, in the order of `made` and `streams`. */
export interface Reorganised {
  readonly users: readonly number[];
  readonly streams: readonly number[];
}
