import { statementsOf } from '@engawa/chat-server/database';
import type { Generated } from 'kysely';

export type LinkKind = 'invitation' | 'password';

/** The product's own tables, beside the chat server's. Times are unix seconds; truth values are 0 or 1. */
export interface Schema {
  session: {
    /** SHA-256 of the token that only the browser has. */
    token_hash: Uint8Array;
    /** What its member calls it by: another random value, which opens nothing. */
    id: string;
    user_id: number;
    /** The member's authorization at the chat server, sealed under a key that is derived from the token. */
    sealed: Uint8Array;
    /** As the browser named itself when the session began; empty where it did not. */
    user_agent: string;
    created: number;
    /** When it was last used, to within some minutes. */
    used: number;
    /** The number of its key at the chat server, which ends with it; null where the key is shared. */
    key_id: number | null;
  };
  /** A link that does one thing once. */
  one_time_link: {
    id: Generated<number>;
    /** SHA-256 of the token that stands in the link alone. */
    token_hash: Uint8Array;
    kind: LinkKind;
    /** What for: there is one that holds for each. */
    purpose: string;
    /** What it does, in JSON, by its kind; see `accounts/links.ts`. */
    terms: string;
    /** Null: whoever sits at the machine, or the member themselves. */
    made_by: number | null;
    made: number;
    ends: number;
  };
  department: {
    department_cd: string;
    /** Null for a root. */
    parent: string | null;
    /** Among its siblings, from 0. */
    position: number;
    display_name: string;
    /** The stream that the department is bound to. */
    stream_id: number | null;
  };
  department_member: {
    department_cd: string;
    user_id: number;
    /** Of this department among the member's own, from 0: the first is the main one. */
    position: number;
  };
  file: {
    stored_name: string;
    /** The file's name on the disk, which no request chooses. */
    place: string;
    uploader_id: number;
    /** The original name, NFC. */
    name: string;
    /** Bytes. */
    size: number;
    /** By content, of a short list; see `storage/contentType.ts`. */
    type: string;
    created: number;
    /** Whether a message has carried it. */
    sent: number;
  };
  /** What the organisation, or members themselves, say of them and the chat server does not know. Empty: nobody has. */
  profile: {
    user_id: number;
    location: string;
    /** Of the name, in kana. */
    reading: string;
    /** Their post. */
    title: string;
    /** By which the organisation knows them, whatever becomes of their address. Text: 0012 is not 12. */
    employee_number: string;
  };
  /** Pictures of streams: as those of members. */
  stream_picture: { stream_id: number; version: string; type: string; size: number };
  /** Pictures of members: one each, and while it is exchanged the one before. */
  avatar: {
    user_id: number;
    /** The picture's name in its address and on the disk, which we make ourselves and never use twice. */
    version: string;
    /** By content. */
    type: string;
    /** Bytes. */
    size: number;
  };
  /** Which user each member of the demo organisation became, by the email that they had then. */
  demo_member: { email: string; user_id: number };
  /**
   * The change of people and departments that is under way; see `organisation/`. `change`: all of it, in JSON; `made`:
   * both databases have it, and it is left to tell.
   */
  organisation_change: { id: string; change: string; made: number };
  /** Whether the demo organisation was begun, and whether it came to its end. */
  seeding: { id: 1; finished: number };
}

export const statement = statementsOf<Schema>();
