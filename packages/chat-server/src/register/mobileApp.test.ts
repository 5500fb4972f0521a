/**
 * The keys that the decoder of Zulip's mobile app requires. It refuses an answer of register without one of them, and registers
 * again after an event without one. Source: `lib/api/model` of zulip-flutter, in 2026.
 */
import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as eg from '../testing/eg.ts';

const int = z.int();
const text = z.string();
const truth = z.boolean();
const ids = z.array(int);
const byId = z.string().regex(/^\d+$/);

const channel = z.object({
  stream_id: int,
  name: text,
  description: text,
  rendered_description: text,
  date_created: int,
  first_message_id: int.nullish(),
  invite_only: truth,
  is_web_public: truth,
  history_public_to_subscribers: truth,
  message_retention_days: int.nullish(),
  stream_post_policy: z.literal([1, 2, 3, 4]).nullish(),
  can_add_subscribers_group: int,
  can_send_message_group: int,
  can_subscribe_group: int,
  is_recently_active: truth.nullish(),
  stream_weekly_traffic: int.nullish(),
});
const subscription = channel.extend({
  pin_to_top: truth,
  is_muted: truth,
  color: text.regex(/^#[0-9a-f]{6}$/),
  desktop_notifications: truth.nullish(),
  audible_notifications: truth.nullish(),
  push_notifications: truth.nullish(),
  email_notifications: truth.nullish(),
  wildcard_mentions_notify: truth.nullish(),
});
const user = z.object({
  user_id: int,
  delivery_email: text.nullish(),
  email: text,
  full_name: text,
  date_joined: text,
  is_active: truth.optional(),
  is_bot: truth,
  bot_type: int.nullish(),
  bot_owner_id: int.nullish(),
  role: z.literal([100, 200, 300, 400, 600]),
  timezone: text,
  avatar_url: text.nullish(),
  avatar_version: int,
});
const emoji = z.object({ id: text, name: text, source_url: text, still_url: text.nullish(), deactivated: truth });
const group = z.object({
  id: int,
  members: ids,
  direct_subgroup_ids: ids,
  name: text,
  description: text,
  is_system_group: truth,
  deactivated: truth.optional(),
});
const userTopic = { stream_id: int, topic_name: text, last_updated: int, visibility_policy: z.literal([0, 1, 2, 3]) };
const mutedUser = z.object({ id: int });
const unreadIds = { unread_message_ids: ids };
const status = z.object({
  status_text: text.optional(),
  emoji_name: text.optional(),
  emoji_code: text.optional(),
  reaction_type: text.optional(),
});

const profileField = z.object({ id: int, type: int, order: int, name: text, hint: text, field_data: text });

const snapshot = z.object({
  queue_id: text,
  last_event_id: int,
  zulip_feature_level: int.min(371),
  zulip_version: text,
  zulip_merge_base: text,
  event_queue_longpoll_timeout_seconds: int,
  alert_words: z.array(text),
  custom_profile_fields: z.array(profileField),
  max_stream_name_length: int,
  max_topic_length: int,
  server_presence_ping_interval_seconds: int,
  server_presence_offline_threshold_seconds: int,
  server_typing_started_expiry_period_milliseconds: int,
  server_typing_stopped_wait_period_milliseconds: int,
  server_typing_started_wait_period_milliseconds: int,
  muted_users: z.array(mutedUser),
  presences: z.record(byId, z.object({ active_timestamp: int, idle_timestamp: int })),
  realm_emoji: z.record(text, emoji),
  realm_user_groups: z.array(group),
  recent_private_conversations: z.array(z.object({ max_message_id: int, user_ids: ids })),
  subscriptions: z.array(subscription),
  unread_msgs: z.object({
    count: int,
    pms: z.array(z.object({ other_user_id: int, ...unreadIds })),
    streams: z.array(z.object({ topic: text, stream_id: int, ...unreadIds })),
    huddles: z.array(z.object({ user_ids_string: text, ...unreadIds })),
    mentions: ids,
    old_unreads_missing: truth,
  }),
  starred_messages: ids,
  streams: z.array(channel),
  user_status: z.record(byId, status),
  user_settings: z.object({
    twenty_four_hour_time: truth,
    display_emoji_reaction_users: truth,
    emojiset: z.enum(['google', 'google-blob', 'twitter', 'text']),
    presence_enabled: truth,
    starred_message_counts: truth,
  }),
  user_topics: z.array(z.object(userTopic)),
  realm_can_delete_any_message_group: int,
  realm_can_delete_own_message_group: int,
  realm_wildcard_mention_policy: z.literal([1, 2, 3, 5, 6, 7]),
  realm_mandatory_topics: truth,
  realm_name: text,
  realm_waiting_period_threshold: int,
  realm_message_content_delete_limit_seconds: int.nullish(),
  realm_allow_message_editing: truth,
  realm_message_content_edit_limit_seconds: int.nullish(),
  realm_enable_read_receipts: truth,
  realm_icon_url: z.url(),
  realm_presence_disabled: truth,
  realm_default_external_accounts: z.record(text, z.object({ name: text, text, hint: text, url_pattern: text })),
  max_file_upload_size_mib: int,
  server_emoji_data_url: z.url(),
  realm_empty_topic_display_name: text,
  realm_users: z.array(user),
  realm_non_active_users: z.array(user),
  cross_realm_bots: z.array(user),
});

const message = z.object({
  type: z.enum(['stream', 'private']),
  client: text,
  content: text,
  content_type: z.literal('text/html'),
  id: int,
  is_me_message: truth,
  last_edit_timestamp: int.nullish(),
  reactions: z.array(z.object({ emoji_name: text, emoji_code: text, reaction_type: text, user_id: int })),
  recipient_id: int,
  sender_email: text,
  sender_full_name: text,
  sender_id: int,
  sender_realm_str: text,
  timestamp: int,
  display_recipient: z.union([text, z.array(z.object({ id: int }))]),
  subject: text,
  stream_id: int.optional(),
  submessages: z.array(z.unknown()),
});
const flags = z.array(text);
const place = { stream_id: int.nullish(), topic: text.nullish() };
const groupEvents = { group_id: int, user_ids: ids.optional(), direct_subgroup_ids: ids.optional() };

/** The events that the app decodes, by type and operation. It ignores others. */
const events: Readonly<Record<string, z.ZodType>> = {
  'realm_emoji update': z.object({ realm_emoji: z.record(text, emoji) }),
  alert_words: z.object({ alert_words: z.array(text) }),
  custom_profile_fields: z.object({ fields: z.array(profileField) }),
  'user_settings update': z.object({ property: text, value: z.unknown() }),
  'user_group add': z.object({ group }),
  'user_group update': z.object({ ...groupEvents, data: z.object({ name: text.optional(), description: text.optional() }) }),
  'user_group add_members': z.object(groupEvents).required({ user_ids: true }),
  'user_group remove_members': z.object(groupEvents).required({ user_ids: true }),
  'realm_user add': z.object({ person: user }),
  'realm_user remove': z.object({ person: z.object({ user_id: int }) }),
  'realm_user update': z.object({ person: z.object({ user_id: int }) }),
  'stream create': z.object({ streams: z.array(channel) }),
  'stream delete': z.object({ streams: z.array(channel) }),
  'stream update': z.object({ stream_id: int, name: text, property: text, value: z.unknown() }),
  'subscription add': z.object({ subscriptions: z.array(subscription) }),
  'subscription remove': z.object({ subscriptions: z.array(z.object({ stream_id: int })) }),
  'subscription update': z.object({ stream_id: int, property: text, value: z.unknown() }),
  'subscription peer_add': z.object({ stream_ids: ids, user_ids: ids }),
  'subscription peer_remove': z.object({ stream_ids: ids, user_ids: ids }),
  user_status: status.extend({ user_id: int }),
  user_topic: z.object(userTopic),
  muted_users: z.object({ muted_users: z.array(mutedUser) }),
  message: z.object({ message, flags, local_message_id: text.optional() }),
  update_message: z.object({
    user_id: int.nullish(),
    rendering_only: truth,
    message_id: int,
    message_ids: ids,
    flags,
    edit_timestamp: int,
    ...place,
  }),
  delete_message: z.object({ message_ids: ids, message_type: z.enum(['stream', 'private']), ...place }),
  'update_message_flags add': z.object({ flag: text, messages: ids, all: truth }),
  'update_message_flags remove': z.object({
    flag: text,
    messages: ids,
    message_details: z
      .record(
        byId,
        z.object({ type: z.enum(['stream', 'private']), mentioned: truth.optional(), user_ids: ids.optional(), ...place }),
      )
      .optional(),
  }),
  'typing start': z.object({ message_type: z.enum(['stream', 'direct']), sender: z.object({ user_id: int }), ...place }),
  'typing stop': z.object({ message_type: z.enum(['stream', 'direct']), sender: z.object({ user_id: int }), ...place }),
  presence: z.object({
    user_id: int,
    server_timestamp: z.number(),
    presence: z.record(text, z.object({ client: text, status: z.enum(['active', 'idle']), timestamp: int, pushable: truth })),
  }),
  'reaction add': z.object({ emoji_name: text, emoji_code: text, reaction_type: text, user_id: int, message_id: int }),
  'reaction remove': z.object({ emoji_name: text, emoji_code: text, reaction_type: text, user_id: int, message_id: int }),
};

const nickname = { name: '呼び名', hint: '', field_type: 1 };

/** How the app registers. */
const registration = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
  },
} as const;

