import type { Role } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type UserRow, users } from '../identity/store.ts';
import { roleOf } from '../identity/member.ts';
import { memberships } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';

/** A user, as whoever runs the server knows them. */
export interface KnownPerson {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly hasPassword: boolean;
  /** Unix seconds. */
  readonly joined: number;
}

export interface KnownStream {
  readonly streamId: number;
  readonly name: string;
  readonly isArchived: boolean;
}

/** What a change of the organisation is planned against. */
export interface Known {
  readonly people: readonly KnownPerson[];
  readonly streams: readonly KnownStream[];
  /** Who of the people is in which of the streams now, active or not. */
  readonly stays: readonly { readonly streamId: number; readonly userId: number }[];
}

export interface KnownAsked {
  readonly userIds: readonly number[];
  readonly emails: readonly string[];
  readonly streamIds: readonly number[];
  /** Beside those who are named. */
  readonly also?: 'owners' | 'everybody';
}

/** Those whom these numbers and emails name, and these streams. */
export function known(reader: Reader, { userIds, emails, streamIds, also }: KnownAsked): Known {
  const others = { owners: users.owners, everybody: users.all };
  const rows = new Map(
    [...(also ? others[also](reader) : []), ...users.byIds(reader, userIds), ...users.byEmails(reader, emails)].map((row) => [
      row.id,
      row,
    ]),
  );
  const stays = memberships.currentAmong(reader, streamIds, [...rows.keys()]);
  return {
    people: [...rows.values()].map(knownPerson),
    streams: streams
      .byIds(reader, streamIds)
      .map(({ conversation_id, name, is_archived }) => ({ streamId: conversation_id, name, isArchived: is_archived === 1 })),
    stays: stays.map(({ conversation_id, user_id }) => ({ streamId: conversation_id, userId: user_id })),
  };
}

function knownPerson(user: UserRow): KnownPerson {
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

/** Everybody, by rising number. The work grows with the users. */
export function everybody(reader: Reader): KnownPerson[] {
  return users.all(reader).map(knownPerson);
}

/** A stream, as whoever runs the server knows it: what is said in it is not theirs to know. */
export interface ListedStream extends KnownStream {
  readonly description: string;
  readonly isPublic: boolean;
  /** Null: nobody's own, the organisation's. */
  readonly creatorId: number | null;
  /** Unix seconds. */
  readonly created: number;
}

/** Every stream, archived ones too, by name. The work grows with the streams. */
export function everyStream(reader: Reader): ListedStream[] {
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
