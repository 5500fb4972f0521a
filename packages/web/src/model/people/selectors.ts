import { roles, type User, type UserSettings } from '@engawa/protocol';
import type { Session } from '@engawa/protocol/product';
import { memoise, perKey } from '../memoise.ts';
import { presenceAt, statusAt, type Presence, type Status } from './presence.ts';
import { isAdministrator } from './roles.ts';
import type { PeopleState, SettingsChange } from './state.ts';

export interface Me {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly avatarUrl: string | undefined;
  readonly isAdministrator: boolean;
  readonly isGuest: boolean;
  /** A name of the IANA time zone database; empty if the member never set a zone. */
  readonly timezone: string;
}

export interface Person {
  readonly standing: 'owner' | 'administrator' | 'member';
  readonly isGuest: boolean;
  readonly isBot: boolean;
  readonly userId: number;
  readonly fullName: string;
  /** Empty if the server withholds it. */
  readonly email: string;
  readonly avatarUrl: string | undefined;
  /** The reading of the name in kana; empty if unknown. */
  readonly reading: string;
  readonly title: string;
}

export const selectLocation = ({ location }: PeopleState) => location;
export const selectProfileFailure = ({ profileFailure }: PeopleState) => profileFailure;
export const selectDepartments = ({ departments }: PeopleState) => departments;
export const selectDepartmentsFailure = ({ departmentsFailure }: PeopleState) => departmentsFailure;

const meOf = memoise((member: Session['member'], user: User | undefined): Me | undefined =>
  member
    ? {
        userId: member.user_id,
        email: user?.delivery_email ?? user?.email ?? member.email,
        fullName: user?.full_name ?? member.full_name,
        avatarUrl: user?.avatar_url ?? undefined,
        isAdministrator: user !== undefined && isAdministrator(user),
        isGuest: user?.is_guest ?? false,
        timezone: user?.timezone ?? '',
      }
    : undefined,
);

export function selectMe({ session: { member }, users }: PeopleState): Me | undefined {
  return meOf(member, member ? users.get(member.user_id) : undefined);
}

export const selectName = ({ users }: PeopleState, userId: number) => users.get(userId)?.full_name;

export const selectIsBot = ({ users }: PeopleState, userId: number) => users.get(userId)?.is_bot ?? false;

export function selectAvatarUrl({ users }: PeopleState, userId: number, otherwise: string | undefined): string | undefined {
  const user = users.get(userId);
  return user ? (user.avatar_url ?? undefined) : otherwise;
}

/** Empty if the server withholds it. Such a server has another address in `email`, at which nobody can be reached. */
function addressOf({ delivery_email: delivery, email }: User): string {
  return delivery === null ? '' : (delivery ?? email);
}

export function personOf(user: User, directory: PeopleState['directory']): Person {
  const { user_id, full_name, avatar_url, role } = user;
  const { reading = '', title = '' } = directory.get(user_id) ?? {};
  return {
    userId: user_id,
    fullName: full_name,
    email: addressOf(user),
    avatarUrl: avatar_url ?? undefined,
    reading,
    title,
    isGuest: role === roles.guest,
    isBot: user.is_bot,
    standing: role === roles.owner ? 'owner' : role === roles.administrator ? 'administrator' : 'member',
  };
}

const settingsOf = memoise((stored: UserSettings, pending: readonly SettingsChange[]) =>
  pending.reduce<UserSettings>((settings, change) => ({ ...settings, ...change }), stored),
);

/** The member's settings, with changes that the server has not answered yet. A setting unknown to the server is absent. */
export const selectSettings = ({ settings, pendingSettings }: PeopleState) => settingsOf(settings, pendingSettings);

/** Whether others see which messages the member has read; undefined if the server does not say. */
export const selectSendsReceipts = (state: PeopleState) => selectSettings(state).send_read_receipts;

const presenceViews = perKey<number, (kind: Presence['kind'], lastSeen: number | undefined) => Presence>(() =>
  memoise((kind, lastSeen) => ({ kind, lastSeen })),
);

/** Undefined if unknown. A member who hides their own presence does not see those of others. */
export function selectPresence(state: PeopleState, userId: number | undefined): Presence | undefined {
  const { presences, now, presenceSeconds } = state;
  const seen = userId === undefined ? undefined : presences.get(userId);
  if (userId === undefined || !seen || selectSettings(state).presence_enabled === false) return undefined;
  const { kind, lastSeen } = presenceAt(seen, now, presenceSeconds.offline);
  return presenceViews(userId)(kind, lastSeen);
}

/** Undefined if the member has set none, or it has expired. */
export function selectStatus({ statuses, now }: PeopleState, userId: number): Status | undefined {
  const status = statuses.get(userId);
  return status && statusAt(status, now);
}
