import type { ReadReceiptsShown } from '@engawa/protocol';
import type { Generated, Selectable } from 'kysely';
import { queriesOf, statementsOf } from './database/index.ts';

export type ApiKeyKind = 'program' | 'browser';

/** The chat server's tables. Times are unix seconds; truth values are 0 or 1. */
export interface Schema {
  realm: {
    id: number;
    name: string;
    description: string;
    epoch: string;
    created: number;
    /** Seconds in which a message may be corrected, deleted, and its topic changed; null: always. */
    content_edit_limit: number | null;
    deletion_limit: number | null;
    topic_edit_limit: number | null;
    /** Of which messages a member sees who has read them. */
    read_receipts: ReadReceiptsShown;
  };
  /**
   * Numbers that are handed out once, in the order of commits: `event`, `api_key`; how far the log was pruned: `pruned`;
   * and a number that changes with the alert words.
   */
  counter: { name: 'event' | 'api_key' | 'pruned' | 'alert_words'; value: number };
  user: {
    id: Generated<number>;
    email: string;
    full_name: string;
    role: number;
    is_active: number;
    is_bot: number;
    /** A PHC string; empty: they have none, and cannot sign in with one. */
    password: string;
    timezone: string;
    avatar_url: string | null;
    avatar_version: number;
    date_joined: number;
    /** The message id up to which an old client has read; -1 at the beginning. */
    pointer: Generated<number>;
    /** How often they were deactivated: what was given out before holds no longer. */
    deactivations: Generated<number>;
  };
  /** What a user has chosen for themselves, by its name in the chat API; a row only where it is not as usual. */
  user_setting: {
    name: string;
    user_id: number;
    /** JSON. */
    value: string;
  };
  /** The last change of the organisation; `numbers`: what it gave out, in JSON. See `reorganisation/`. */
  reorganisation: { id: string; numbers: string };
  api_key: {
    id: number;
    /** SHA-256 in hex. */
    hash: string;
    user_id: number;
    created: number;
    /** Who uses it: a program of the member's own, or a browser's session, which it ends with. */
    kind: ApiKeyKind;
    /** When a program used it last, to within some minutes; null: never. */
    last_used: number | null;
  };
  conversation: { id: Generated<number>; kind: 'stream' | 'direct'; shared_history: number };
  stream: {
    conversation_id: number;
    name: string;
    /** The name as names are compared: `streamNameKey`. */
    name_key: string;
    description: string;
    invite_only: number;
    is_archived: number;
    creator_id: number | null;
    created: number;
    first_message_id: number | null;
    /** Where its picture is. */
    picture_url: string | null;
  };
  /** A direct conversation. `participants`: their ids, ascending, joined by commas. */
  direct: { conversation_id: number; participants: string };
  /** One row per stay: the event and the newest message at which it began and ended. */
  membership: {
    id: Generated<number>;
    conversation_id: number;
    user_id: number;
    began_event: number;
    began_message: number;
    ended_event: number | null;
    ended_message: number | null;
    color: string;
    is_muted: number;
    pin_to_top: number;
    /** By what the member is told of messages there; null: as they are told elsewhere. */
    desktop_notifications: number | null;
    audible_notifications: number | null;
    push_notifications: number | null;
    email_notifications: number | null;
    wildcard_mentions_notify: number | null;
    /** The member has put it away, out of their list. */
    put_away: Generated<number>;
  };
  message: {
    id: Generated<number>;
    conversation_id: number;
    sender_id: number;
    topic: string;
    /** The topic as topics are compared: `topicKey`. */
    topic_key: string;
    content: string;
    client: string;
    timestamp: number;
    last_edit_timestamp: number | null;
    last_moved_timestamp: number | null;
    /** Bits of `featureBits`: what its content holds. */
    features: number;
    /** A deleted message keeps its row, without content, so that its place is known. */
    deleted: number | null;
  };
  /** What stood in a message before a correction. A deleted message has none. */
  message_edit: {
    id: Generated<number>;
    message_id: number;
    user_id: number;
    timestamp: number;
    prev_content: string | null;
    prev_topic: string | null;
    topic: string | null;
  };
  reaction: {
    id: Generated<number>;
    message_id: number;
    user_id: number;
    emoji_name: string;
    emoji_code: string;
    reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
  };
  /** What users were called before, by rising id. */
  former_name: { id: Generated<number>; user_id: number; name: string };
  /** `word_key`: the word as words are compared. */
  alert_word: { id: Generated<number>; user_id: number; word: string; word_key: string };
  /** When users who show it were last there: did something, and were connected. */
  presence: { user_id: number; active: number; idle: number };
  /** What users say of themselves at the moment. Empty texts where it is not set; `ends`: when it is taken back. */
  user_status: {
    user_id: number;
    status_text: string;
    emoji_name: string;
    emoji_code: string;
    reaction_type: string;
    ends: number | null;
  };
  realm_emoji: {
    id: Generated<number>;
    name: string;
    source_url: string;
    author_id: number | null;
    deactivated: number;
  };
  linkifier: { id: Generated<number>; pattern: string; url_template: string };
  /** A client's own id of a message it sent, so that sending twice is sending once. */
  client_message: { sender_id: number; client_message_id: string; message_id: number; sent: number };
  /** What a member has read of a conversation, as `ReadRanges` in JSON. */
  read_state: { user_id: number; conversation_id: number; ranges: string };
  read_recently: { user_id: number; conversation_id: number; ranges: string };
  /** Bits of `flagBits`; a row only where a bit is set. */
  message_flag: { user_id: number; message_id: number; bits: number };
  event: {
    id: number;
    type: string;
    /** `viewers`: of a public stream, everybody but guests, and its members. */
    reach: 'self' | 'members' | 'viewers' | 'everyone' | 'members_without_guests';
    /** The user or the conversation that the reach is about. */
    reach_id: number | null;
    /** The message that it tells about: it is told only to those who may read that message. */
    message_id: number | null;
    /** JSON object without `id` and `type`. */
    payload: string;
    created: number;
  };
  queue: {
    id: string;
    user_id: number;
    /** The key that it was registered with: they end together. */
    key_id: number | null;
    epoch: string;
    /** `QueueOptions` in JSON. */
    options: string;
    /** The newest event at its registration: what came before is in the snapshot. */
    began: number;
    lifespan: number;
    contacted: number;
  };
}

/** A row of a table as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;

export const statement = statementsOf<Schema>();
export const queries = queriesOf<Schema>();
