import {
  type AnswerIn,
  type ParametersOut,
  type registerQueue,
  displaySettings,
  longPollTimeoutSeconds,
  notificationSettings,
  zulipFeatureLevel,
  zulipVersion,
} from '@engawa/protocol';
import { administeredBots } from '../bots/access.ts';
import { botView, defaultsView } from '../bots/view.ts';
import { newestReceivedId } from '../conversations/messageHeaders.ts';
import { recentDirects } from '../conversations/direct.ts';
import type { Reader } from '../database/index.ts';
import type { Fields } from '../http/router.ts';
import { StepClock, type Steps } from '../turns.ts';
import { draftViews } from '../drafts/view.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import type { Presence } from '../presence/presence.ts';
import { presenceState } from '../presence/routes.ts';
import { Visibility } from '../privacy/visibility.ts';
import { alertWords } from '../reading/alertWords.ts';
import { mutedUsers } from '../reading/mutedUsers.ts';
import { starredMessages } from '../reading/flags.ts';
import { type SharedUnread, unreadMessages } from '../reading/unread.ts';
import { linkifiers, playgrounds } from '../realm/store.ts';
import { type RealmHost, realmEmojiView, realmState } from '../realm/view.ts';
import { scheduledFor } from '../scheduledMessages/view.ts';
import { profileFieldState } from '../profileFields/view.ts';
import { settings } from '../settings/store.ts';
import { statusesFor } from '../status/view.ts';
import { defaultStreamsFor } from '../streams/defaultStreams.ts';
import { subscriptionState, visibleStreams } from '../streams/list.ts';
import type { GroupLists } from '../userGroups/view.ts';
import { mutedTopicViews, userTopicViews } from '../messages/userTopics.ts';
import type { UserLists } from '../users/lists.ts';
import { ownState } from '../users/view.ts';

type Request = ParametersOut<typeof registerQueue>;
type InitialState = Fields<Omit<AnswerIn<typeof registerQueue>, 'queue_id' | 'last_event_id'>>;

/** `now`: unix seconds, with a fraction. */
interface Sources {
  readonly presence: Presence;
  readonly groups: Groups;
  readonly userLists: UserLists;
  readonly sharedUnread: SharedUnread;
  readonly host: RealmHost;
  readonly groupLists: GroupLists;
  readonly now: number;
}

/** `fetch_event_types`, or else `event_types`, selects the parts of the state. Without both it has all parts. */
export function* initialState(
  reader: Reader,
  member: Member,
  request: Request,
  { presence, groups, userLists, sharedUnread, groupLists, host, now }: Sources,
): Steps<InitialState> {
  const clock = new StepClock();
  const wanted = request.fetch_event_types ?? request.event_types;
  const wants = (type: string): boolean => wanted === undefined || wanted.includes(type);
  const { client_capabilities: capabilities } = request;
  const wantsOld = (type: string): boolean => wants(type) && !capabilities['user_settings_object'];
  const ownSettings = () => settings.of(reader, member.id);
  /** Lets a long step end before this part. */
  function* part<Part>(isWanted: boolean, make: () => Part): Steps<Part | undefined> {
    if (!isWanted) return undefined;
    yield* clock.pause();
    return make();
  }
  return {
    zulip_version: zulipVersion,
    zulip_feature_level: zulipFeatureLevel,
    zulip_merge_base: zulipVersion,
    event_queue_longpoll_timeout_seconds: longPollTimeoutSeconds,
    ...(yield* part(wants('message'), () => ({ max_message_id: newestReceivedId(reader, member.id) }))),
    ...(wants('message') && wants('update_message_flags')
      ? { unread_msgs: yield* unreadMessages(reader, member.id, clock, sharedUnread) }
      : {}),
    ...(yield* part(wants('recent_private_conversations'), () => ({
      recent_private_conversations: recentDirects(reader, member.id),
    }))),
    ...(yield* part(wants('starred_messages'), () => ({ starred_messages: starredMessages(reader, member) }))),
    ...(yield* part(wants('subscription'), () => subscriptionState(reader, member, request))),
    ...(yield* part(wants('stream'), () => ({ streams: visibleStreams(reader, member) }))),
    ...(wants('realm_user') ? yield* userLists.seenBy(reader, member, clock) : {}),
    ...(yield* part(wants('realm_user'), () => ownState(reader, member))),
    ...(yield* part(wants('realm_bot'), () => ({
      realm_bots: administeredBots(reader, member).map((bot) => botView(bot, defaultsView(reader, bot), member)),
    }))),
    ...(yield* part(wants('alert_words'), () => ({ alert_words: alertWords.textsOf(reader, member.id) }))),
    // Empty if the member does not synchronize drafts.
    ...(yield* part(wants('drafts'), () => ({ drafts: draftViews(reader, member.id) }))),
    ...(yield* part(wants('scheduled_messages'), () => ({
      scheduled_messages: scheduledFor(reader, new Visibility(reader, groups), member),
    }))),
    ...(yield* part(wants('default_streams'), () => ({ realm_default_streams: defaultStreamsFor(reader, member) }))),
    ...(yield* part(wants('user_topic'), () => ({ user_topics: userTopicViews(reader, member) }))),
    // Clients that know `user_topics` need no second list.
    ...(yield* part(wants('muted_topics') && !wanted?.includes('user_topic'), () => ({
      muted_topics: mutedTopicViews(reader, member),
    }))),
    ...(yield* part(wants('muted_users'), () => ({ muted_users: mutedUsers.of(reader, member.id) }))),
    ...(yield* part(wants('user_settings'), () => ({ user_settings: ownSettings() }))),
    ...(yield* part(wantsOld('update_display_settings'), () => displaySettings.parse(ownSettings()))),
    ...(yield* part(wantsOld('update_global_notifications'), () => notificationSettings.parse(ownSettings()))),
    ...(yield* part(wants('presence'), () => presenceState(reader, presence, member, request.slim_presence, now))),
    ...(yield* part(wants('user_status'), () => ({
      user_status: statusesFor(reader, new Visibility(reader, groups).preload('status_audience'), member),
    }))),
    ...(yield* part(wants('pointer'), () => ({ pointer: users.byId(reader, member.id)?.pointer }))),
    ...(yield* part(wants('realm_emoji'), () => ({ realm_emoji: realmEmojiView(reader, member) }))),
    ...(yield* part(wants('realm_user_groups') || wants('user_group'), () => ({
      realm_user_groups: groupLists.seenBy(reader, member, capabilities['include_deactivated_groups'] ?? false),
    }))),
    // Clients that do not know URL templates get no linkifiers, because they would build wrong links.
    ...(yield* part(wants('realm_linkifiers'), () => ({
      realm_linkifiers: capabilities['linkifier_url_template'] ? linkifiers.all(reader) : [],
    }))),
    ...(yield* part(wants('realm_playgrounds'), () => ({ realm_playgrounds: playgrounds.all(reader) }))),
    ...(yield* part(wants('custom_profile_fields'), () => profileFieldState(reader))),
    ...(yield* part(wants('realm'), () => realmState(reader, host))),
  };
}
