import type { Role } from '@engawa/protocol';
import { memberships } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { roleOf } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { type Steps, mostTogether, slicesOf } from '../turns.ts';

/** `joined`: unix seconds. */
export interface UserSummary {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly hasPassword: boolean;
  readonly joined: number;
}

export interface StreamSummary {
  readonly streamId: number;
  readonly name: string;
  readonly isArchived: boolean;
}

export interface Overview {
  readonly people: readonly UserSummary[];
  readonly streams: readonly StreamSummary[];
  /** The requested people's current memberships in the requested streams, also those of inactive people. */
  readonly stays: readonly { readonly streamId: number; readonly userId: number }[];
}

export interface OverviewRequest {
  readonly userIds: readonly number[];
  readonly emails: readonly string[];
  readonly streamIds: readonly number[];
  readonly also?: 'owners' | 'everybody';
}

/** Reads in steps, so what changes meanwhile may be seen in part. */
export function* overview(reader: Reader, { userIds, emails, streamIds, also }: OverviewRequest): Steps<Overview> {
  const byId = new Map<number, UserSummary>();
  const add = (rows: readonly UserRow[]) => {
    for (const row of rows.filter(isPerson)) byId.set(row.id, userSummary(row));
  };
  if (also === 'owners') add(users.owners(reader));
  if (also === 'everybody') yield* addAll(reader, add);
  for (const ids of slicesOf(userIds)) {
    add(users.byIds(reader, ids));
    yield;
  }
  for (const some of slicesOf(emails)) {
    add(users.byEmails(reader, some));
    yield;
  }
  const stays: { streamId: number; userId: number }[] = [];
  for (const ids of streamIds.length > 0 ? slicesOf([...byId.keys()]) : []) {
    for (const { conversation_id: streamId, user_id: userId } of memberships.currentAmong(reader, streamIds, ids)) {
      stays.push({ streamId, userId });
    }
    yield;
  }
  return {
    people: [...byId.values()],
    streams: streams
      .byIds(reader, streamIds)
      .map(({ conversation_id, name, is_archived }) => ({ streamId: conversation_id, name, isArchived: is_archived === 1 })),
    stays,
  };
}

function* addAll(reader: Reader, add: (rows: readonly UserRow[]) => void): Steps<void> {
  for (const rows of users.pages(reader, mostTogether)) {
    add(rows);
    yield;
  }
}

/** Bots are no people: they have no department, and nobody imports or invites them. */
const isPerson = ({ is_bot }: UserRow): boolean => is_bot === 0;

function userSummary(user: UserRow): UserSummary {
  return {
    userId: user.id,
    email: user.email,
    fullName: user.full_name,
    role: roleOf(user),
    isActive: user.is_active === 1,
    hasPassword: user.password !== '',
    joined: user.date_joined,
  };
}

export function allUsers(reader: Reader): UserSummary[] {
  return users.all(reader).filter(isPerson).map(userSummary);
}

export function usersAfter(reader: Reader, id: number, most: number): UserSummary[] {
  return users.peopleAfter(reader, id, most).map(userSummary);
}

export interface ListedStream extends StreamSummary {
  readonly description: string;
  readonly isPublic: boolean;
  /** Null if the organisation created the stream. */
  readonly creatorId: number | null;
  readonly created: number;
}

export function allStreams(reader: Reader): ListedStream[] {
  const order = new Intl.Collator('ja');
  return streams
    .all(reader)
    .map((row) => ({
      streamId: row.conversation_id,
      name: row.name,
      description: row.description,
      isArchived: row.is_archived === 1,
      isPublic: row.invite_only === 0,
      creatorId: row.creator_id,
      created: row.created,
    }))
    .toSorted((one, other) => order.compare(one.name, other.name) || one.streamId - other.streamId);
}
