import { queriesOf } from '@engawa/chat-server/database';
import type { CallAnswer, CallEndReason, CallKind } from '@engawa/protocol/calls';
import type { HookError } from '@engawa/protocol/hooks';
import type { OffReason, PostError } from '@engawa/protocol/outgoing-hooks';
import type { Generated } from 'kysely';

export type LinkKind = 'invitation' | 'password';

/** Times are Unix seconds, booleans 0 or 1. */
export interface Schema {
  session: {
    /** SHA-256 of the token, which only the browser has. */
    token_hash: Uint8Array;
    /** A random id by which the member refers to the session; it grants nothing. */
    id: string;
    user_id: number;
    /** The member's authorization at the chat server, encrypted with a key derived from the token. */
    sealed: Uint8Array;
    user_agent: string;
    /** The network address of the sign-in; empty for sessions of earlier versions. */
    address: string;
    created: number;
    /** The last use, accurate to some minutes. */
    used: number;
    /** The id of the session's own API key; null if sessions share the member's key (fake sign-in). */
    key_id: number | null;
    /** How often the member had been deactivated at the sign-in; null for sessions of earlier versions. */
    deactivations: number | null;
  };
  /** A browser in which a member has signed in before. Members who share a browser share its hash. */
  known_device: {
    /** SHA-256 of the token, which only the browser has. */
    token_hash: Uint8Array;
    user_id: number;
    /** The last sign-in. */
    used: number;
  };
  one_time_link: {
    id: Generated<number>;
    /** SHA-256 of the token in the link. */
    token_hash: Uint8Array;
    kind: LinkKind;
    /** At most one link is valid per purpose. */
    purpose: string;
    terms: string;
    /** Null for the operator, or for the member's own request. */
    made_by: number | null;
    made: number;
    ends: number;
  };
  department: {
    department_cd: string;
    parent: string | null;
    position: number;
    display_name: string;
    stream_id: number | null;
  };
  department_member: {
    department_cd: string;
    user_id: number;
    /** 0 is the main department. */
    position: number;
  };
  file: {
    stored_name: string;
    /** The generated name of the file on the disk, which no request can choose. */
    place: string;
    uploader_id: number;
    /** The original name, NFC. */
    name: string;
    size: number;
    type: string;
    created: number;
    /** 1: a message has carried the file. */
    sent: number;
  };
  /**
   * The messages that carry a file, if the chat server has no index of them. With id 0, `content` and `sender_id` are those of a
   * message that was about to be sent.
   */
  sent_file: { stored_name: string; message_id: number; sender_id: number; content: string };
  /** Texts of a member that are not set are empty. */
  profile: {
    user_id: number;
    location: string;
    reading: string;
    title: string;
    /** Text: 0012 is not 12. */
    employee_number: string;
  };
  /** The number of a file in the chat API. Triggers add and remove rows. */
  attachment: { id: number; stored_name: string };
  /** Pictures of custom emoji. The chat server has the emoji. */
  emoji_picture: { version: string; type: string; size: number };
  stream_picture: { stream_id: number; version: string; type: string; size: number };
  /** A member's picture; two rows exist while a new one replaces the old one. */
  avatar: {
    user_id: number;
    version: string;
    type: string;
    size: number;
  };
  /** An incoming hook. Its name and its owner are those of its bot. */
  hook: {
    bot_id: number;
    /** The member who got the address. It ends when the bot gets another owner. */
    owner_id: number;
    /** SHA-256 of the token, which only the sender has. */
    token_hash: Uint8Array;
    stream_id: number;
    topic: string;
    created: number;
    /** The last message, accurate to a minute. */
    used: number | null;
    error: HookError | null;
    error_time: number | null;
  };
  /** An outgoing hook. The name is that of its bot. */
  outgoing_hook: {
    bot_id: number;
    /** The owner who chose the address. A later owner of the bot confirms it first. */
    owner_id: number;
    address: string;
    /** JSON. */
    stream_ids: string;
    /** Signs each post, so it is not hashed. */
    secret: string;
    /** Null while the hook is on. */
    off: OffReason | null;
    created: number;
    /** The newest event of the chat server that needs no post any more. */
    cursor: number;
    last_success: number | null;
    /** The first failure since the last success. */
    failing_since: number | null;
    error: PostError | null;
    error_status: number | null;
    error_time: number | null;
    /** The message whose post failed and is repeated; null without one, and then so are the next two. */
    message_id: number | null;
    attempts: number;
    first_attempt: number | null;
    next_attempt: number | null;
    dropped: number;
  };
  /** An origin to which hooks may post. */
  hook_origin: { origin: string; is_private: number };
  demo_member: { email: string; user_id: number };
  /** `made`: both databases have the change, and only the notifications are left. */
  organisation_change: { id: string; change: string; made: number };
  /** `dismissed`: the guide to the first steps is put away. `mail`: a test mail was accepted. */
  first_step: { name: 'dismissed' | 'mail' };
  call: {
    id: string;
    /** A stream's id, or the ids of the participants of a direct conversation in JSON, ascending. */
    conversation: string;
    kind: CallKind;
    started_by: number;
    started: number;
    /** The last time at which the call was seen, at most a minute old. It is the end of a call that the server did not end itself. */
    alive: number;
    /** Null while the call goes on. */
    ended: number | null;
    reason: CallEndReason | null;
    /** Null until the message that announces the call is sent. */
    message_id: number | null;
  };
  call_member: {
    call_id: string;
    user_id: number;
    answer: CallAnswer;
    /** Null for members who have not joined. */
    first_joined: number | null;
    last_left: number | null;
  };
  /** A stream that a member has archived in their own list, if the chat server is Zulip; so are the three tables below. */
  put_away: {
    user_id: number;
    stream_id: number;
    /** The newest message of the stream at that time. A later message that mentions the member brings the stream back. */
    newest_message: number;
  };
  /** A setting that Zulip does not store. `value`: JSON. */
  own_setting: { user_id: number; name: string; value: string };
  /** An unsent text. `recipients`: a list of ids in JSON; `revision` counts the edits. Ids are never used again. */
  draft: {
    id: Generated<number>;
    user_id: number;
    type: '' | 'stream' | 'private';
    recipients: string;
    topic: string;
    content: string;
    edited: number;
    revision: number;
  };
  /** A deleted message, without content. `conversation`: as in `call`; `timestamp`: when the message was sent. */
  tombstone: {
    message_id: number;
    conversation: string;
    topic: string;
    sender_id: number;
    timestamp: number;
  };
  /** The Zulip server whose ids this database has; empty with the embedded chat server. */
  zulip_site: { id: 1; address: string };
  seeding: { id: 1; finished: number };
  /** The figures of the last week for the status page. `figures`: JSON, see `metrics/samples.ts`. */
  sample: { time: number; figures: string };
}

export const queries = queriesOf<Schema>();
