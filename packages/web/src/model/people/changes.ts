import { roles, userSettings, type ServerEvent, type User, type UserGroup, type UserSettings } from '@engawa/protocol';
import type { DepartmentNode, DirectoryEntry, Profile } from '@engawa/protocol/product';
import { withEntry } from '../collections.ts';
import type { EventOf } from '../connection/state.ts';
import { presencesAfter, statusAfter, type Presences, type Status } from './presence.ts';
import type { PeopleState, SettingsChange } from './state.ts';

export function peopleAfter<S extends PeopleState>(state: S, event: ServerEvent): S {
  switch (event.type) {
    case 'realm_user':
      return userChanged(state, event);
    case 'realm_emoji':
      return { ...state, customEmoji: Object.values(event.realm_emoji) };
    case 'user_group':
      return groupChanged(state, event);
    case 'user_settings':
      return settingChanged(state, event);
    case 'presence':
      return presencesArrived(state, event.presences ?? slimPresences(event));
    case 'directory':
      return directoryChanged(state, event.people ?? []);
    case 'user_status':
      return withStatus(state, event.user_id, statusAfter(state.statuses.get(event.user_id), event));
    default:
      return state;
  }
}

function groupChanged<S extends PeopleState>(state: S, event: EventOf<'user_group'>): S {
  const groups = new Map(state.groups);
  if (event.op === 'add') return { ...state, groups: groups.set(event.group.id, event.group) };
  const { group_id: id } = event;
  const group = groups.get(id);
  if (event.op === 'remove') groups.delete(id);
  else if (group) groups.set(id, groupAfter(group, event));
  return { ...state, groups };
}

function withOrWithout(ids: readonly number[], some: readonly number[], op: string): number[] {
  const left = ids.filter((id) => !some.includes(id));
  return op.startsWith('add') ? [...left, ...some] : left;
}

function groupAfter(group: UserGroup, event: Exclude<EventOf<'user_group'>, { op: 'add' | 'remove' }>): UserGroup {
  if (event.op === 'update') {
    const { name = group.name, description = group.description, deactivated = group.deactivated } = event.data;
    return { ...group, name, description, deactivated };
  }
  return 'user_ids' in event
    ? { ...group, members: withOrWithout(group.members, event.user_ids, event.op) }
    : { ...group, direct_subgroup_ids: withOrWithout(group.direct_subgroup_ids, event.direct_subgroup_ids, event.op) };
}

/** @param changed the new entries of some members. */
function directoryChanged<S extends PeopleState>(state: S, changed: readonly DirectoryEntry[]): S {
  if (changed.length === 0) return state;
  const entries = new Map(changed.map((each) => [each.user_id, each]));
  const withMembers = (node: DepartmentNode): DepartmentNode => {
    const others = (node.memberIds ?? []).filter((id) => !entries.has(id));
    const members = changed.filter(({ departments }) => departments.includes(node.departmentCd)).map(({ user_id }) => user_id);
    const memberIds = [...others, ...members].toSorted((one, other) => one - other);
    return { ...node, memberIds, ...(node.children && { children: node.children.map(withMembers) }) };
  };
  return {
    ...state,
    directory: new Map([...state.directory, ...entries]),
    departments: state.departments?.map(withMembers),
  };
}

export function profileLoaded<S extends PeopleState>(state: S, { location }: Pick<Profile, 'location'>): S {
  return { ...state, location, profileFailure: undefined };
}

export function profileSaved<S extends PeopleState>(state: S, profile: Profile): S {
  const loaded = profileLoaded(state, profile);
  const me = state.memberId === undefined ? undefined : state.users.get(state.memberId);
  if (!me) return loaded;
  const { name: full_name, email, avatar_url } = profile;
  return withUser(loaded, me, { ...me, full_name, email, delivery_email: email, avatar_url });
}

export function settingsRequested<S extends PeopleState>(state: S, change: SettingsChange): S {
  return { ...state, pendingSettings: [...state.pendingSettings, change] };
}

