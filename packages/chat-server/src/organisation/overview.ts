import type { Role } from '@engawa/protocol';
import { memberships } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { roleOf } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';

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

export function overview(reader: Reader, { userIds, emails, streamIds, also }: OverviewRequest): Overview {
  const more = { owners: users.owners, everybody: users.all };
  const rows = [...(also ? more[also](reader) : []), ...users.byIds(reader, userIds), ...users.byEmails(reader, emails)];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    people: [...byId.values()].map(userSummary),
    streams: streams
      .byIds(reader, streamIds)
      .map(({ conversation_id, name, is_archived }) => ({ streamId: conversation_id, name, isArchived: is_archived === 1 })),
    stays: memberships
      .currentAmong(reader, streamIds, [...byId.keys()])
      .map(({ conversation_id, user_id }) => ({ streamId: conversation_id, userId: user_id })),
  };
}

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
  return users.all(reader).map(userSummary);
}

export function usersAfter(reader: Reader, id: number, most: number): UserSummary[] {
  return users.after(reader, id, most).map(userSummary);
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
