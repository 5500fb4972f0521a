import { maxDirectParticipants } from '@engawa/protocol';
import { z } from 'zod';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type UserRow, users } from '../identity/store.ts';
import { type Viewer, seesUser } from '../privacy/seenUsers.ts';

export type UserName = number | string;

/**
 * The users that `to` names (chat API, POST /messages and /typing) and the sender, ids ascending; empty if `to` names nobody.
 * @throws ChatError for inactive users, for users whom the sender does not see, as for unknown ones, and for more than `maxDirectParticipants`.
 */
export function recipientsIn(reader: Reader, sender: Viewer, to: string): UserRow[] {
  const named = new Set(namesIn(to));
  if (named.size === 0) return [];
  if (named.size > maxDirectParticipants) throw tooMany();
  const participants = new Map(
    [sender.id, ...named].map((name) => {
      const user = activeUser(reader, sender, name);
      return [user.id, user];
    }),
  );
  if (participants.size > maxDirectParticipants) throw tooMany();
  return [...participants.values()].toSorted((one, other) => one.id - other.id);
}

const tooMany = () => refused.because(`Too many recipients (maximum ${maxDirectParticipants}).`);

function activeUser(reader: Reader, sender: Viewer, name: UserName): UserRow {
  const user = userNamed(reader, sender, name);
  if (!user) throw refused.because(typeof name === 'number' ? `Invalid user ID ${name}` : `Invalid email '${name}'`);
  if (!user.is_active) throw refused.because(`'${user.email}' is no longer using Zulip.`);
  return user;
}

/** @returns undefined for a missing user, and for one whom the viewer does not see. */
export function userNamed(reader: Reader, viewer: Viewer, name: UserName): UserRow | undefined {
  const user = typeof name === 'number' ? users.byId(reader, name) : users.byEmail(reader, name);
  return user && seesUser(reader, viewer, user.id) ? user : undefined;
}

export function emailsIn(text: string): string[] {
  return text
    .split(',')
    .map((email) => email.trim())
    .filter((email) => email !== '');
}

const names = z.array(z.union([z.int(), z.string()]));

/** @param to ids or emails as JSON, one alone or several in a list; or emails as plain text. */
function namesIn(to: string): UserName[] {
  const value = valueIn(to);
  if (typeof value === 'string') return emailsIn(value);
  const list = names.safeParse(Array.isArray(value) ? value : [value]);
  if (!list.success) throw refused.because('Invalid data type for recipients');
  const kinds = new Set(list.data.map((name) => typeof name));
  if (kinds.size > 1) throw refused.because('Recipient lists may contain emails or user IDs, but not both.');
  return list.data.flatMap((name): UserName[] => (typeof name === 'string' ? emailsIn(name) : [name]));
}

export function valueIn(to: string): unknown {
  try {
    return JSON.parse(to);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return to;
  }
}
