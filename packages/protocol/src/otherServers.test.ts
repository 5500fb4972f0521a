import { expect, it } from 'vitest';
import {
  getEvents,
  getLinkifiers,
  getMessages,
  getServerSettings,
  getStreams,
  getSubscriptions,
  getUsers,
  registerQueue,
  serverEvent,
  subscribe,
  urlTemplateOf,
} from './index.ts';

/** A setting open to an unnamed group, since feature level 260. */
const nameless = { direct_members: [7, 9], direct_subgroups: [11] };

/** The fields that every feature level sends. */
const user = {
  user_id: 7,
  email: 'user7@example.com',
  full_name: '田中 翔',
  date_joined: '2026-04-01T00:00:00+00:00',
  is_active: true,
  role: 400,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  timezone: '',
  avatar_version: 1,
};
const stream = {
  stream_id: 3,
  name: '開発本部',
  description: '',
  rendered_description: '',
  date_created: 1_790_000_000,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  first_message_id: null,
  stream_post_policy: 1,
  is_announcement_only: false,
};
const subscription = { ...stream, color: '#76ce90', is_muted: false, pin_to_top: false };
const message = {
  id: 41,
  type: 'stream',
  sender_id: 7,
  sender_email: 'user7@example.com',
  sender_full_name: '田中 翔',
  sender_realm_str: '',
  avatar_url: null,
  client: 'website',
  timestamp: 1_790_000_000,
  content: '<p>お疲れさまです</p>',
  content_type: 'text/html',
  is_me_message: false,
  recipient_id: 20,
  display_recipient: '開発本部',
  stream_id: 3,
  subject: 'lunch',
  topic_links: [],
  reactions: [],
  submessages: [],
  flags: [],
};
const reaction = { emoji_name: 'tea', emoji_code: '1f375', reaction_type: 'unicode_emoji', user_id: 9 };
const reactingUser = { id: 9, email: 'user9@example.com', full_name: '愛' };
const found = { anchor: 41, found_anchor: true, found_oldest: true, found_newest: true };
const settings = {
  authentication_methods: { password: true, 'openid connect': false },
  external_authentication_methods: [],
  push_notifications_enabled: true,
  is_incompatible: false,
};

it('The client reads a member from a Zulip server of level 155, with fields that later levels do not have', () => {
  const avatar_url = 'https://example.com/7.png';
  const members = [{ ...user, is_billing_admin: false, delivery_email: null, avatar_url }];
  expect(getUsers.answer.parse({ members }).members).toMatchObject([{ user_id: 7 }]);
});

it('The client reads streams and subscriptions from a Zulip server of level 155, with fields of old names', () => {
  const streams = [{ ...stream, stream_weekly_traffic: 12, is_default: false }];
  expect(getStreams.answer.parse({ streams }).streams).toMatchObject([{ stream_id: 3 }]);
  const older = { email_address: 'dev@example.com', in_home_view: true, role: 50 };
  const notifications = { desktop_notifications: null, push_notifications: true, wildcard_mentions_notify: null };
  const subscriptions = [{ ...subscription, ...older, ...notifications }];
  expect(getSubscriptions.answer.parse({ subscriptions }).subscriptions).toMatchObject([{ in_home_view: true }]);
});

it('The client reads an answer of subscribe from a Zulip server of level 155, which lists streams by email', () => {
  const answer = { subscribed: { 'user7@example.com': ['開発本部'] }, already_subscribed: {} };
  expect(subscribe.answer.parse(answer)).toEqual(answer);
});

it('The client reads a message from a Zulip server of level 155, whose reactions contain the whole user', () => {
  const older = { ...message, reactions: [{ ...reaction, user: reactingUser }], last_edit_timestamp: 1_790_000_100 };
  const { messages } = getMessages.answer.parse({ ...found, history_limited: false, messages: [older] });
  expect(messages[0]?.reactions).toEqual([reaction]);
});

it('The client reads a typing event of a Zulip server of level 155, which calls direct messages “private”', () => {
  const sender = { user_id: 7, email: 'user7@example.com' };
  const typing = { id: 1, type: 'typing', op: 'start', message_type: 'private', sender, recipients: [sender] };
  expect(serverEvent.parse(typing)).toEqual({ ...typing, message_type: 'direct' });
});

