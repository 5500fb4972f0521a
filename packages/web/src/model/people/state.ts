import {
  formerName,
  realmEmoji,
  user,
  userGroup,
  userSettings,
  presenceSeconds,
  type FormerName,
  type RealmEmoji,
  type RegistrationSnapshot,
  type User,
  type UserGroup,
  type UserSettings,
} from '@engawa/protocol';
import type { DepartmentNode, DirectoryEntry } from '@engawa/protocol/product';
import { z } from 'zod/mini';
import type { Failure } from '../connection/failure.ts';
import type { ConnectionState } from '../connection/state.ts';
import { presencesAfter, statusAfter, type PresenceTimes, type Status } from './presence.ts';

export type SettingsChange = Omit<UserSettings, 'frequent_emoji' | 'color_scheme'> & {
  readonly color_scheme?: 1 | 2 | 3 | undefined;
  /** A name of the IANA time zone database. A change is shown once its event arrives, unlike other settings. */
  readonly timezone?: string | undefined;
};

export interface PeopleState extends ConnectionState {
  readonly users: ReadonlyMap<number, User>;
  /** Whether the event `realm_user`/`remove` says that a user was deactivated, not that a guest no longer sees them. */
  readonly removalDeactivates: boolean;
  readonly formerNames: readonly FormerName[];
  /** Custom emoji, also deactivated ones, which messages may still show. */
  readonly customEmoji: readonly RealmEmoji[];
  /** User groups by id, also those of roles and departments. */
  readonly groups: ReadonlyMap<number, UserGroup>;
  /** By user id; empty until it is loaded. */
  readonly directory: ReadonlyMap<number, DirectoryEntry>;
  readonly departments: readonly DepartmentNode[] | undefined;
  readonly departmentsFailure: Failure | undefined;
  /** The member's own location; undefined until it is loaded, empty if they never set one. */
  readonly location: string | undefined;
  readonly profileFailure: Failure | undefined;
  /** By user id; without an entry the presence is unknown. */
  readonly presences: ReadonlyMap<number, PresenceTimes>;
  /** The number of the last presence update from the server; -1 before the first. */
  readonly presenceUpdate: number;
  /** Seconds between two reports of the own presence, and seconds after which a silent member counts as offline. */
  readonly presenceSeconds: { readonly ping: number; readonly offline: number };
  /** By user id; includes statuses that have expired since. */
  readonly statuses: ReadonlyMap<number, Status>;
  /** Unix seconds by the server's clock, updated every ten seconds, because presence and the end of a status depend on it. */
  readonly now: number;
  /** Seconds by which the server's clock is ahead of this machine's. */
  readonly clockAhead: number;
  readonly settings: UserSettings;
  /** Changes that the server has not answered yet, the oldest first. */
  readonly pendingSettings: readonly SettingsChange[];
}

export const initialPeople: Omit<PeopleState, keyof ConnectionState> = {
  users: new Map(),
  removalDeactivates: false,
  formerNames: [],
  groups: new Map(),
  customEmoji: [],
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

/** The feature level from which deactivating a user is an `update` of them. */
const deactivationByUpdate = 222;

/** The part of the state that the answer of register contains and that tabs send each other. */
export const peopleSnapshot = {
  users: z.map(z.int(), user),
  removalDeactivates: z.boolean(),
  formerNames: z.array(formerName),
  groups: z.map(z.int(), userGroup),
  customEmoji: z.array(realmEmoji),
  settings: userSettings,
  presences: z.readonly(z.map(z.int(), z.object({ active: z.int(), idle: z.int() }))),
  presenceUpdate: z.int(),
  presenceSeconds: z.object({ ping: z.int(), offline: z.int() }),
  statuses: z.map(z.int(), z.object({ text: z.string(), busy: z.boolean(), until: z.optional(z.int()) })),
  now: z.number(),
  clockAhead: z.number(),
};

/** @param now Unix seconds by this machine's clock. */
export function peopleFrom(registration: RegistrationSnapshot, now: number) {
  const { realm_users = [], realm_non_active_users = [], cross_realm_bots = [] } = registration;
  // Only being in that list says that these users are deactivated.
  const deactivated = realm_non_active_users.map((each) => ({ ...each, is_active: false }));
  const statuses = Object.entries(registration.user_status ?? {});
  return {
    users: new Map([...realm_users, ...deactivated, ...cross_realm_bots].map((each) => [each.user_id, each])),
    removalDeactivates: registration.zulip_feature_level < deactivationByUpdate,
    formerNames: registration.former_names ?? [],
    groups: new Map((registration.realm_user_groups ?? []).map((group) => [group.id, group])),
    customEmoji: Object.values(registration.realm_emoji ?? {}),
    settings: registration.user_settings ?? {},
    presences: presencesAfter(new Map(), registration.presences ?? {}),
    presenceUpdate: registration.presence_last_update_id ?? -1,
    presenceSeconds: {
      ping: registration.server_presence_ping_interval_seconds ?? presenceSeconds.ping,
      offline: registration.server_presence_offline_threshold_seconds ?? presenceSeconds.offline,
    },
    statuses: new Map(statuses.map(([id, status]) => [Number(id), statusAfter(undefined, status)])),
    now: registration.server_timestamp ?? now,
    clockAhead: (registration.server_timestamp ?? now) - now,
  };
}