it('The answer of POST /register has every key that the mobile app requires, with its type', async () => {
  const server = await eg.server({ organisation: eg.organisation({ messages: [eg.pastMessage('一')] }) });
  const [suzuki, sato] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'sato')];
  await sato.ok(api.sendMessage, eg.streamMessage('@**鈴木 一郎** 二'));
  await sato.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('suzuki')]), content: '三' });
  await sato.ok(api.updateStatus, { status_text: '在席' });
  await sato.ok(api.updatePresence, { status: 'active' });
  await suzuki.ok(api.muteUser, { muted_user_id: server.user('ito') });
  await suzuki.ok(api.updateUserTopic, { stream_id: server.stream(eg.general), topic: 't', visibility_policy: 1 });
  await eg.signIn(server, 'tanaka').ok(api.createProfileField, nickname);
  const { text: body } = await suzuki.reply(api.registerQueue, registration);
  snapshot.parse(JSON.parse(body));
});

it('Every event that the mobile app decodes has the keys that it requires, with their types', async () => {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const [tanaka, suzuki, ito] = [as('tanaka'), as('suzuki'), as('ito')];
  const { queue_id, last_event_id } = await suzuki.ok(api.registerQueue, registration);
  const seen = new Set<string>();
  let cursor = last_event_id;
  const check = async () => {
    const query = { queue_id, last_event_id: String(cursor), dont_block: 'true' };
    const answer = z.object({ events: z.array(z.looseObject({ id: int, type: text, op: text.optional() })) });
    for (const event of answer.parse(JSON.parse((await suzuki.raw({ path: '/events', query })).text)).events) {
      const name = [`${event.type} ${event.op}`, event.type].find((each) => Object.hasOwn(events, each));
      if (name === undefined) continue;
      events[name]?.parse(event, { reportInput: true });
      seen.add(name);
      cursor = Math.max(cursor, event.id);
    }
  };
  const stream_id = server.stream(eg.general);
  const to = api.addressDirect([server.user('suzuki')]);

  const { id: message_id } = await tanaka.ok(api.sendMessage, eg.streamMessage('@**all** 一'));
  await tanaka.ok(api.sendMessage, { type: 'direct', to, content: '二' });
  await tanaka.ok(api.editMessage, { message_id, content: '直した' });
  await tanaka.ok(api.editMessage, { message_id, topic: '別の話題' });
  await tanaka.ok(api.addReaction, { message_id, emoji_name: 'tea' });
  await tanaka.ok(api.removeReaction, { message_id, emoji_name: 'tea' });
  for (const op of ['add', 'remove']) await suzuki.ok(api.updateMessageFlags, { messages: [message_id], op, flag: 'read' });
  await check();
  await tanaka.ok(api.deleteMessage, { message_id });
  await suzuki.ok(api.addAlertWords, { alert_words: ['至急'] });
  await suzuki.ok(api.updateSettings, { emojiset: 'twitter', twenty_four_hour_time: false });
  await suzuki.ok(api.muteUser, { muted_user_id: server.user('ito') });
  await suzuki.ok(api.updateUserTopic, { stream_id, topic: 't', visibility_policy: 1 });
  await tanaka.ok(api.updateStatus, { status_text: '会議中' });
  await tanaka.ok(api.updatePresence, { status: 'active' });
  await server.clock.advance(api.presenceBatchSeconds + 1);
  for (const op of ['start', 'stop']) {
    await tanaka.ok(api.setTypingStatus, { op, type: 'direct', to });
    await check();
  }
  await tanaka.ok(api.createProfileField, nickname);
  await tanaka.ok(api.deleteRealmEmoji, { emoji_name: 'engawa' });
  const person = { email: 'shinjin@example.com', full_name: '新人 さん', password: 'himitsu-1' };
  await tanaka.ok(api.createUser, person);
  await ito.ok(api.updateSettings, { timezone: 'Europe/Berlin' });
  const open = { subscriptions: [{ name: '広場' }], invite_only: false };
  await tanaka.ok(api.subscribe, open);
  await suzuki.ok(api.subscribe, open);
  await check();
  await tanaka.ok(api.subscribe, { ...open, principals: [server.user('ito')] });
  await ito.ok(api.unsubscribe, { subscriptions: ['広場'] });
  await suzuki.ok(api.updateSubscriptionProperties, { subscription_data: [{ stream_id, property: 'pin_to_top', value: true }] });
  await tanaka.ok(api.updateStream, { stream_id, description: '説明' });
  await suzuki.ok(api.unsubscribe, { subscriptions: ['広場'] });
  await check();
  const { stream_id: square } = await tanaka.ok(api.getStreamId, { stream: '広場' });
  await tanaka.ok(api.deleteStream, { stream_id: square });
  const group = { name: '読書会', description: '', members: [server.user('ito')] };
  const { group_id: user_group_id = 0 } = await tanaka.ok(api.createUserGroup, group);
  await tanaka.ok(api.updateUserGroup, { user_group_id, description: '月に一度' });
  await tanaka.ok(api.updateUserGroupMembers, { user_group_id, add: [server.user('suzuki')] });
  await tanaka.ok(api.updateUserGroupMembers, { user_group_id, delete: [server.user('ito')] });
  await check();
  // Only guests cease to see users.
  expect(Object.keys(events).filter((name) => !seen.has(name))).toEqual(['realm_user remove']);
});
