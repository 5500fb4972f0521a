import { randomUUID } from 'node:crypto';
import { roles, defaultEditLimits } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { refused } from '../errors.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { users } from '../identity/store.ts';
import { cleanOrganisationName } from '../realm/name.ts';
import { NotEmptyError } from './importOrganisation.ts';
import { realms } from '../realm/store.ts';

/** The first of an organisation: its name, and the member who owns it. */
export interface Founding {
  readonly name: string;
  readonly owner: {
    readonly email: string;
    readonly fullName: string;
    /** A PHC string. */
    readonly passwordHash: string;
  };
}

/**
 * Begins an organisation in an empty chat server.
 * @returns its owner's number.
 * @throws NotEmptyError when there is one. @throws ChatError when a name or the email is malformed.
 */
export function foundOrganisation(database: Database, clock: Clock, { name, owner }: Founding): Promise<number> {
  return database.write((tx) => {
    if (realms.get(tx)) throw new NotEmptyError('an organisation is there already');
    const email = owner.email.trim();
    if (!isEmailAddress(email)) throw refused.because('Invalid address.');
    const created = seconds(clock);
    realms.insert(tx, {
      name: cleanOrganisationName(name),
      description: '',
      epoch: randomUUID(),
      created,
      content_edit_limit: defaultEditLimits.content,
      deletion_limit: defaultEditLimits.deletion,
      topic_edit_limit: defaultEditLimits.topic,
      read_receipts: 'own',
    });
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
