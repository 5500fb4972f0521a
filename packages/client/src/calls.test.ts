import * as protocol from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { development, engawaEmoji, greeting, subscribedDevelopment, tanaka } from '../test/answers.ts';
import { eg } from '../test/eg.ts';
import { success } from '../test/scriptedServer.ts';
import * as calls from './calls.ts';
import type { Connection } from './connection.ts';

interface Case {
  /** Makes the call with all parameters. */
  readonly make: (connection: Connection) => Promise<unknown>;
  /** Method and path below `/api/v1`. */
  readonly call: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  /** The server's answer, which the caller receives. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

const linkifier = { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };

const cases: Readonly<Record<keyof typeof calls, Case>> = {
  fetchApiKey: {
    make: (connection) => calls.fetchApiKey(connection, { username: 'ai@engawa.example', password: 'a&b=c 縁' }),
    call: 'POST /fetch_api_key',
    form: { username: 'ai@engawa.example', password: 'a&b=c 縁' },
    answer: { api_key: 'k', email: 'ai@engawa.example', user_id: 9 },
  },
  getServerSettings: {
    make: (connection) => calls.getServerSettings(connection, {}),
    call: 'GET /server_settings',
    answer: {
      authentication_methods: { password: true, ldap: false },
      external_authentication_methods: [],
      zulip_version: '10.0',
      zulip_feature_level: 371,
      push_notifications_enabled: false,
      is_incompatible: false,
      realm_name: '株式会社縁側',
    },
  },

  registerQueue: {
    make: (connection) =>
      calls.registerQueue(connection, {
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
      }),
    call: 'POST /register',
    form: {
      event_types: '["message"]',
      fetch_event_types: '["realm_user"]',
      apply_markdown: 'true',
      client_gravatar: 'false',
      slim_presence: 'true',
      include_subscribers: 'true',
      all_public_streams: 'true',
      narrow: '[["stream","開発本部"]]',
      client_capabilities: '{"bulk_message_deletion":true}',
      queue_lifespan_secs: '3600',
    },
    answer: {
      queue_id: 'queue-1',
      last_event_id: -1,
      zulip_version: '10.0',
      zulip_feature_level: 371,
      realm_users: [tanaka],
    },
  },
  getEvents: {
    make: (connection) => calls.getEvents(connection, { queue_id: 'queue-1', last_event_id: -1, dont_block: true }),
    call: 'GET /events',
    query: { queue_id: 'queue-1', last_event_id: '-1', dont_block: 'true' },
    answer: { events: [{ id: 0, type: 'heartbeat' }], queue_id: 'queue-1' },
  },
  deleteQueue: {
    make: (connection) => calls.deleteQueue(connection, { queue_id: 'queue-1' }),
    call: 'DELETE /events',
    query: { queue_id: 'queue-1' },
  },

  getUsers: {
    make: (connection) => calls.getUsers(connection, { client_gravatar: false, include_custom_profile_fields: true }),
    call: 'GET /users',
    query: { client_gravatar: 'false', include_custom_profile_fields: 'true' },
    answer: { members: [tanaka] },
  },
  getUser: {
    make: (connection) => calls.getUser(connection, { user_id: 7 }),
    call: 'GET /users/7',
    answer: { user: tanaka },
  },
  getOwnUser: {
    make: (connection) => calls.getOwnUser(connection, {}),
    call: 'GET /users/me',
    answer: { ...tanaka, max_message_id: 41, pointer: -1 },
  },
  createUser: {
    make: (connection) =>
      calls.createUser(connection, { email: 'mori@engawa.example', password: 'himitsu!', full_name: '森 結衣' }),
    call: 'POST /users',
    form: { email: 'mori@engawa.example', password: 'himitsu!', full_name: '森 結衣' },
    answer: { user_id: 10 },
  },
  updateUser: {
    make: (connection) => calls.updateUser(connection, { user_id: 7, full_name: '田中 次郎', role: 300 }),
    call: 'PATCH /users/7',
    form: { full_name: '田中 次郎', role: '300' },
  },
  deactivateUser: {
    make: (connection) => calls.deactivateUser(connection, { user_id: 7 }),
    call: 'DELETE /users/7',
  },
  reactivateUser: {
    make: (connection) => calls.reactivateUser(connection, { user_id: 7 }),
    call: 'POST /users/7/reactivate',
  },
  updateSettings: {
    make: (connection) =>
      calls.updateSettings(connection, {
        full_name: '田中 次郎',
        email: 'jiro@engawa.example',
        timezone: 'Asia/Tokyo',
        send_read_receipts: false,
        presence_enabled: false,
        send_private_typing_notifications: true,
        send_stream_typing_notifications: false,
        enter_sends: true,
        color_scheme: 2,
        default_language: 'ja',
        enable_desktop_notifications: true,
        enable_stream_desktop_notifications: false,
        enable_sounds: true,
        notification_sound: 'ding',
        photo_audience: { audience: 'selected', user_ids: [7], departments: ['D100'] },
        status_audience: { audience: 'everyone' },
        groups_audience: { audience: 'nobody' },
      }),
    call: 'PATCH /settings',
    form: {
      full_name: '田中 次郎',
      email: 'jiro@engawa.example',
      timezone: 'Asia/Tokyo',
      send_read_receipts: 'false',
      presence_enabled: 'false',
      send_private_typing_notifications: 'true',
      send_stream_typing_notifications: 'false',
      enter_sends: 'true',
      color_scheme: '2',
      default_language: 'ja',
      enable_desktop_notifications: 'true',
      enable_stream_desktop_notifications: 'false',
      enable_sounds: 'true',
      notification_sound: 'ding',
      photo_audience: '{"audience":"selected","user_ids":[7],"departments":["D100"]}',
      status_audience: '{"audience":"everyone"}',
      groups_audience: '{"audience":"nobody"}',
    },
  },
  countEmojiUse: {
    make: (connection) => calls.countEmojiUse(connection, { emoji: '🍵' }),
    call: 'POST /users/me/emoji_uses',
    form: { emoji: '🍵' },
  },
  regenerateApiKey: {
    make: (connection) => calls.regenerateApiKey(connection, {}),
    call: 'POST /users/me/api_key/regenerate',
    answer: { api_key: 'k' },
  },
  getPointer: {
    make: (connection) => calls.getPointer(connection, {}),
    call: 'GET /users/me/pointer',
    answer: { pointer: -1 },
  },
  updatePointer: {
    make: (connection) => calls.updatePointer(connection, { pointer: 41 }),
    call: 'POST /users/me/pointer',
    form: { pointer: '41' },
  },
  putPointer: {
    make: (connection) => calls.putPointer(connection, { pointer: 41 }),
    call: 'PUT /users/me/pointer',
    form: { pointer: '41' },
  },
  getAlertWords: {
    make: (connection) => calls.getAlertWords(connection, {}),
    call: 'GET /users/me/alert_words',
    answer: { alert_words: ['障害'] },
  },
  addAlertWords: {
    make: (connection) => calls.addAlertWords(connection, { alert_words: ['障害', '[1]'] }),
    call: 'POST /users/me/alert_words',
    form: { alert_words: '["障害","[1]"]' },
    answer: { alert_words: ['障害', '[1]'] },
  },
  removeAlertWords: {
    make: (connection) => calls.removeAlertWords(connection, { alert_words: ['障害'] }),
    call: 'DELETE /users/me/alert_words',
    query: { alert_words: '["障害"]' },
    answer: { alert_words: [] },
  },

  getSubscriptions: {
    make: (connection) => calls.getSubscriptions(connection, { include_subscribers: true }),
    call: 'GET /users/me/subscriptions',
    query: { include_subscribers: 'true' },
    answer: { subscriptions: [subscribedDevelopment] },
  },
  subscribe: {
    make: (connection) =>
      calls.subscribe(connection, {
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
      }),
    call: 'POST /users/me/subscriptions',
    form: {
      subscriptions: '[{"name":"読書会","color":"#76ce90","description":"月に一度"}]',
      principals: '[7,9]',
      invite_only: 'false',
      is_web_public: 'false',
      is_default_stream: 'false',
      announce: 'true',
      history_public_to_subscribers: 'true',
      stream_post_policy: '2',
      message_retention_days: '"unlimited"',
      can_remove_subscribers_group: '2',
      authorization_errors_fatal: 'false',
    },
    answer: { subscribed: { '7': ['読書会'] }, already_subscribed: { '9': ['読書会'] }, unauthorized: [] },
  },
  unsubscribe: {
    make: (connection) => calls.unsubscribe(connection, { subscriptions: ['読書会'], principals: ['tanaka@engawa.example'] }),
    call: 'DELETE /users/me/subscriptions',
    query: { subscriptions: '["読書会"]', principals: '["tanaka@engawa.example"]' },
    answer: { removed: ['読書会'], not_removed: [] },
  },
  updateSubscriptions: {
    make: (connection) => calls.updateSubscriptions(connection, { delete: ['読書会'], add: [{ name: '開発本部' }] }),
    call: 'PATCH /users/me/subscriptions',
    form: { delete: '["読書会"]', add: '[{"name":"開発本部"}]' },
    answer: {
      subscribed: { '9': ['開発本部'] },
      already_subscribed: {},
      removed: ['読書会'],
      not_removed: [],
    },
  },

  getStreams: {
    make: (connection) =>
      calls.getStreams(connection, {
        include_public: true,
        include_web_public: true,
        include_subscribed: false,
        include_all_active: true,
        include_default: true,
        include_owner_subscribed: true,
        exclude_archived: false,
      }),
    call: 'GET /streams',
    query: {
      include_public: 'true',
      include_web_public: 'true',
      include_subscribed: 'false',
      include_all_active: 'true',
      include_default: 'true',
      include_owner_subscribed: 'true',
      exclude_archived: 'false',
    },
    answer: { streams: [development] },
  },
  getStream: {
    make: (connection) => calls.getStream(connection, { stream_id: 3 }),
    call: 'GET /streams/3',
    answer: { stream: development },
  },
  getStreamId: {
    make: (connection) => calls.getStreamId(connection, { stream: '123' }),
    call: 'GET /get_stream_id',
    query: { stream: '123' },
    answer: { stream_id: 3 },
  },
  getTopics: {
    make: (connection) => calls.getTopics(connection, { stream_id: 3 }),
    call: 'GET /users/me/3/topics',
    answer: { topics: [{ name: 'stream events', max_id: 41 }] },
  },
  updateStream: {
    make: (connection) =>
      calls.updateStream(connection, {
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
      }),
    call: 'PATCH /streams/3',
    form: {
      new_name: '新しい名',
      description: '説明',
      is_private: 'true',
      is_web_public: 'false',
      history_public_to_subscribers: 'true',
      stream_post_policy: '1',
      is_announcement_only: 'false',
      is_default_stream: 'false',
      message_retention_days: '"realm_default"',
      can_remove_subscribers_group: '7',
    },
  },
  updateSubscriptionProperties: {
    make: (connection) =>
      calls.updateSubscriptionProperties(connection, {
        subscription_data: [{ stream_id: 3, property: 'is_muted', value: true }],
      }),
    call: 'POST /users/me/subscriptions/properties',
    form: { subscription_data: '[{"stream_id":3,"property":"is_muted","value":true}]' },
  },
  updateSubscriptionProperty: {
    make: (connection) => calls.updateSubscriptionProperty(connection, { stream_id: 3, property: 'color', value: '#76ce90' }),
    call: 'PATCH /users/me/subscriptions/3',
    form: { property: 'color', value: '#76ce90' },
  },
  deleteStream: {
    make: (connection) => calls.deleteStream(connection, { stream_id: 3 }),
    call: 'DELETE /streams/3',
  },

  getMessages: {
    make: (connection) =>
      calls.getMessages(connection, {
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
      }),
    call: 'GET /messages',
    query: {
      anchor: 'date',
      anchor_date: '2026-11-20T00:00:00+09:00',
      num_before: '20',
      num_after: '0',
      include_anchor: 'false',
      narrow: '[{"operator":"stream","operand":"開発本部"}]',
      apply_markdown: 'false',
      client_gravatar: 'false',
      use_first_unread_anchor: 'false',
      include_deleted: 'true',
    },
    answer: {
      anchor: protocol.newestAnchor,
      found_anchor: false,
      found_oldest: true,
      found_newest: true,
      history_limited: false,
      messages: [greeting],
    },
  },
  sendMessage: {
    make: (connection) =>
      calls.sendMessage(connection, {
        type: 'stream',
        to: '開発本部',
        topic: 'stream events',
        content: '"1+1=2" & [3]',
        queue_id: 'queue-1',
        local_id: '1.01',
        read_by_sender: true,
        client: 'Engawa',
        client_message_id: '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a',
      }),
    call: 'POST /messages',
    form: {
      type: 'stream',
      to: '開発本部',
      topic: 'stream events',
      content: '"1+1=2" & [3]',
      queue_id: 'queue-1',
      local_id: '1.01',
      read_by_sender: 'true',
      client: 'Engawa',
      client_message_id: '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a',
    },
    answer: { id: 42 },
  },
  getMessage: {
    make: (connection) => calls.getMessage(connection, { message_id: 41, apply_markdown: false }),
    call: 'GET /messages/41',
    query: { apply_markdown: 'false' },
    answer: { message: greeting, raw_content: 'お疲れさまです' },
  },
  editMessage: {
    make: (connection) =>
      calls.editMessage(connection, {
        message_id: 41,
        content: 'お疲れさまでした',
        prev_content_sha256: 'b0a5',
        topic: '議事録',
        propagate_mode: 'change_all',
        stream_id: 4,
        send_notification_to_old_thread: true,
        send_notification_to_new_thread: false,
      }),
    call: 'PATCH /messages/41',
    form: {
      content: 'お疲れさまでした',
      prev_content_sha256: 'b0a5',
      topic: '議事録',
      propagate_mode: 'change_all',
      stream_id: '4',
      send_notification_to_old_thread: 'true',
      send_notification_to_new_thread: 'false',
    },
  },
  deleteMessage: {
    make: (connection) => calls.deleteMessage(connection, { message_id: 41 }),
    call: 'DELETE /messages/41',
  },
  getMessageHistory: {
    make: (connection) => calls.getMessageHistory(connection, { message_id: 41 }),
    call: 'GET /messages/41/history',
    answer: {
      message_history: [
        { user_id: 7, timestamp: 1, topic: '議事録', content: '案', rendered_content: '<p>案</p>' },
        { user_id: null, timestamp: 2, topic: '議事録', content: '稿', rendered_content: '<p>稿</p>', prev_content: '案' },
      ],
    },
  },
  getReadReceipts: {
    make: (connection) => calls.getReadReceipts(connection, { message_id: 41 }),
    call: 'GET /messages/41/read_receipts',
    answer: { user_ids: [7], unread_user_ids: [8], withheld_user_ids: [9] },
  },
  countReadReceipts: {
    make: (connection) => calls.countReadReceipts(connection, { messages: [41, 42] }),
    call: 'GET /read_receipts',
    query: { messages: '[41,42]' },
    answer: { read_counts: [{ message_id: 41, count: 2 }] },
  },
  renderMessage: {
    make: (connection) => calls.renderMessage(connection, { content: '**縁側**' }),
    call: 'POST /messages/render',
    form: { content: '**縁側**' },
    answer: { rendered: '<p><strong>縁側</strong></p>' },
  },
  addReaction: {
    make: (connection) =>
      calls.addReaction(connection, {
        message_id: 41,
        emoji_name: 'tea',
        emoji_code: '1f375',
        reaction_type: 'unicode_emoji',
      }),
    call: 'POST /messages/41/reactions',
    form: { emoji_name: 'tea', emoji_code: '1f375', reaction_type: 'unicode_emoji' },
  },
  removeReaction: {
    make: (connection) =>
      calls.removeReaction(connection, {
        message_id: 41,
        emoji_name: 'engawa',
        emoji_code: '1',
        reaction_type: 'realm_emoji',
      }),
    call: 'DELETE /messages/41/reactions',
    query: { emoji_name: 'engawa', emoji_code: '1', reaction_type: 'realm_emoji' },
  },
  updateMessageFlags: {
    make: (connection) => calls.updateMessageFlags(connection, { messages: [40, 41], op: 'add', flag: 'read' }),
    call: 'POST /messages/flags',
    form: { messages: '[40,41]', op: 'add', flag: 'read' },
    answer: { messages: [40, 41] },
  },
  setTypingStatus: {
    make: (connection) =>
      calls.setTypingStatus(connection, {
        op: 'start',
        type: 'stream',
        to: protocol.addressDirect([7, 9]),
        stream_id: 3,
        topic: 'stream events',
      }),
    call: 'POST /typing',
    form: { op: 'start', type: 'stream', to: '[7,9]', stream_id: '3', topic: 'stream events' },
  },

  updatePresence: {
    make: (connection) =>
      calls.updatePresence(connection, {
        status: 'active',
        ping_only: false,
        new_user_input: true,
        slim_presence: true,
        last_update_id: -1,
      }),
    call: 'POST /users/me/presence',
    form: {
      status: 'active',
      ping_only: 'false',
      new_user_input: 'true',
      slim_presence: 'true',
      last_update_id: '-1',
    },
    answer: {
      presences: { '7': { active_timestamp: 1, idle_timestamp: 2 } },
      server_timestamp: 3.5,
      presence_last_update_id: 4,
    },
  },
  getRealmPresence: {
    make: (connection) => calls.getRealmPresence(connection, {}),
    call: 'GET /realm/presence',
    answer: {
      presences: {
        'jiro@engawa.example': {
          aggregated: { client: 'website', status: 'idle', timestamp: 1 },
          website: { client: 'website', status: 'idle', timestamp: 1, pushable: false },
        },
      },
      server_timestamp: 3.5,
    },
  },
  getUserPresence: {
    make: (connection) => calls.getUserPresence(connection, { user_id: 7 }),
    call: 'GET /users/7/presence',
    answer: { presence: { aggregated: { status: 'offline', timestamp: 1 } } },
  },
  updateStatus: {
    make: (connection) =>
      calls.updateStatus(connection, {
        status_text: '会議中',
        emoji_name: 'no_entry',
        emoji_code: '26d4',
        reaction_type: 'unicode_emoji',
        scheduled_end_time: 1_790_000_000,
      }),
    call: 'POST /users/me/status',
    form: {
      status_text: '会議中',
      emoji_name: 'no_entry',
      emoji_code: '26d4',
      reaction_type: 'unicode_emoji',
      scheduled_end_time: '1790000000',
    },
  },
  getUserStatus: {
    make: (connection) => calls.getUserStatus(connection, { user_id: 7 }),
    call: 'GET /users/7/status',
    answer: { status: { status_text: '会議中', scheduled_end_time: 1_790_000_000 } },
  },

  updateRealm: {
    make: (connection) => calls.updateRealm(connection, { enable_read_receipts: true, read_receipts: 'all' }),
    call: 'PATCH /realm',
    form: { enable_read_receipts: 'true', read_receipts: 'all' },
  },
  getRealmEmoji: {
    make: (connection) => calls.getRealmEmoji(connection, {}),
    call: 'GET /realm/emoji',
    answer: { emoji: { '1': engawaEmoji } },
  },
  getLinkifiers: {
    make: (connection) => calls.getLinkifiers(connection, {}),
    call: 'GET /realm/linkifiers',
    answer: { linkifiers: [linkifier] },
  },
  getRealmFilters: {
    make: (connection) => calls.getRealmFilters(connection, {}),
    call: 'GET /realm/filters',
    answer: { filters: [[linkifier.pattern, 'https://example.com/%(id)s', 1]] },
  },
};

/** All endpoints of the protocol by name. */
const endpoints = new Map<string, protocol.Endpoint>();
for (const [name, value] of Object.entries(protocol)) if (isEndpoint(value)) endpoints.set(name, value);

function isEndpoint(value: unknown): value is protocol.Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'answer' in value;
}

/** The names of the parameters that are not part of the path. */
function parametersOf(name: string): readonly string[] {
  const parameters = Object.entries(endpoints.get(name)?.parameters ?? {});
  return parameters.filter(([, { encoding }]) => encoding !== 'path').map(([parameter]) => parameter);
}

describe('Client calls', () => {
  it.each(Object.entries(cases))(
    '[R7.6] %s has its method, its path, all of its parameters and its answer',
    async (name, { make, call, query = {}, form = {}, answer = {} }) => {
      const { server, connection } = await eg([success({ ...answer, ignored_parameters_unsupported: [] })]);
      expect(await make(connection)).toEqual(answer);
      const sent = server.received.map((request) => ({ call: request.call, query: request.query, form: request.form }));
      expect(sent).toEqual([{ call: call.replace(' ', ' /api/v1'), query, form }]);
      expect(Object.keys({ ...query, ...form }).toSorted()).toEqual(parametersOf(name).toSorted());
    },
  );

  it('[R7.6] include one function for each endpoint of the protocol', () => {
    expect(Object.keys(calls).toSorted()).toEqual([...endpoints.keys()].toSorted());
  });
});
