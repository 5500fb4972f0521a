import * as protocol from '@engawa/protocol';
import { expect, it } from 'vitest';
import { development, engawaEmoji, greeting, subscribedDevelopment, tanaka } from '../test/answers.ts';
import { eg } from '../test/eg.ts';
import { success } from '../test/scriptedServer.ts';
import * as calls from './calls.ts';
import type { Connection } from './connection.ts';

/**
 * A call with all its parameters. A text is sent unchanged, any other value as JSON.
 * @param call method and path below `/api/v1`.
 * @param answer the server's answer, which the caller receives.
 * @param asJson the texts that are sent as JSON.
 */
function example<Parameters extends object>(
  make: (connection: Connection, parameters: Parameters) => Promise<unknown>,
  parameters: Parameters,
  call: string,
  answer: Readonly<Record<string, unknown>> = {},
  asJson: Readonly<Record<string, string>> = {},
) {
  const texts: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, textOf(value)])),
    ...asJson,
  };
  return { make: (connection: Connection) => make(connection, parameters), call, texts, answer };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const linkifier = { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };

const botDefaults = {
  default_sending_stream: '障害',
  default_events_register_stream: null,
  default_all_public_streams: false,
};

const writtenDraft = { type: 'stream' as const, to: [7], topic: '昼食', content: '書きかけ' };

const group = {
  id: 101,
  name: '同好会',
  description: '',
  members: [9],
  direct_subgroup_ids: [],
  is_system_group: false,
  deactivated: false,
};

const rule = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
const field = {
  name: '係',
  hint: '担当',
  field_data: { a: { text: '会計', order: '1' } },
  display_in_profile_summary: true,
};

