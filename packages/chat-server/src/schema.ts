import type { BotCreation, BotType, ReadReceiptsShown } from '@engawa/protocol';
import type { Generated, Selectable } from 'kysely';
import { queriesOf } from './database/index.ts';

export type ApiKeyKind = 'program' | 'browser';

/** The chat server's tables. Times are unix seconds; truth values are 0 or 1. */
export interface Schema {
  realm: {
    id: number;
    name: string;
    description: string;
    epoch: string;
    created: number;
    /** Seconds after sending in which a message may be edited; the next columns limit deleting and moving. Null: always. */
    content_edit_limit: number | null;
    deletion_limit: number | null;
    topic_edit_limit: number | null;
    read_receipts: ReadReceiptsShown;
    bot_creation: Generated<BotCreation>;
  };
  /**
   * The last id of `api_key`, which is never reused; the newest pruned event; the version of all alert words; the versions of all
   * users, of what messages show, and of all user groups, which triggers count.
   */
  counter: { name: 'api_key' | 'pruned' | 'alert_words' | 'users' | 'messages' | 'user_groups'; value: number };
  user: {
    id: Generated<number>;
    email: string;
    full_name: string;
    role: number;
    is_active: number;
    is_bot: number;
    /** A PHC string; empty: no password. */
    password: string;
    timezone: string;
    avatar_url: string | null;
    avatar_version: number;
    date_joined: number;
    /** The message id up to which the user has read, for Zulip before 3.0; -1 at the beginning. */
    pointer: Generated<number>;
    /** How often the user was deactivated. Sessions and links from before the last time are not valid. */
    deactivations: Generated<number>;
    /** Only of bots. `granted_role` is the role that the bot has unless its owner has fewer rights. */
    bot_type: BotType | null;
    bot_owner_id: number | null;
    granted_role: number | null;
  };
  /** The streams are ids. An empty key has ended. */
  bot: {
    user_id: number;
    api_key: string;
    default_sending_stream: number | null;
    default_events_register_stream: number | null;
    default_all_public_streams: number;
  };
  /** A user's settings that differ from the default; `value` is JSON. */
  user_setting: { name: string; user_id: number; value: string };
  /** The last reorganisation; `numbers` is its result in JSON. See `organisation/`. */
  reorganisation: { id: string; numbers: string };
  api_key: {
    id: number;
    /** SHA-256 in hex. */
    hash: string;
    user_id: number;
    created: number;
    kind: ApiKeyKind;
    /** When a program last used the key, accurate to about five minutes. Null: never. */
    last_used: number | null;
  };
  conversation: { id: Generated<number>; kind: 'stream' | 'direct'; shared_history: number };
  stream: {
    conversation_id: number;
    name: string;
    name_key: string;
    description: string;
    invite_only: number;
    is_archived: number;
    creator_id: number | null;
    created: number;
    first_message_id: number | null;
    picture_url: string | null;
    /** Whether new members join it. */
    is_default: Generated<number>;
  };
  /** A direct conversation. `participants`: their ids, ascending, joined by commas. */
  direct: { conversation_id: number; participants: string };
  /** One row per membership period, with the newest event and message at its beginning and at its end. */
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
    desktop_notifications: number | null;
    audible_notifications: number | null;
    push_notifications: number | null;
    email_notifications: number | null;
    wildcard_mentions_notify: number | null;
    put_away: Generated<number>;
  };
  message: {
    id: Generated<number>;
    conversation_id: number;
    sender_id: number;
    topic: string;
    topic_key: string;
    content: string;
    client: string;
    timestamp: number;
    last_edit_timestamp: number | null;
    last_moved_timestamp: number | null;
    features: number;
    /** 1: its sender read it by sending it, and has not marked it as unread since. 0 also for older messages. */
    read_by_sender: Generated<number>;
    /** `MessageNotice` in JSON: the server wrote the message. */
    notice: string | null;
    /** When the message was deleted. Its row stays without content, because read ranges and search need its position. */
    deleted: number | null;
  };
  /** All messages by their senders, except the newest (`messages/sentMessages.ts`). */
  sent_message: { conversation_id: number; sender_id: number; message_id: number };
  /** The state of a message before an edit. Deleting a message deletes these rows. */
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
  former_name: { id: Generated<number>; user_id: number; name: string };
  alert_word: { id: Generated<number>; user_id: number; word: string; word_key: string };
  /** A member's choice for a topic, one of `visibilityPolicies`. `topic` is as the member wrote it. */
  user_topic: { user_id: number; stream_id: number; topic_key: string; topic: string; policy: number; updated: number };
  /** `user_id` has muted `muted_id`. */
  muted_user: { user_id: number; muted_id: number; since: number };
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
  /**
   * A message that the server sends at `due`. `recipients`: a stream's id, or a list of user ids, in JSON. `failed`: the server has
   * tried to send it in vain.
   */
  scheduled_message: {
    id: Generated<number>;
    user_id: number;
    type: 'stream' | 'private';
    recipients: string;
    topic: string;
    content: string;
    client: string;
    due: number;
    failed: number;
  };
  /** The last activity and the last connection. */
  presence: { user_id: number; active: number; idle: number };
  user_status: {
    user_id: number;
    status_text: string;
    emoji_name: string;
    emoji_code: string;
    reaction_type: string;
    ends: number | null;
  };
  /**
   * A group of users. `name_key` is the name in one spelling. `code`: the group copies the group of the embedding program with this
   * code. Null: members made it, and it is never deleted.
   */
  user_group: {
    id: Generated<number>;
    name: string;
    name_key: string;
    description: string;
    code: string | null;
    creator_id: number | null;
    created: number | null;
    deactivated: Generated<number>;
  };
  user_group_member: { group_id: number; user_id: number };
  /** `subgroup_id` can also be the id of a system group, which has no row. */
  user_group_subgroup: { group_id: number; subgroup_id: number };
  realm_emoji: { id: Generated<number>; name: string; source_url: string; author_id: number | null; deactivated: number };
  /** `position`: the first linkifier has precedence. */
  linkifier: { id: Generated<number>; pattern: string; url_template: string; position: Generated<number> };
  playground: { id: Generated<number>; name: string; pygments_language: string; url_template: string };
  /** A field of all profiles. `field_data`: the choices in JSON, or empty. */
  profile_field: {
    id: Generated<number>;
    type: number;
    position: number;
    name: string;
    hint: string;
    field_data: string;
    in_summary: number;
  };
  profile_value: { field_id: number; user_id: number; value: string };
  /** A link in a message of this sender to an upload (`uploadLink`). */
  file_link: { stored_name: string; sender_id: number; message_id: number };
  bot_storage: { user_id: number; key: string; value: string };
  /** A client's own id of a message, so that a repeated send does not create a second message. */
  client_message: { sender_id: number; client_message_id: string; message_id: number; sent: number };
  /**
   * The read messages of a member in a conversation with ids from `began` to `up_to`, as `ReadRanges` in JSON. The newest ones that the
   * member sent may be missing (`reading/ownMessages.ts`).
   */
  read_block: { user_id: number; conversation_id: number; began: number; up_to: number; ranges: string };
  /** `bits` combines values of `flagBits`. A row without a set bit is deleted. */
  message_flag: { user_id: number; message_id: number; bits: number };
  event: {
    /** Never reused. */
    id: Generated<number>;
    type: string;
    /** `viewers`: the members of a public stream and everybody else except guests. */
    reach: 'self' | 'members' | 'viewers' | 'everyone' | 'members_without_guests';
    reach_id: number | null;
    /** The message of the event: only users who may read it receive the event. */
    message_id: number | null;
    /** JSON object without `id` and `type`. */
    payload: string;
    created: number;
  };
  queue: {
    id: string;
    user_id: number;
    /** The API key that registered the queue. The queue ends with it. */
    key_id: number | null;
    epoch: string;
    /** `QueueOptions` in JSON. */
    options: string;
    /** The newest event at the registration: earlier events are part of the initial state. */
    began: number;
    lifespan: number;
    contacted: number;
  };
}

export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;

export const queries = queriesOf<Schema>();

/** The named columns of a row, for `values` and `set`. */
export function columns<Columns, Name extends keyof Columns>(row: Columns, names: readonly Name[]): Pick<Columns, Name> {
  const entries: readonly (readonly unknown[])[] = names.map((name) => [name, row[name]]);
  return Object.fromEntries(entries);
}
