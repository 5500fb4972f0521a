import type { FormerName, User, UserSettings } from '@engawa/protocol';
import type { DepartmentNode, DirectoryEntry } from '@engawa/protocol/product';
import type { Failure } from '../connection/failure.ts';
import type { Seen, Status } from './presence.ts';

/** Settings to change; the others stay. */
export type SettingsChange = Omit<UserSettings, 'frequent_emoji' | 'color_scheme'> & {
  readonly color_scheme?: 1 | 2 | 3 | undefined;
  /** Of the IANA time zone database. It is shown once its event arrives. */
  readonly timezone?: string | undefined;
};

export interface PeopleState {
  readonly users: ReadonlyMap<number, User>;
  /** The newest last. */
  readonly formerNames: readonly FormerName[];
  /** By user id; empty until it is loaded. */
  readonly directory: ReadonlyMap<number, DirectoryEntry>;
  readonly departments: readonly DepartmentNode[] | undefined;
  readonly departmentsFailure: Failure | undefined;
  /** The member's own location; undefined until it is loaded, empty if they never set one. */
  readonly location: string | undefined;
  readonly profileFailure: Failure | undefined;
  /** By user id; without an entry the presence is unknown. */
  readonly presences: ReadonlyMap<number, Seen>;
  /** The last update of presences that the server has sent; -1 before the first. */
  readonly presenceUpdate: number;
  /** Seconds between two reports of the own presence, and seconds after which a silent member counts as offline. */
  readonly presenceSeconds: { readonly ping: number; readonly offline: number };
  /** By user id; includes statuses that have expired since. */
  readonly statuses: ReadonlyMap<number, Status>;
  /** Unix seconds by the server's clock, updated every ten seconds: presence and the end of a status depend on it. */
  readonly now: number;
  /** Seconds by which the server's clock is ahead of ours. */
  readonly clockAhead: number;
  /** As stored on the server. */
  readonly settings: UserSettings;
  /** Changes that the server has not answered yet, the oldest first. */
  readonly pendingSettings: readonly SettingsChange[];
}

export const initialPeople: PeopleState = {
  users: new Map(),
  formerNames: [],
  directory: new Map(),
  departments: undefined,
  departmentsFailure: undefined,
  location: undefined,
  profileFailure: undefined,
  presences: new Map(),
  presenceUpdate: -1,
  presenceSeconds: { ping: 60, offline: 200 },
  statuses: new Map(),
  now: 0,
  clockAhead: 0,
  settings: {},
  pendingSettings: [],
};
