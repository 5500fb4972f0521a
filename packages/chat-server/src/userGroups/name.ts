import { maxUserGroupDescription, maxUserGroupName } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { plainName } from '../text/plainName.ts';

/** Names with the same key are the same name. Mentions are found by it. */
export const groupNameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** @throws ChatError also for a name that a mention cannot contain. */
export function cleanGroupName(name: string): string {
  const cleaned = plainName(name).trim();
  if (groupNameKey(cleaned) === '') throw refused.because("User group name can't be empty!");
  if ([...cleaned].length > maxUserGroupName) {
    throw refused.because(`User group name cannot exceed ${maxUserGroupName} characters.`);
  }
  const prefix = reserved.find((each) => groupNameKey(cleaned).startsWith(each));
  if (prefix !== undefined) throw refused.because(`User group name cannot start with '${prefix}'.`);
  if (/[*\p{Cc}\p{Zl}\p{Zp}]/u.test(cleaned)) throw refused.because('Invalid character in user group name.');
  return cleaned;
}

export function cleanGroupDescription(description: string): string {
  if ([...description].length > maxUserGroupDescription) {
    throw refused.because(`description is too long (limit: ${maxUserGroupDescription} characters)`);
  }
  return description.toWellFormed();
}
