import type { Role } from '@engawa/protocol';
import { seconds } from '../clock.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import { apiKeys, endApiKeys, hashApiKey, issueApiKey } from './apiKeys.ts';
import type { KeyUses } from './keyUses.ts';
import type { SignInDependencies } from './signIn.ts';
import { refuseNameOfOther } from '../identity/sameLook.ts';
import { type UserRow, users } from '../identity/store.ts';
import { roleOf } from '../identity/member.ts';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly hasPassword: boolean;
  /** How often the user was deactivated. Sessions and links from before the last time are no longer valid. */
  readonly deactivations: number;
}

/** Times are unix seconds. `last_used` is accurate to about five minutes, because not every use is stored; null means never. */
export interface ProgramKey {
  readonly id: number;
  readonly created: number;
  readonly last_used: number | null;
}

/** The accounts of people, not of bots, for the program that embeds the chat server. It must check permissions itself before it calls. */
export interface Accounts {
  of(userId: number): Account | undefined;
  byEmail(email: string): Account | undefined;
  keyId(apiKey: string): number | undefined;
  /** Issues a key for a browser session. The caller has authenticated the user. @throws ChatError without such an active user. */
  enter(userId: number): Promise<{ readonly apiKey: string; readonly email: string }>;
  /** Returns the newest key first. */
  programKeys(userId: number): readonly ProgramKey[];
  /** Also ends the queues of the keys. @returns the number of ended keys. */
  endKeys(userId: number, selection: KeySelection): Promise<number>;
  /** For the name that a person chooses for their new account. @throws ChatError NAME_IN_USE */
  requireFreeName(fullName: string): void;
  /** @returns the hash as a PHC string. @throws ChatError 503 if too many passwords wait to be hashed. */
  hashPassword(password: string): Promise<string>;
  /** Also revokes all keys of the user. @param hash a PHC string. @throws ChatError if there is no such active user. */
  setPassword(userId: number, hash: string): Promise<void>;
  /** A wrong current password counts as a failed sign-in. @throws ChatError AUTHENTICATION_FAILED, RATE_LIMIT_HIT */
  changePassword(userId: number, change: PasswordChange): Promise<void>;
}

interface PasswordChange {
  readonly current: string;
  readonly next: string;
  /** The only key of the user that is not revoked. */
  readonly kept: number | undefined;
  readonly address: string | undefined;
}

type KeySelection = 'all' | 'programs' | { readonly program: number } | { readonly browsers: readonly number[] };

export interface AccountDependencies extends SignInDependencies {
  readonly keyUses: KeyUses;
}

export function createAccounts({ database, queues, attempts, passwords, keyUses, clock }: AccountDependencies): Accounts {
  const replacePassword = (tx: Transaction, { id, email }: UserRow, hash: string, kept?: number) => {
    users.setPassword(tx, id, hash);
    const ended = apiKeys.of(tx, id).filter((key) => key.id !== kept);
    endApiKeys(tx, queues, ended);
    tx.afterCommit(() => attempts.forgive(email));
  };

  return {
    of: (userId) => accountOf(users.byId(database.reader, userId)),
    byEmail: (email) => accountOf(users.byEmail(database.reader, email)),
    keyId: (apiKey) => apiKeys.byHash(database.reader, hashApiKey(apiKey))?.id,
    enter: (userId) =>
      database.write((tx) => {
        const { email } = activeUser(tx, userId);
        const apiKey = issueApiKey(tx, queues, { user_id: userId, kind: 'browser', created: seconds(clock) });
        return { apiKey, email };
      }),
    programKeys: (userId) =>
      apiKeys
        .of(database.reader, userId)
        .filter(({ kind }) => kind === 'program')
        .map((key) => ({ id: key.id, created: key.created, last_used: keyUses.lastOf(key) })),
    endKeys: (userId, selection) =>
      database.write((tx) => {
        const ended = apiKeys.of(tx, userId).filter((key) => isSelected(key, selection));
        endApiKeys(tx, queues, ended);
        return ended.length;
      }),
    requireFreeName: (fullName) => refuseNameOfOther(database.reader, fullName),
    hashPassword: (password) => passwords.hash(password),
    setPassword: (userId, hash) => database.write((tx) => replacePassword(tx, activeUser(tx, userId), hash)),
    async changePassword(userId, { current, next, kept, address }) {
      const { email } = activeUser(database.reader, userId);
      // A caller who is signed in counts as a known device, so that strangers cannot keep a member from changing the password.
      const known = await attempts.inTurn({ name: email, address, device: `member ${userId}` }, async () => {
        const user = activeUser(database.reader, userId);
        return (await passwords.isOf(user, current)) ? user : undefined;
      });
      const hash = await passwords.hash(next);
      await database.write((tx) => {
        const user = activeUser(tx, userId);
        // The password may have changed while the current one was verified, which is asynchronous.
        if (user.password !== known.password) throw refused.wrongPassword();
        replacePassword(tx, user, hash, kept);
      });
    },
  };
}

function activeUser(reader: Reader, userId: number): UserRow {
  const user = users.byId(reader, userId);
  if (!user || user.is_bot) throw refused.noSuchUser();
  if (!user.is_active) throw refused.userDeactivated();
  return user;
}

function accountOf(user: UserRow | undefined): Account | undefined {
  if (!user || user.is_bot) return undefined;
  const { id, email, full_name, deactivations } = user;
  return {
    id,
    email,
    full_name,
    role: roleOf(user),
    isActive: user.is_active === 1,
    hasPassword: user.password !== '',
    deactivations,
  };
}

function isSelected(key: { readonly id: number; readonly kind: string }, selection: KeySelection): boolean {
  if (selection === 'all') return true;
  if (selection === 'programs') return key.kind === 'program';
  if ('program' in selection) return key.kind === 'program' && key.id === selection.program;
  return key.kind === 'browser' && selection.browsers.includes(key.id);
}
