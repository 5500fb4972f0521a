import {
  type AnswerIn,
  type Linkifier,
  type ParametersOut,
  type registerQueue,
  longPollTimeoutSeconds,
  maxRecentDirectConversations,
  zulipFeatureLevel,
  zulipVersion,
} from '@engawa/protocol';
import { otherStreams, streamsOf } from '../streams/list.ts';
import { conversations } from '../conversations/store.ts';
import { whereUnset } from '../streams/notifications.ts';
import { subscriptionsOf } from '../streams/view.ts';
import type { Reader } from '../database/index.ts';
import { readableHeaders, newestReceivedId } from '../conversations/messageHeaders.ts';
import { messageFlags } from '../reading/store.ts';
import { unreadMessages } from '../reading/unread.ts';
import { linkifiers } from '../realm/store.ts';
import { realmEmojiView, realmSnapshot } from '../realm/view.ts';
import { type Presence } from '../presence/presence.ts';
import { presencesFor } from '../presence/routes.ts';
import { Sight } from '../privacy/visibility.ts';
import { statusesFor } from '../status/view.ts';
import type { Groups } from '../identity/groups.ts';
import { settings } from '../settings/store.ts';
import { alertWords } from '../reading/alertWords.ts';
import { formerNames } from '../identity/formerNames.ts';
import { type Member, isAdministrator, isGuest, isModerator, isOwner } from '../identity/member.ts';
import { userNow } from '../identity/currentMember.ts';
import { type UserRow, users } from '../identity/store.ts';
import { listedUserView } from '../users/view.ts';
import { queueNarrow } from '../messages/queueNarrow.ts';

type Asked = ParametersOut<typeof registerQueue>;
type Snapshot = Omit<AnswerIn<typeof registerQueue>, 'queue_id' | 'last_event_id'>;

/** Most starred messages that register lists. */
const mostStarred = 10_000;

/** What a queue remembers of its registration. */
export function optionsOf({ event_types, apply_markdown, all_public_streams, client_capabilities, ...asked }: Asked) {
  const narrow = queueNarrow(asked.narrow);
  return {
    event_types,
    apply_markdown,
    narrow,
    // A narrow is over all that the member may read, so that it can name a stream that they are not subscribed to.
    all_public_streams: all_public_streams || narrow.length > 0,
    bulk_message_deletion: client_capabilities['bulk_message_deletion'] ?? false,
    stream_typing_notifications: client_capabilities['stream_typing_notifications'] ?? false,
    notification_settings_null: client_capabilities['notification_settings_null'] ?? false,
    simplified_presence_events: client_capabilities['simplified_presence_events'] ?? false,
    slim_presence: asked.slim_presence,
  };
}

/** What the snapshot is made of beside the database. */
interface Around {
  readonly presence: Presence;
  readonly groups: Groups;
  /** Unix seconds, with a fraction. */
  readonly now: number;
}

/** The state that a client begins with: what it asked for by `fetch_event_types`, else by `event_types`, else all. */
export function snapshotOf(reader: Reader, member: Member, asked: Asked, { presence, groups, now }: Around): Snapshot {
  const wanted = asked.fetch_event_types ?? asked.event_types;
  const wants = (type: string): boolean => wanted === undefined || wanted.includes(type);
  return {
    zulip_version: zulipVersion,
    zulip_feature_level: zulipFeatureLevel,
    zulip_merge_base: zulipVersion,
    event_queue_longpoll_timeout_seconds: longPollTimeoutSeconds,
    ...(wants('message') ? { max_message_id: newestReceivedId(reader, member.id) } : {}),
    ...(wants('message') && wants('update_message_flags') ? { unread_msgs: unreadMessages(reader, member.id) } : {}),
    ...(wants('recent_private_conversations') ? { recent_private_conversations: recentDirects(reader, member) } : {}),
    ...(wants('starred_messages') ? { starred_messages: starred(reader, member) } : {}),
    ...(wants('subscription') ? subscriptions(reader, member, asked) : {}),
    ...(wants('stream') ? { streams: streamsOf(reader, member) } : {}),
    ...(wants('realm_user') ? people(reader, groups, member) : {}),
    ...(wants('alert_words') ? { alert_words: alertWords.textsOf(reader, member.id) } : {}),
    ...(wants('user_settings') ? { user_settings: settings.of(reader, member.id) } : {}),
    ...(wants('presence') ? presencesOf(reader, presence, member, asked, now) : {}),
    ...(wants('user_status') ? { user_status: statusesOf(reader, groups, member) } : {}),
    ...(wants('pointer') ? { pointer: userNow(reader, member).pointer } : {}),
    ...(wants('realm_emoji') ? { realm_emoji: realmEmojiView(reader) } : {}),
    ...(wants('realm_linkifiers') ? { realm_linkifiers: linkifiersFor(reader, asked) } : {}),
    ...(wants('realm') ? realmSnapshot(reader) : {}),
  };
}

/** The newest first; `user_ids` are the others. */
function recentDirects(reader: Reader, { id }: Member) {
  return conversations.recentDirects(reader, id, maxRecentDirectConversations).map(({ participants, newest }) => ({
    max_message_id: newest,
    user_ids: participants.filter((userId) => userId !== id),
  }));
}

function starred(reader: Reader, member: Member): number[] {
  return readableHeaders(reader, member, messageFlags.starred(reader, member.id, mostStarred)).map(({ id }) => id);
}

function subscriptions(reader: Reader, member: Member, asked: Asked): Partial<Snapshot> {
  const showing = {
    subscribers: asked.include_subscribers,
    unset: whereUnset(reader, member.id, asked.client_capabilities['notification_settings_null'] ?? false),
  };
  return {
    subscriptions: subscriptionsOf(reader, member.id, showing),
    ...otherStreams(reader, member, showing),
  };
}

function presencesOf(reader: Reader, presence: Presence, { id }: Member, { slim_presence }: Asked, now: number) {
  return {
    presences: presencesFor(reader, presence, id, slim_presence),
    server_timestamp: now,
    presence_last_update_id: presence.updateId,
  };
}

function statusesOf(reader: Reader, groups: Groups, { id }: Member) {
  return statusesFor(reader, new Sight(reader, groups).ofAll('status_audience'), id);
}

function people(reader: Reader, groups: Groups, member: Member): Partial<Snapshot> {
  const all = users.all(reader);
  const sight = new Sight(reader, groups).ofAll('photo_audience');
  const view = (user: UserRow) => listedUserView(user, sight.isOpen('photo_audience', user.id, member.id));
  const self = all.find((user) => user.id === member.id);
  return {
    realm_users: all.filter((user) => user.is_active).map(view),
    realm_non_active_users: all.filter((user) => !user.is_active).map(view),
    cross_realm_bots: [],
    former_names: formerNames.all(reader),
    user_id: member.id,
    email: member.email,
    ...(self ? { full_name: self.full_name, avatar_url: self.avatar_url } : {}),
    is_admin: isAdministrator(member),
    is_owner: isOwner(member),
    is_moderator: isModerator(member),
    is_guest: isGuest(member),
  };
}

/** Clients that do not know URL templates would lead their members astray. */
function linkifiersFor(reader: Reader, { client_capabilities }: Asked): Linkifier[] {
  return client_capabilities['linkifier_url_template'] ? linkifiers.all(reader) : [];
}
