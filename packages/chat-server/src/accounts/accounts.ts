import type { Role } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { apiKeys, endApiKeys, hashApiKey, issueApiKey } from './apiKeys.ts';
import type { KeyUses } from './keyUses.ts';
import type { Passwords } from './password.ts';
import type { SignInAttempts } from './signInAttempts.ts';
import { type UserRow, users } from '../identity/store.ts';
import { roleOf } from '../identity/member.ts';

/** What the program around the chat server may know of a user's way in. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** Whether they can sign in with one. */
  readonly hasPassword: boolean;
  /** How often they were deactivated: what was given out before holds no longer. */
  readonly deactivations: number;
}

/** A key of a program of the user's own. Times are unix seconds. */
export interface ProgramKey {
  readonly id: number;
  readonly created: number;
  /** To within some minutes; null: never. */
  readonly last_used: number | null;
}

/** Accounts for the program around the chat server, which asks who may do what before it calls. */
export interface Accounts {
  of(userId: number): Account | undefined;
  byEmail(email: string): Account | undefined;
  /** The number of a key that holds; undefined when there is none. */
  keyId(apiKey: string): number | undefined;
  /**
   * Makes a key for a browser of somebody who has shown in another way than by a password who they are.
   * @throws ChatError when there is no such user, or none who is active.
   */
  enter(userId: number): Promise<{ readonly apiKey: string; readonly email: string }>;
  /** Those of the user's own programs, the newest first. */
  programKeys(userId: number): readonly ProgramKey[];
  /** Ends those of the user's keys that are chosen, with their queues. @returns how many there were. */
  endKeys(userId: number, chosen: KeyChoice): Promise<number>;
  /** @returns a PHC string. @throws ChatError 503 where too many wait for a hash. */
  hashPassword(password: string): Promise<string>;
  /**
   * Ends all keys and queues of the user in the same transaction.
   * @param hash a PHC string, as `hashPassword` makes it.
   * @throws ChatError when there is no such user, or none who is active.
   */
  setPassword(userId: number, hash: string): Promise<void>;
  /**
   * The same for users who change it themselves: they know the current one, and the key that they do it with stays.
   * Attempts take turns and are counted with those of signing in.
   * @throws ChatError AUTHENTICATION_FAILED, RATE_LIMIT_HIT
   */
  changePassword(userId: number, change: PasswordChange): Promise<void>;
}

interface PasswordChange {
  readonly current: string;
  readonly next: string;
  /** The number of the key that stays. */
  readonly kept: number | undefined;
  readonly address: string | undefined;
}

type KeyChoice = 'all' | 'programs' | { readonly program: number } | { readonly browsers: readonly number[] };

export interface AccountRooms {
  readonly database: Database;
  readonly queues: Queues;
  readonly attempts: SignInAttempts;
  readonly passwords: Passwords;
  readonly keyUses: KeyUses;
  readonly clock: Clock;
}

export function createAccounts({ database, queues, attempts, passwords, keyUses, clock }: AccountRooms): Accounts {
  const replacePassword = (tx: Transaction, { id, email }: UserRow, hash: string, kept?: number) => {
    users.setPassword(tx, id, hash);
    endApiKeys(
      tx,
      queues,
      apiKeys.of(tx, id).filter((key) => key.id !== kept),
    );
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
    endKeys: (userId, chosen) =>
      database.write((tx) => {
        const ended = apiKeys.of(tx, userId).filter((key) => isChosen(key, chosen));
        endApiKeys(tx, queues, ended);
        return ended.length;
      }),
    hashPassword: (password) => passwords.hash(password),
    setPassword: (userId, hash) => database.write((tx) => replacePassword(tx, activeUser(tx, userId), hash)),
    async changePassword(userId, { current, next, kept, address }) {
      const { email } = activeUser(database.reader, userId);
      const known = await attempts.inTurn({ name: email, address }, async () => {
        const user = activeUser(database.reader, userId);
        return (await passwords.isOf(user, current)) ? user : undefined;
      });
      const hash = await passwords.hash(next);
      await database.write((tx) => {
        const user = activeUser(tx, userId);
        // It may have been set anew since it was looked at.
        if (user.password !== known.password) throw refused.wrongPassword();
        replacePassword(tx, user, hash, kept);
      });
    },
  };
}

function activeUser(reader: Reader, userId: number): UserRow {
  const user = users.byId(reader, userId);
  if (!user) throw refused.noSuchUser();
  if (!user.is_active) throw refused.userDeactivated();
  return user;
}

function accountOf(user: UserRow | undefined): Account | undefined {
  if (!user) return undefined;
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

function isChosen(key: { readonly id: number; readonly kind: string }, chosen: KeyChoice): boolean {
  if (chosen === 'all') return true;
  if (chosen === 'programs') return key.kind === 'program';
  if ('program' in chosen) return key.kind === 'program' && key.id === chosen.program;
  return key.kind === 'browser' && chosen.browsers.includes(key.id);
}
