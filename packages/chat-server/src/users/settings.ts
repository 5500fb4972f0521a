import { updateSettings } from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { type SettingRooms, changeSettings } from '../settings/change.ts';
import { settingsAsked } from '../settings/check.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import type { Groups } from '../identity/groups.ts';
import { userNow } from '../identity/currentMember.ts';
import { type UserRow, users } from '../identity/store.ts';
import { changeName, tellOfUser } from './update.ts';

/** Who changes a member's email: they themselves, or only administrators, and those by a reorganisation. */
export type EmailChanges = 'own' | 'administrators';

export interface OwnSettingRooms extends SettingRooms {
  readonly groups: Groups;
  readonly emailChanges: EmailChanges;
}

/** What a member says of themselves and has chosen for themselves. All that is asked changes, or nothing; what is so already is told to nobody. */
export function settingsRoute({ groups, emailChanges, ...rooms }: OwnSettingRooms): Route {
  const { database, log } = rooms;
  return memberRoute(updateSettings, async ({ full_name, email, timezone, ...chosen }, { member }) => {
    await database.write((tx) => {
      const user = userNow(tx, member);
      if (full_name !== undefined) changeName(tx, log, user, cleanFullName(full_name));
      if (timezone !== undefined) changeTimezone(tx, log, user, timezone);
      if (email !== undefined) changeOwnEmail(tx, log, user, email.trim(), emailChanges);
      changeSettings(tx, rooms, user.id, settingsAsked(tx, groups, chosen));
    });
    return {};
  });
}

function changeTimezone(tx: Transaction, log: EventLog, { id, email, ...before }: UserRow, timezone: string): void {
  if (timezone === before.timezone) return;
  if (!isTimezone(timezone)) throw refused.because('timezone is not a recognized time zone');
  users.setTimezone(tx, id, timezone);
  tellOfUser(tx, log, id, { email, timezone });
}

function changeOwnEmail(tx: Transaction, log: EventLog, user: UserRow, email: string, changes: EmailChanges): void {
  // Whoever has an open browser or a key for a moment would have the account for good: links for passwords go to the address.
  if (changes !== 'own' && email !== user.email) {
    throw refused.because('Email address changes are disabled in this organization.');
  }
  changeEmail(tx, log, user, email);
}

/** The user's keys work with the new address from then on, and with the old one no longer. */
export function changeEmail(tx: Transaction, log: EventLog, { id, ...before }: UserRow, email: string): void {
  if (email === before.email) return;
  if (!isEmailAddress(email)) throw refused.because('Invalid address.');
  const holder = users.byEmail(tx, email);
  if (holder && holder.id !== id) throw refused.emailInUse(email);
  users.setEmail(tx, id, email);
  tellOfUser(tx, log, id, { delivery_email: email });
  tellOfUser(tx, log, id, { new_email: email });
}

/** A name of the IANA database: Intl takes offsets such as +09:00 as well, and names in any case. */
function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
