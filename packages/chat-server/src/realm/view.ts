import {
  type AnswerIn,
  type BotCreation,
  type ReadReceiptsShown,
  type RealmEmoji,
  type registerQueue,
  getEmojiData,
  maxMessageLength,
  maxStreamDescriptionLength,
  maxStreamNameLength,
  maxTopicLength,
  presenceSeconds,
  systemGroups,
  typingMilliseconds,
} from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type Ranked, isGuest } from '../identity/member.ts';
import { type LinkifierRow, type RealmEmojiRow, realmEmoji, realms } from './store.ts';

/** Guests get no authors, for the reason given at `streamViewFor`. */
export function realmEmojiView(reader: Reader, viewer: Ranked): Record<string, RealmEmoji> {
  return Object.fromEntries(realmEmoji.all(reader).map((emoji) => [emoji.id, emojiView(emoji, viewer)]));
}

function emojiView({ id, name, source_url, author_id, deactivated }: RealmEmojiRow, viewer: Ranked): RealmEmoji {
  const author = isGuest(viewer) ? null : author_id;
  return { id: String(id), name, source_url, still_url: null, deactivated: deactivated === 1, author_id: author };
}

/** The form of Zulip before 4.0, with a Python format: `https://example.com/{id}` becomes `https://example.com/%(id)s`. */
export function filterView({ pattern, url_template, id }: Omit<LinkifierRow, 'position'>): [string, string, number] {
  const format = url_template.replaceAll(/\{(\w+)\}|%/g, (_, name?: string) => (name === undefined ? '%%' : `%(${name})s`));
  return [pattern, format, id];
}

export function receiptsView(shown: ReadReceiptsShown) {
  return { enable_read_receipts: shown !== 'none', read_receipts: shown };
}

/** Zulip's policy of before 10.0 has no value for nobody; the group has. */
export function botCreationView(creation: BotCreation) {
  const groups = { everyone: systemGroups.members, administrators: systemGroups.administrators, nobody: systemGroups.nobody };
  return {
    bot_creation_policy: creation === 'everyone' ? 1 : 3,
    can_create_bots_group: groups[creation],
    bot_creation: creation,
  };
}

/** `everyone`: guests too may notify all members of a conversation. */
const wildcardMentionPolicy = { everyone: 1 } as const;

/** The decisions of the embedding program. They are read again for each answer, so that they can be set later. */
export interface RealmHost {
  /** The public address, without a slash at the end. */
  readonly url: string;
  /** Bytes of the largest file that members may upload. Default: no file. */
  readonly maxFileSize?: number;
}

export const iconUrl = ({ url }: RealmHost): string => `${url}/favicon.svg`;

/** The groups that have the rights of the organisation. Guests write only to users whom they see. */
const rights = {
  realm_can_add_subscribers_group: systemGroups.members,
  realm_can_create_public_channel_group: systemGroups.administrators,
  realm_can_create_private_channel_group: systemGroups.members,
  realm_can_create_web_public_channel_group: systemGroups.nobody,
  realm_can_delete_any_message_group: systemGroups.administrators,
  // Within the time limit.
  realm_can_delete_own_message_group: systemGroups.everyone,
  realm_can_mention_many_users_group: systemGroups.everyone,
  realm_direct_message_initiator_group: systemGroups.everyone,
  realm_direct_message_permission_group: systemGroups.everyone,
};

export function realmState(reader: Reader, host: RealmHost): Partial<AnswerIn<typeof registerQueue>> {
  const realm = realms.get(reader);
  const creation = realm && botCreationView(realm.bot_creation);
  return {
    realm_name: realm?.name ?? '',
    realm_url: host.url,
    realm_uri: host.url,
    ...rights,
    realm_icon_url: iconUrl(host),
    realm_icon_source: 'U',
    realm_message_retention_days: -1,
    realm_presence_disabled: false,
    realm_waiting_period_threshold: 0,
    realm_wildcard_mention_policy: wildcardMentionPolicy.everyone,
    realm_default_external_accounts: {},
    server_emoji_data_url: `${host.url}/api/v1${getEmojiData.path}`,
    max_file_upload_size_mib: Math.floor((host.maxFileSize ?? 0) / 2 ** 20),
    realm_mandatory_topics: true,
    realm_topics_policy: 'disable_empty_topic',
    realm_empty_topic_display_name: 'general chat',
    realm_allow_message_editing: true,
    realm_allow_edit_history: true,
    realm_enable_read_receipts: realm?.read_receipts !== 'none',
    realm_read_receipts: realm?.read_receipts,
    realm_bot_creation_policy: creation?.bot_creation_policy,
    realm_can_create_bots_group: creation?.can_create_bots_group,
    realm_bot_creation: creation?.bot_creation,
    realm_message_content_edit_limit_seconds: realm?.content_edit_limit,
    realm_message_content_delete_limit_seconds: realm?.deletion_limit,
    realm_move_messages_within_stream_limit_seconds: realm?.topic_edit_limit,
    max_message_length: maxMessageLength,
    max_topic_length: maxTopicLength,
    max_stream_name_length: maxStreamNameLength,
    max_stream_description_length: maxStreamDescriptionLength,
    server_presence_ping_interval_seconds: presenceSeconds.ping,
    server_presence_offline_threshold_seconds: presenceSeconds.offline,
    server_typing_started_wait_period_milliseconds: typingMilliseconds.resent,
    server_typing_stopped_wait_period_milliseconds: typingMilliseconds.idle,
    server_typing_started_expiry_period_milliseconds: typingMilliseconds.expires,
  };
}
