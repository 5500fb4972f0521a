import { queriesOf } from '@engawa/chat-server/database';
import type { Generated } from 'kysely';

export type LinkKind = 'invitation' | 'password';

/** The product's own tables; the chat server has its own. Times are Unix seconds, booleans 0 or 1. */
export interface Schema {
  session: {
    /** SHA-256 of the token, which only the browser has. */
    token_hash: Uint8Array;
    /** A random id by which the member refers to the session; it grants nothing. */
    id: string;
    user_id: number;
    /** The member's authorization at the chat server, encrypted with a key derived from the token. */
    sealed: Uint8Array;
    /** From the sign-in; may be empty. */
    user_agent: string;
    created: number;
    /** The last use, accurate to some minutes. */
    used: number;
    /** The id of the session's own key at the chat server; null for a shared key. */
    key_id: number | null;
  };
  /** Links that work once. */
  one_time_link: {
    id: Generated<number>;
    /** SHA-256 of the token, which is only in the link. */
    token_hash: Uint8Array;
    kind: LinkKind;
    /** At most one link is valid per purpose. */
    purpose: string;
    /** JSON, by kind; see `accounts/oneTimeLinks.ts`. */
    terms: string;
    /** Null for the operator, or for the member's own request. */
    made_by: number | null;
    made: number;
    ends: number;
  };
  department: {
    department_cd: string;
    /** Null for a root. */
    parent: string | null;
    /** The index among its siblings. */
    position: number;
    display_name: string;
    /** The department's stream. */
    stream_id: number | null;
  };
  department_member: {
    department_cd: string;
    user_id: number;
    /** The index among the member's departments; 0 is the main one. */
    position: number;
  };
  file: {
    stored_name: string;
    /** A generated file name; no request chooses it. */
    place: string;
    uploader_id: number;
    /** The original name, NFC. */
    name: string;
    /** Bytes. */
    size: number;
    /** Detected from the content; see `storage/contentType.ts`. */
    type: string;
    created: number;
    /** Whether a message has carried the file. */
    sent: number;
  };
  /** Data about members that the chat server does not have. Empty: not set. */
  profile: {
    user_id: number;
    location: string;
    /** The name in kana. */
    reading: string;
    /** The job title. */
    title: string;
    /** Identifies the member in the organisation, even if their email changes. Text: 0012 is not 12. */
    employee_number: string;
  };
  /** Pictures of streams, like those of members. */
  stream_picture: { stream_id: number; version: string; type: string; size: number };
  /** Pictures of members: one each, and two while it changes. */
  avatar: {
    user_id: number;
    /** A generated name for the URL and the disk, never reused. */
    version: string;
    /** Detected from the content. */
    type: string;
    /** Bytes. */
    size: number;
  };
  /** The user of each demo member, by their original email. */
  demo_member: { email: string; user_id: number };
  /**
   * The pending change of the organisation; see `organisation/`. `change` is JSON; `made`: both databases have it, and only
   * the notifications are left.
   */
  organisation_change: { id: string; change: string; made: number };
  /** Whether the demo organisation was begun, and whether its seeding finished. */
  seeding: { id: 1; finished: number };
}

export const queries = queriesOf<Schema>();
