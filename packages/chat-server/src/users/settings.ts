import {
  type AudienceSetting,
  type ParametersOut,
  type UserSettings,
  everySetting,
  updateNotificationSettings,
  updateSettings,
} from '@engawa/protocol';
import { z } from 'zod/mini';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { guestStreams } from '../conversations/guestSight.ts';
import { drafts } from '../drafts/store.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { userNow } from '../identity/currentMember.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import type { Groups } from '../identity/groups.ts';
import { type Member, isGuest, viewerOf } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import type { Presence } from '../presence/presence.ts';
import { seesUser } from '../privacy/seenUsers.ts';
import { changeSetting, isSame } from '../settings/change.ts';
import { type NamedInAudiences, checkedSettings } from '../settings/check.ts';
import { settings } from '../settings/store.ts';
import { publishStatus } from '../status/events.ts';
import { publishPicture, publishUser } from './events.ts';
import { changeName } from './update.ts';

/** Emails are changed by each member, or only by administrators in a reorganisation. */
export type EmailChanges = 'own' | 'administrators';

export interface SettingDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly presence: Presence;
  readonly groups: Groups;
  readonly emailChanges: EmailChanges;
}

export function settingRoutes({ database, log, presence, groups, emailChanges }: SettingDependencies): Route[] {
  const change = ({ full_name, email, timezone, ...changes }: ParametersOut<typeof updateSettings>, member: Member) =>
    database.write((tx) => {
      const user = userNow(tx, member);
      if (full_name !== undefined) changeOwnName(tx, log, user, cleanFullName(full_name));
      if (timezone !== undefined) changeTimezone(tx, log, user, timezone);
      if (email !== undefined) changeOwnEmail(tx, log, user, email.trim(), emailChanges);
      changeSettings(tx, log, presence, user.id, checkedSettings(changes, namedBy(tx, groups, user)));
    });
  return [
    memberRoute(updateSettings, (changes, { member }) => change(changes, member)),
    memberRoute(updateNotificationSettings, (changes, { member }) => change(changes, member)),
  ];
}

/** A guest keeps naming whom their audiences name already, also when they no longer see that user or department. */
function namedBy(reader: Reader, groups: Groups, user: UserRow): NamedInAudiences {
  const member = viewerOf(user);
  if (!isGuest(member)) {
    return { user: (id) => users.byId(reader, id) !== undefined, department: (code) => groups.isAudienceGroup(code) };
  }
  const { photo_audience, status_audience, groups_audience } = settings.of(reader, user.id);
  const before = [photo_audience, status_audience, groups_audience];
  const streams = guestStreams(reader, member);
  return {
    user: (id) => seesUser(reader, member, id) || before.some(({ user_ids }) => user_ids.includes(id)),
    department: (code) =>
      groups.isAudienceGroup(code, streams) ||
      groups.audienceGroupsOf(user.id).has(code) ||
      before.some(({ departments }) => departments.includes(code)),
  };
}

function changeSettings(tx: Transaction, log: EventLog, presence: Presence, userId: number, changes: UserSettings): void {
  const before = settings.of(tx, userId);
  for (const name of z.keyof(everySetting).options) {
    const value = changes[name];
    if (value !== undefined) changeSetting(tx, log, userId, name, value);
  }
  const after = settings.of(tx, userId);
  if (!after.enable_drafts_synchronization) drafts.removeAll(tx, userId);
  if (after.presence_enabled !== before.presence_enabled) presence.show(tx, userId, after.presence_enabled);
  const changeOf = (name: AudienceSetting) =>
    isSame(before[name], after[name]) ? undefined : { before: before[name], after: after[name] };
  const [photo, status] = [changeOf('photo_audience'), changeOf('status_audience')];
  // Published even if there is no picture or status now: a client may still show one, and would not get its removal.
  if (photo) publishPicture(tx, log, userId, photo);
  if (status) publishStatus(tx, log, userId, status);
}

function changeTimezone(tx: Transaction, log: EventLog, { id, email, ...before }: UserRow, timezone: string): void {
  if (timezone === before.timezone) return;
  if (!isTimezone(timezone)) throw refused.because('timezone is not a recognized time zone');
  users.setTimezone(tx, id, timezone);
  publishUser(tx, log, id, { email, timezone });
}

/** The refusal of a name or address that another user has would reveal to a guest who is in the organisation. */
function refuseGuest(user: UserRow): void {
  if (isGuest(user)) throw refused.forGuests();
}

function changeOwnName(tx: Transaction, log: EventLog, user: UserRow, fullName: string): void {
  if (fullName !== user.full_name) refuseGuest(user);
  changeName(tx, log, user, fullName, 'own');
}

function changeOwnEmail(tx: Transaction, log: EventLog, user: UserRow, email: string, changes: EmailChanges): void {
  if (email !== user.email) refuseGuest(user);
  // Password links are mailed to this address, so anyone with a stolen key could otherwise take over the account.
  if (changes !== 'own' && email !== user.email) {
    throw refused.because('Email address changes are disabled in this organization.');
  }
  changeEmail(tx, log, user, email);
}

/** Changes the email of a user, whose keys then work only with the new address. */
export function changeEmail(tx: Transaction, log: EventLog, { id, ...before }: UserRow, email: string): void {
  if (email === before.email) return;
  if (!isEmailAddress(email)) throw refused.because('Invalid address.');
  const holder = users.byEmail(tx, email);
  if (holder && holder.id !== id) throw refused.emailInUse(email);
  users.setEmail(tx, id, email);
  publishUser(tx, log, id, { delivery_email: email });
  publishUser(tx, log, id, { new_email: email });
}

/** Accepts only exact names of the IANA database. `Intl` alone would accept offsets (+09:00) and other cases. */
function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