const cases: Readonly<Record<keyof typeof calls, ReturnType<typeof example>>> = {
  fetchApiKey: example(calls.fetchApiKey, { username: 'ai@engawa.example', password: 'a&b=c 縁' }, 'POST /fetch_api_key', {
    api_key: 'k',
    email: 'ai@engawa.example',
    user_id: 9,
  }),
  getServerSettings: example(calls.getServerSettings, {}, 'GET /server_settings', {
    authentication_methods: { password: true, ldap: false },
    external_authentication_methods: [],
    zulip_version: '10.0',
    zulip_feature_level: 371,
    push_notifications_enabled: false,
    is_incompatible: false,
    realm_name: '株式会社縁側',
  }),

  getUserGroups: example(calls.getUserGroups, { include_deactivated_groups: true }, 'GET /user_groups', { user_groups: [group] }),
  createUserGroup: example(
    calls.createUserGroup,
    { name: '同好会', description: '山', members: [9], subgroups: [102] },
    'POST /user_groups/create',
    { group_id: 101 },
  ),
  updateUserGroup: example(
    calls.updateUserGroup,
    { user_group_id: 101, name: '登山部', description: '' },
    'PATCH /user_groups/101',
  ),
  removeUserGroup: example(calls.removeUserGroup, { user_group_id: 101 }, 'DELETE /user_groups/101'),
  deactivateUserGroup: example(calls.deactivateUserGroup, { user_group_id: 101 }, 'POST /user_groups/101/deactivate'),
  getUserGroupMembers: example(
    calls.getUserGroupMembers,
    { user_group_id: 101, direct_member_only: true },
    'GET /user_groups/101/members',
    { members: [9] },
  ),
  updateUserGroupMembers: example(
    calls.updateUserGroupMembers,
    { user_group_id: 101, add: [9], delete: [10], add_subgroups: [102], delete_subgroups: [103] },
    'POST /user_groups/101/members',
  ),
  getIsUserGroupMember: example(
    calls.getIsUserGroupMember,
    { user_group_id: 101, user_id: 9, direct_member_only: true },
    'GET /user_groups/101/members/9',
    { is_user_group_member: true },
  ),
  getUserGroupSubgroups: example(
    calls.getUserGroupSubgroups,
    { user_group_id: 101, direct_subgroup_only: true },
    'GET /user_groups/101/subgroups',
    { subgroups: [102] },
  ),
  updateUserGroupSubgroups: example(
    calls.updateUserGroupSubgroups,
    { user_group_id: 101, add: [102], delete: [103] },
    'POST /user_groups/101/subgroups',
  ),

  registerQueue: example(
    calls.registerQueue,
    {
      event_types: ['message'],
      fetch_event_types: ['realm_user'],
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
      include_subscribers: true,
      all_public_streams: true,
      narrow: [['stream', '開発本部']],
      client_capabilities: { bulk_message_deletion: true },
      queue_lifespan_secs: 3600,
    },
    'POST /register',
    { queue_id: 'queue-1', last_event_id: -1, zulip_version: '10.0', zulip_feature_level: 371, realm_users: [tanaka] },
  ),
  getEvents: example(calls.getEvents, { queue_id: 'queue-1', last_event_id: -1, dont_block: true }, 'GET /events', {
    events: [{ id: 0, type: 'heartbeat' }],
    queue_id: 'queue-1',
  }),
  deleteQueue: example(calls.deleteQueue, { queue_id: 'queue-1' }, 'DELETE /events'),

  getUsers: example(calls.getUsers, { client_gravatar: false, include_custom_profile_fields: true }, 'GET /users', {
    members: [tanaka],
  }),
  getUser: example(calls.getUser, { user_id: 7, include_custom_profile_fields: true }, 'GET /users/7', { user: tanaka }),
  getUserByEmail: example(calls.getUserByEmail, { email: 'tanaka@engawa.example' }, 'GET /users/tanaka%40engawa.example', {
    user: tanaka,
  }),
  muteUser: example(calls.muteUser, { muted_user_id: 7 }, 'POST /users/me/muted_users/7'),
  unmuteUser: example(calls.unmuteUser, { muted_user_id: 7 }, 'DELETE /users/me/muted_users/7'),
  deactivateOwnUser: example(calls.deactivateOwnUser, {}, 'DELETE /users/me'),
  getOwnUser: example(calls.getOwnUser, {}, 'GET /users/me', { ...tanaka, max_message_id: 41, pointer: -1 }),
  createUser: example(
    calls.createUser,
    { email: 'mori@engawa.example', password: 'himitsu!', full_name: '森 結衣' },
    'POST /users',
    { user_id: 10 },
  ),
  updateUser: example(calls.updateUser, { user_id: 7, full_name: '田中 次郎', role: 300 }, 'PATCH /users/7'),
  deactivateUser: example(calls.deactivateUser, { user_id: 7 }, 'DELETE /users/7'),
  reactivateUser: example(calls.reactivateUser, { user_id: 7 }, 'POST /users/7/reactivate'),
  updateSettings: example(
    calls.updateSettings,
    {
      full_name: '田中 次郎',
      email: 'jiro@engawa.example',
      timezone: 'Asia/Tokyo',
      send_read_receipts: false,
      presence_enabled: false,
      send_private_typing_notifications: true,
      send_stream_typing_notifications: false,
      enable_drafts_synchronization: true,
      enter_sends: true,
      compact_messages: true,
      color_scheme: 2,
      default_language: 'ja',
      enable_desktop_notifications: true,
      enable_stream_desktop_notifications: false,
      enable_sounds: true,
      notification_sound: 'ding',
      twenty_four_hour_time: false,
      pm_content_in_desktop_notifications: false,
      display_emoji_reaction_users: false,
      emojiset: 'twitter',
      starred_message_counts: false,
      photo_audience: { audience: 'selected', user_ids: [7], departments: ['D100'] },
      status_audience: { audience: 'everyone' },
      groups_audience: { audience: 'nobody' },
    },
    'PATCH /settings',
  ),
  updateNotificationSettings: example(
    calls.updateNotificationSettings,
    {
      enable_desktop_notifications: true,
      enable_stream_desktop_notifications: false,
      enable_sounds: true,
      notification_sound: 'ding',
      pm_content_in_desktop_notifications: false,
      presence_enabled: false,
    },
    'PATCH /settings/notifications',
  ),
  countEmojiUse: example(calls.countEmojiUse, { emoji: '🍵' }, 'POST /users/me/emoji_uses'),
  regenerateApiKey: example(calls.regenerateApiKey, {}, 'POST /users/me/api_key/regenerate', { api_key: 'k' }),
  createBot: example(
    calls.createBot,
    {
      full_name: '警報',
      short_name: 'keihou',
      bot_type: 2,
      default_sending_stream: '障害',
      default_events_register_stream: '',
      default_all_public_streams: false,
    },
    'POST /bots',
    { user_id: 12, api_key: 'k', avatar_url: null, ...botDefaults },
  ),
  getBots: example(calls.getBots, {}, 'GET /bots', {
    bots: [{ username: 'keihou-bot@engawa.example', full_name: '警報', api_key: 'k', avatar_url: null, ...botDefaults }],
  }),
  updateBot: example(
    calls.updateBot,
    {
      bot_id: 12,
      full_name: '警報',
      role: 400,
      bot_owner_id: 9,
      default_sending_stream: '障害',
      default_events_register_stream: '',
      default_all_public_streams: false,
    },
    'PATCH /bots/12',
    { full_name: '警報', avatar_url: null, ...botDefaults },
  ),
  deactivateBot: example(calls.deactivateBot, { bot_id: 12 }, 'DELETE /bots/12'),
  regenerateBotApiKey: example(calls.regenerateBotApiKey, { bot_id: 12 }, 'POST /bots/12/api_key/regenerate', { api_key: 'k' }),
  getBotApiKey: example(calls.getBotApiKey, { bot_id: 12 }, 'GET /bots/12/api_key', { api_key: 'k' }),
  getPointer: example(calls.getPointer, {}, 'GET /users/me/pointer', { pointer: -1 }),
  updatePointer: example(calls.updatePointer, { pointer: 41 }, 'POST /users/me/pointer'),
  putPointer: example(calls.putPointer, { pointer: 41 }, 'PUT /users/me/pointer'),
  getAlertWords: example(calls.getAlertWords, {}, 'GET /users/me/alert_words', { alert_words: ['障害'] }),
  addAlertWords: example(calls.addAlertWords, { alert_words: ['障害', '[1]'] }, 'POST /users/me/alert_words', {
    alert_words: ['障害', '[1]'],
  }),
  removeAlertWords: example(calls.removeAlertWords, { alert_words: ['障害'] }, 'DELETE /users/me/alert_words', {
    alert_words: [],
  }),

  getDrafts: example(calls.getDrafts, {}, 'GET /drafts', { count: 1, drafts: [{ ...writtenDraft, id: 5, timestamp: 1 }] }),
  createDrafts: example(calls.createDrafts, { drafts: [writtenDraft] }, 'POST /drafts', { ids: [5] }),
  editDraft: example(calls.editDraft, { draft_id: 5, draft: writtenDraft, revision: 2 }, 'PATCH /drafts/5'),
  deleteDraft: example(calls.deleteDraft, { draft_id: 5, revision: 3 }, 'DELETE /drafts/5'),

  getScheduledMessages: example(calls.getScheduledMessages, {}, 'GET /scheduled_messages', {
    scheduled_messages: [
      {
        scheduled_message_id: 5,
        type: 'private',
        to: [7],
        content: 'c',
        rendered_content: '<p>c</p>',
        scheduled_delivery_timestamp: 2,
        failed: false,
      },
    ],
  }),
  createScheduledMessage: example(
    calls.createScheduledMessage,
    { type: 'stream', to: 7, topic: '昼食', content: 'お先に', scheduled_delivery_timestamp: 2 },
    'POST /scheduled_messages',
    { scheduled_message_id: 5 },
  ),
  updateScheduledMessage: example(
    calls.updateScheduledMessage,
    { scheduled_message_id: 5, type: 'direct', to: [7], topic: '昼食', content: 'お先に', scheduled_delivery_timestamp: 2 },
    'PATCH /scheduled_messages/5',
  ),
  deleteScheduledMessage: example(calls.deleteScheduledMessage, { scheduled_message_id: 5 }, 'DELETE /scheduled_messages/5'),
  getSubscriptions: example(calls.getSubscriptions, { include_subscribers: true }, 'GET /users/me/subscriptions', {
    subscriptions: [subscribedDevelopment],
  }),
  subscribe: example(
    calls.subscribe,
    {
      subscriptions: [{ name: '読書会', color: '#76ce90', description: '月に一度' }],
      principals: [7, 9],
      invite_only: false,
      is_web_public: false,
      is_default_stream: false,
      announce: true,
      history_public_to_subscribers: true,
      stream_post_policy: 2,
      message_retention_days: 'unlimited',
      can_remove_subscribers_group: 2,
      authorization_errors_fatal: false,
    },
    'POST /users/me/subscriptions',
    { subscribed: { '7': ['読書会'] }, already_subscribed: { '9': ['読書会'] }, unauthorized: [] },
    { message_retention_days: '"unlimited"' },
  ),
  unsubscribe: example(
    calls.unsubscribe,
    { subscriptions: ['読書会'], principals: ['tanaka@engawa.example'] },
    'DELETE /users/me/subscriptions',
    { removed: ['読書会'], not_removed: [] },
  ),
  updateSubscriptions: example(
    calls.updateSubscriptions,
    { delete: ['読書会'], add: [{ name: '開発本部' }] },
    'PATCH /users/me/subscriptions',
    { subscribed: { '9': ['開発本部'] }, already_subscribed: {}, removed: ['読書会'], not_removed: [] },
  ),

  getStreams: example(
    calls.getStreams,
    {
      include_public: true,
      include_web_public: true,
      include_subscribed: false,
      include_all_active: true,
      include_default: true,
      include_owner_subscribed: true,
      exclude_archived: false,
    },
    'GET /streams',
    { streams: [development] },
  ),
  getStream: example(calls.getStream, { stream_id: 3 }, 'GET /streams/3', { stream: development }),
  addDefaultStream: example(calls.addDefaultStream, { stream_id: 7 }, 'POST /default_streams'),
  removeDefaultStream: example(calls.removeDefaultStream, { stream_id: 7 }, 'DELETE /default_streams'),
  deleteTopic: example(calls.deleteTopic, { stream_id: 7, topic_name: '昼食' }, 'POST /streams/7/delete_topic', {
    complete: true,
  }),
  getSubscribers: example(calls.getSubscribers, { stream_id: 7 }, 'GET /streams/7/members', { subscribers: [7, 9] }),
  getStreamEmailAddress: example(calls.getStreamEmailAddress, { stream_id: 7 }, 'GET /streams/7/email_address', {
    email: 'stream@engawa.example',
  }),
  updateUserTopic: example(calls.updateUserTopic, { stream_id: 7, topic: '昼食', visibility_policy: 1 }, 'POST /user_topics'),
  muteTopic: example(
    calls.muteTopic,
    { stream_id: 7, stream: '開発本部', topic: '昼食', op: 'add' },
    'PATCH /users/me/subscriptions/muted_topics',
  ),
  getSubscriptionStatus: example(calls.getSubscriptionStatus, { user_id: 9, stream_id: 7 }, 'GET /users/9/subscriptions/7', {
    is_subscribed: true,
  }),
  getStreamId: example(calls.getStreamId, { stream: '123' }, 'GET /get_stream_id', { stream_id: 3 }),
  getTopics: example(calls.getTopics, { stream_id: 3 }, 'GET /users/me/3/topics', {
    topics: [{ name: 'stream events', max_id: 41 }],
  }),
  updateStream: example(
    calls.updateStream,
    {
      stream_id: 3,
      new_name: '新しい名',
      description: '説明',
      is_private: true,
      is_web_public: false,
      history_public_to_subscribers: true,
      stream_post_policy: 1,
      is_announcement_only: false,
      is_default_stream: false,
      message_retention_days: 'realm_default',
      can_remove_subscribers_group: 7,
    },
    'PATCH /streams/3',
    {},
    { message_retention_days: '"realm_default"' },
  ),
  updateSubscriptionProperties: example(
    calls.updateSubscriptionProperties,
    { subscription_data: [{ stream_id: 3, property: 'is_muted', value: true }] },
    'POST /users/me/subscriptions/properties',
  ),
  updateSubscriptionProperty: example(
    calls.updateSubscriptionProperty,
    { stream_id: 3, property: 'color', value: '#76ce90' },
    'PATCH /users/me/subscriptions/3',
  ),
  deleteStream: example(calls.deleteStream, { stream_id: 3 }, 'DELETE /streams/3'),

  getMessages: example(
    calls.getMessages,
    {
      anchor: 'date',
      anchor_date: '2026-11-20T00:00:00+09:00',
      num_before: 20,
      num_after: 0,
      include_anchor: false,
      narrow: [{ operator: 'stream', operand: '開発本部' }],
      apply_markdown: false,
      client_gravatar: false,
      use_first_unread_anchor: false,
      include_deleted: true,
      message_ids: [7, 9],
    },
    'GET /messages',
    {
      anchor: protocol.newestAnchor,
      found_anchor: false,
      found_oldest: true,
      found_newest: true,
      history_limited: false,
      messages: [greeting],
    },
  ),
  sendMessage: example(
    calls.sendMessage,
    {
      type: 'stream',
      to: '開発本部',
      topic: 'stream events',
      content: '"1+1=2" & [3]',
      queue_id: 'queue-1',
      local_id: '1.01',
      read_by_sender: true,
      client: 'Engawa',
      client_message_id: '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a',
    },
    'POST /messages',
    { id: 42 },
  ),
  checkMessagesMatchNarrow: example(
    calls.checkMessagesMatchNarrow,
    { msg_ids: [41], narrow: [['search', '昼食']] },
    'GET /messages/matches_narrow',
    { messages: { '41': { match_content: '<p>昼食</p>', match_subject: 't' } } },
  ),
  getMessage: example(calls.getMessage, { message_id: 41, apply_markdown: false }, 'GET /messages/41', {
    message: greeting,
    raw_content: 'お疲れさまです',
  }),
  editMessage: example(
    calls.editMessage,
    {
      message_id: 41,
      content: 'お疲れさまでした',
      prev_content_sha256: 'b0a5',
      topic: '議事録',
      propagate_mode: 'change_all',
      stream_id: 4,
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: false,
    },
    'PATCH /messages/41',
  ),
  deleteMessage: example(calls.deleteMessage, { message_id: 41 }, 'DELETE /messages/41'),
  getMessageHistory: example(calls.getMessageHistory, { message_id: 41 }, 'GET /messages/41/history', {
    message_history: [
      { user_id: 7, timestamp: 1, topic: '議事録', content: '案', rendered_content: '<p>案</p>' },
      { user_id: null, timestamp: 2, topic: '議事録', content: '稿', rendered_content: '<p>稿</p>', prev_content: '案' },
    ],
  }),
  getReadReceipts: example(calls.getReadReceipts, { message_id: 41 }, 'GET /messages/41/read_receipts', {
    user_ids: [7],
    unread_user_ids: [8],
    withheld_user_ids: [9],
  }),
  countReadReceipts: example(calls.countReadReceipts, { messages: [41, 42] }, 'GET /read_receipts', {
    read_counts: [{ message_id: 41, count: 2 }],
  }),
  renderMessage: example(calls.renderMessage, { content: '**縁側**' }, 'POST /messages/render', {
    rendered: '<p><strong>縁側</strong></p>',
  }),
  addReaction: example(
    calls.addReaction,
    { message_id: 41, emoji_name: 'tea', emoji_code: '1f375', reaction_type: 'unicode_emoji' },
    'POST /messages/41/reactions',
  ),
  removeReaction: example(
    calls.removeReaction,
    { message_id: 41, emoji_name: 'engawa', emoji_code: '1', reaction_type: 'realm_emoji' },
    'DELETE /messages/41/reactions',
  ),
  updateMessageFlags: example(calls.updateMessageFlags, { messages: [40, 41], op: 'add', flag: 'read' }, 'POST /messages/flags', {
    messages: [40, 41],
  }),
  updateMessageFlagsForNarrow: example(
    calls.updateMessageFlagsForNarrow,
    {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      include_anchor: false,
      narrow: [['stream', '開発本部']],
      op: 'add',
      flag: 'read',
    },
    'POST /messages/flags/narrow',
    {
      processed_count: 2,
      updated_count: 1,
      first_processed_id: 40,
      last_processed_id: 41,
      found_oldest: false,
      found_newest: true,
      ignored_because_not_subscribed_channels: [],
    },
  ),
  markAllAsRead: example(calls.markAllAsRead, {}, 'POST /mark_all_as_read', { complete: true }),
  markStreamAsRead: example(calls.markStreamAsRead, { stream_id: 7 }, 'POST /mark_stream_as_read'),
  markTopicAsRead: example(calls.markTopicAsRead, { stream_id: 7, topic_name: '昼食' }, 'POST /mark_topic_as_read'),
  setTypingStatus: example(
    calls.setTypingStatus,
    { op: 'start', type: 'stream', to: protocol.addressDirect([7, 9]), stream_id: 3, topic: 'stream events' },
    'POST /typing',
  ),

  updatePresence: example(
    calls.updatePresence,
    { status: 'active', ping_only: false, new_user_input: true, slim_presence: true, last_update_id: -1 },
    'POST /users/me/presence',
    { presences: { '7': { active_timestamp: 1, idle_timestamp: 2 } }, server_timestamp: 3.5, presence_last_update_id: 4 },
  ),
  getRealmPresence: example(calls.getRealmPresence, {}, 'GET /realm/presence', {
    presences: {
      'jiro@engawa.example': {
        aggregated: { client: 'website', status: 'idle', timestamp: 1 },
        website: { client: 'website', status: 'idle', timestamp: 1, pushable: false },
      },
    },
    server_timestamp: 3.5,
  }),
  getUserPresenceByEmail: example(
    calls.getUserPresenceByEmail,
    { email: 'tanaka@engawa.example' },
    'GET /users/tanaka%40engawa.example/presence',
    { presence: { aggregated: { status: 'active', timestamp: 1 } } },
  ),
  getUserPresence: example(calls.getUserPresence, { user_id: 7 }, 'GET /users/7/presence', {
    presence: { aggregated: { status: 'offline', timestamp: 1 } },
  }),
  updateStatus: example(
    calls.updateStatus,
    {
      status_text: '会議中',
      emoji_name: 'no_entry',
      emoji_code: '26d4',
      reaction_type: 'unicode_emoji',
      scheduled_end_time: 1_790_000_000,
    },
    'POST /users/me/status',
  ),
  getUserStatus: example(calls.getUserStatus, { user_id: 7 }, 'GET /users/7/status', {
    status: { status_text: '会議中', scheduled_end_time: 1_790_000_000 },
  }),

  updateRealm: example(
    calls.updateRealm,
    { enable_read_receipts: true, read_receipts: 'all', bot_creation_policy: 3, bot_creation: 'nobody' },
    'PATCH /realm',
  ),
  getEmojiData: example(calls.getEmojiData, {}, 'GET /emoji_data', { code_to_names: { '1f642': ['smile'] } }),
  getRealmEmoji: example(calls.getRealmEmoji, {}, 'GET /realm/emoji', { emoji: { '1': engawaEmoji } }),
  addLinkifier: example(calls.addLinkifier, rule, 'POST /realm/filters', { id: 3 }),
  updateLinkifier: example(calls.updateLinkifier, { filter_id: 3, ...rule }, 'PATCH /realm/filters/3'),
  removeLinkifier: example(calls.removeLinkifier, { filter_id: 3 }, 'DELETE /realm/filters/3'),
  reorderLinkifiers: example(calls.reorderLinkifiers, { ordered_linkifier_ids: [3, 1] }, 'PATCH /realm/linkifiers'),
  addPlayground: example(
    calls.addPlayground,
    { name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' },
    'POST /realm/playgrounds',
    { id: 4 },
  ),
  removePlayground: example(calls.removePlayground, { playground_id: 4 }, 'DELETE /realm/playgrounds/4'),
  getProfileFields: example(calls.getProfileFields, {}, 'GET /realm/profile_fields', {
    custom_fields: [{ id: 5, type: 1, order: 1, name: '内線', hint: '', field_data: '' }],
  }),
  createProfileField: example(calls.createProfileField, { ...field, field_type: 3 }, 'POST /realm/profile_fields', { id: 5 }),
  updateProfileField: example(calls.updateProfileField, { field_id: 5, ...field }, 'PATCH /realm/profile_fields/5'),
  deleteProfileField: example(calls.deleteProfileField, { field_id: 5 }, 'DELETE /realm/profile_fields/5'),
  reorderProfileFields: example(calls.reorderProfileFields, { order: [6, 5] }, 'PATCH /realm/profile_fields'),
  updateProfileData: example(calls.updateProfileData, { data: [{ id: 5, value: '1234' }] }, 'PATCH /users/me/profile_data'),
  deleteProfileData: example(calls.deleteProfileData, { data: [5] }, 'DELETE /users/me/profile_data'),
  getBotStorage: example(calls.getBotStorage, { keys: ['count'] }, 'GET /bot_storage', { storage: { count: '1' } }),
  updateBotStorage: example(calls.updateBotStorage, { storage: { count: '1' } }, 'PUT /bot_storage'),
  deleteBotStorage: example(calls.deleteBotStorage, { keys: ['count'] }, 'DELETE /bot_storage'),
  deleteRealmEmoji: example(calls.deleteRealmEmoji, { emoji_name: 'engawa' }, 'DELETE /realm/emoji/engawa'),
  getLinkifiers: example(calls.getLinkifiers, {}, 'GET /realm/linkifiers', { linkifiers: [linkifier] }),
  getRealmFilters: example(calls.getRealmFilters, {}, 'GET /realm/filters', {
    filters: [[linkifier.pattern, 'https://example.com/%(id)s', 1]],
  }),
};

/** All endpoints of the protocol by name. */
const endpoints = new Map<string, protocol.Endpoint>();
for (const [name, value] of Object.entries(protocol)) if (isEndpoint(value)) endpoints.set(name, value);

function isEndpoint(value: unknown): value is protocol.Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'answer' in value;
}

it.each(Object.entries(cases))(
  '[R7.6] The client function %s sends the right method, path and parameters and returns the answer',
  async (name, { make, call, texts, answer }) => {
    const { server, connection } = await eg([success({ ...answer, ignored_parameters_unsupported: [] })]);
    expect(await make(connection)).toEqual(answer);
    const { parameters = {} } = endpoints.get(name) ?? {};
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(parameters).toSorted());
    const isInPath = (each: string) => ['path', 'segment'].includes(parameters[each]?.encoding ?? '');
    const sent = Object.fromEntries(Object.entries(texts).filter(([each]) => !isInPath(each)));
    const received = server.received.map((request) => ({ call: request.call, query: request.query, form: request.form }));
    const parts = /^(GET|DELETE) /.test(call) ? { query: sent, form: {} } : { query: {}, form: sent };
    expect(received).toEqual([{ call: call.replace(' ', ' /api/v1'), ...parts }]);
  },
);

it('[R7.6] The client has one function for each endpoint of the protocol', () => {
  expect(Object.keys(calls).toSorted()).toEqual([...endpoints.keys()].toSorted());
});