export function settingsStored<S extends PeopleState>(state: S, change: UserSettings): S {
  return { ...state, settings: { ...state.settings, ...change } };
}

/** @param change The requested object itself, because a later request may be equal and still wait for its answer. */
export function settingsAnswered<S extends PeopleState>(state: S, change: SettingsChange): S {
  return { ...state, pendingSettings: state.pendingSettings.filter((each) => each !== change) };
}

function settingChanged<S extends PeopleState>(state: S, { property, value }: EventOf<'user_settings'>): S {
  const { data: change } = userSettings.safeParse({ [property]: value });
  return change ? settingsStored(state, change) : state;
}

export function presencesArrived<S extends PeopleState>(state: S, presences: Presences, update = state.presenceUpdate): S {
  return { ...state, presences: presencesAfter(state.presences, presences), presenceUpdate: update };
}

export function presencesForgotten<S extends PeopleState>(state: S): S {
  return { ...state, presences: new Map(), presenceUpdate: -1 };
}

/** @param now Unix seconds by this machine's clock. */
export function clockRead<S extends PeopleState>(state: S, now: number): S {
  return { ...state, now: now + state.clockAhead };
}

export function ownStatusSet<S extends PeopleState>(state: S, status: Status | undefined): S {
  return state.memberId === undefined ? state : withStatus(state, state.memberId, status);
}

function withStatus<S extends PeopleState>(state: S, userId: number, status: Status | undefined): S {
  return { ...state, statuses: withEntry(state.statuses, userId, status) };
}

function userChanged<S extends PeopleState>(state: S, event: EventOf<'realm_user'>): S {
  if (event.op === 'add') return { ...state, users: withEntry(state.users, event.person.user_id, event.person) };
  if (event.op === 'remove') return userRemoved(state, event.person.user_id);
  const { user_id, full_name, avatar_url, delivery_email, timezone, new_email: email = event.person.email } = event.person;
  const { role, is_active, bot_owner_id } = event.person;
  const known = state.users.get(user_id);
  if (!known) return state;
  return withUser(state, known, {
    ...known,
    ...(full_name === undefined ? {} : { full_name }),
    ...(avatar_url === undefined ? {} : { avatar_url }),
    ...(email === undefined ? {} : { email }),
    ...(delivery_email === undefined ? {} : { delivery_email }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(role === undefined ? {} : { role, is_guest: role === roles.guest }),
    ...(is_active === undefined ? {} : { is_active }),
    ...(bot_owner_id === undefined ? {} : { bot_owner_id }),
  });
}

/** A guest no longer sees this user. A deactivated user is only updated, because their messages still show them as sender. */
function userRemoved<S extends PeopleState>(state: S, userId: number): S {
  const known = state.users.get(userId);
  if (state.removalDeactivates) return known ? withUser(state, known, { ...known, is_active: false }) : state;
  return {
    ...state,
    users: withEntry(state.users, userId, undefined),
    directory: withEntry(state.directory, userId, undefined),
    presences: withEntry(state.presences, userId, undefined),
    statuses: withEntry(state.statuses, userId, undefined),
    formerNames: state.formerNames.filter(({ user_id }) => user_id !== userId),
  };
}

function withUser<S extends PeopleState>(state: S, before: User, changed: User): S {
  const { user_id, full_name: name } = before;
  return {
    ...state,
    users: withEntry(state.users, user_id, changed),
    formerNames: name === changed.full_name ? state.formerNames : [...state.formerNames, { user_id, name }],
  };
}

/** The presence in an event of the legacy form, which has the last report of each client of one member. */
function slimPresences({ user_id, presence: clients = {} }: Pick<EventOf<'presence'>, 'user_id' | 'presence'>): Presences {
  if (user_id === undefined) return {};
  const reports = Object.values(clients);
  const active_timestamp = newestOf(reports.filter(({ status }) => status === 'active'));
  return { [user_id]: { active_timestamp, idle_timestamp: newestOf(reports) } };
}

const newestOf = (reports: readonly { readonly timestamp: number }[]): number =>
  Math.max(0, ...reports.map(({ timestamp }) => timestamp));
