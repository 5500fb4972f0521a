import { roles } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { refused } from '../errors.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { users } from '../identity/store.ts';
import { cleanOrganisationName } from '../realm/settings.ts';
import { insertRealm, requireEmpty } from './importOrganisation.ts';

/** `passwordHash` is a PHC string, so that the caller never stores the password. */
export interface NewOrganisation {
  readonly name: string;
  readonly owner: { readonly email: string; readonly fullName: string; readonly passwordHash: string };
}

/** @returns the owner's id. @throws NotEmptyError; ChatError for an invalid name or email. */
export function createOrganisation(database: Database, clock: Clock, { name, owner }: NewOrganisation): Promise<number> {
  return database.write((tx) => {
    requireEmpty(tx);
    const email = owner.email.trim();
    if (!isEmailAddress(email)) throw refused.because('Invalid address.');
    const created = seconds(clock);
    insertRealm(tx, { name: cleanOrganisationName(name), description: '' }, created);
    return users.insert(tx, {
      email,
      full_name: cleanFullName(owner.fullName),
      role: roles.owner,
      is_bot: 0,
      password: owner.passwordHash,
      timezone: '',
      avatar_url: null,
      date_joined: created,
    });
  });
}