it('The client accepts linkifiers of a Zulip server of feature level 155, whose URLs are Python formats', () => {
  const linkifiers = [{ id: 1, pattern: '#(?P<id>[0-9]+)', url_format: 'https://example.com/%(id)s' }];
  const [linkifier] = getLinkifiers.answer.parse({ linkifiers }).linkifiers;
  expect(linkifier).toEqual({ id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' });
});

it('The client reads events of a Zulip server of level 155 about a deleted and a re-rendered message', () => {
  const deleted = { id: 2, type: 'delete_message', message_type: 'private', message_id: 41 };
  const corrected = {
    id: 3,
    type: 'update_message',
    user_id: null,
    edit_timestamp: 1_790_000_200,
    message_id: 41,
    message_ids: [41],
    flags: ['read'],
    rendering_only: true,
    prev_rendered_content_version: 1,
  };
  expect(getEvents.answer.parse({ events: [deleted, corrected] }).events).toMatchObject([{ id: 2 }, { id: 3 }]);
});

it('The client reads a member from a Zulip server of level 468, with fields that we do not know', () => {
  const members = [{ ...user, delivery_email: 'tanaka@example.com', is_imported_stub: false }];
  expect(getUsers.answer.parse({ members }).members).toEqual([{ ...user, delivery_email: 'tanaka@example.com' }]);
});

it('The client reads streams from a Zulip server of level 468, whose settings name groups of users', () => {
  const groups = { can_remove_subscribers_group: nameless, can_send_message_group: nameless, can_subscribe_group: nameless };
  const known = { is_archived: false, creator_id: null, is_recently_active: true, ...groups };
  const later = { folder_id: 4, topics_policy: 'inherit', subscriber_count: 12 };
  const subscriptions = [{ ...subscription, ...known, ...later, partial_subscribers: [7] }];
  const parsed = getSubscriptions.answer.parse({ subscriptions });
  expect(parsed.subscriptions).toEqual([{ ...subscription, ...known }]);
  const created = { id: 4, type: 'stream', op: 'create', streams: [{ ...stream, ...known, ...later }] };
  expect(serverEvent.parse(created)).toMatchObject({ type: 'stream', op: 'create' });
});

it('The client reads an answer of subscribe from a Zulip server of level 468, which lists streams by user id', () => {
  const answer = { subscribed: {}, already_subscribed: { '7': ['開発本部'] }, new_subscription_messages_sent: true };
  expect(subscribe.answer.parse(answer).already_subscribed).toEqual({ '7': ['開発本部'] });
});

it('The client reads messages from a Zulip server of level 468 without a topic, moved, and with unknown flags', () => {
  const newer = { ...message, subject: '', reactions: [reaction], last_moved_timestamp: 1_790_000_100 };
  const flags = ['read', 'topic_wildcard_mentioned', 'followed'];
  const { messages } = getMessages.answer.parse({ ...found, messages: [{ ...newer, flags }] });
  expect(messages).toEqual([{ ...newer, flags }]);
});

it('The client reads an answer of register from a Zulip server of level 468, with group settings and presences by user id', () => {
  const registration = {
    queue_id: 'queue-1',
    last_event_id: -1,
    zulip_version: '12.0',
    zulip_merge_base: '12.0',
    zulip_feature_level: 468,
    realm_can_delete_any_message_group: nameless,
    realm_message_content_edit_limit_seconds: null,
    realm_empty_topic_display_name: 'general chat',
    presences: { '7': { active_timestamp: 1_790_000_000 } },
    cross_realm_bots: [{ ...user, is_bot: true, is_system_bot: true, bot_type: 1, bot_owner_id: null }],
    realm_linkifiers: [{ id: 1, pattern: 'x', url_template: '{x}', example_input: null, reverse_template: null }],
    unread_msgs: {
      count: 1,
      pms: [],
      streams: [{ stream_id: 3, topic: '', unread_message_ids: [41] }],
      huddles: [],
      mentions: [],
      old_unreads_missing: false,
    },
  };
  expect(registerQueue.answer.parse(registration)).toMatchObject({ unread_msgs: { streams: [{ topic: '' }] } });
});

it('The client reads presence events of a Zulip server of level 468, which name members by user id', () => {
  const event = { id: 7, type: 'presence', presences: { '7': { active_timestamp: 1_790_000_000 } } };
  expect(serverEvent.parse(event)).toEqual(event);
});

it('The client reads events of a Zulip server of level 468 about deleted streams and of types that we do not know', () => {
  const deletion = { id: 5, type: 'stream', op: 'delete', streams: [{ stream_id: 3 }], stream_ids: [3] };
  const unknown = [
    { id: 6, type: 'channel_folder', op: 'reorder', order: [4] },
    { id: 8, type: 'typing_edit_message', op: 'start', sender_id: 7, message_id: 41 },
    { id: 9, type: 'restart', zulip_version: '12.0', zulip_feature_level: 468, server_generation: 2 },
  ];
  const { events } = getEvents.answer.parse({ events: [deletion, ...unknown] });
  expect(events.map(({ id, type }) => [id, type])).toEqual([
    [5, 'stream'],
    [6, 'unknown'],
    [8, 'unknown'],
    [9, 'unknown'],
  ]);
});

it('GET /server_settings of an old server gives feature level 0, and its realm address is read under either name', () => {
  const older = { ...settings, zulip_version: '2.1.0', realm_uri: 'https://example.com' };
  expect(getServerSettings.answer.parse(older)).toMatchObject({ zulip_feature_level: 0, realm_uri: older.realm_uri });
  const newer = { ...settings, zulip_version: '12.0', zulip_feature_level: 468, realm_url: 'https://example.com' };
  expect(getServerSettings.answer.parse(newer)).toMatchObject({ realm_url: newer.realm_url });
});

it.each([
  ['https://example.com/%(id)s', 'https://example.com/{id}'],
  ['https://example.com/%(org)s/100%%/%(id)s', 'https://example.com/{org}/100%/{id}'],
  ['https://example.com/', 'https://example.com/'],
])('urlTemplateOf converts the Python format %s', (format, template) => {
  expect(urlTemplateOf(format)).toBe(template);
});
