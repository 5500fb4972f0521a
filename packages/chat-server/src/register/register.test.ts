import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

const always = [
  'event_queue_longpoll_timeout_seconds',
  'last_event_id',
  'queue_id',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
];

const negatedTopic = JSON.stringify([{ operator: 'topic', operand: 't', negated: true }]);

it('[R3.7] [R7.7] POST /register returns a queue and its starting event id', async () => {
  const server = await eg.server();
  const answer = await eg.signIn(server, 'sato').ok(api.registerQueue, {});
  expect(answer).toMatchObject({
    queue_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    last_event_id: expect.any(Number),
    event_queue_longpoll_timeout_seconds: api.longPollTimeoutSeconds,
  });
});

it('[R1.7] POST /register returns the complete state by default', async () => {
  const server = await eg.server();
  const answer = await eg.signIn(server, 'sato').ok(api.registerQueue, { include_subscribers: true });
  expect(answer).toMatchObject({
    max_message_id: -1,
    unread_msgs: { count: 0, streams: [], old_unreads_missing: false },
    starred_messages: [],
    subscriptions: [{ name: eg.general, subscribers: expect.any(Array) }, { name: eg.personnel }],
    unsubscribed: [],
    never_subscribed: [],
    streams: [{ name: eg.general }, { name: eg.personnel }],
    realm_users: [{ user_id: server.user('tanaka') }, {}, {}, {}, {}],
    realm_non_active_users: [],
    cross_realm_bots: [],
    former_names: [],
    user_id: server.user('sato'),
    email: 'sato@example.com',
    full_name: '佐藤 花子',
    avatar_url: '/avatars/sato.png',
    is_admin: true,
    is_owner: false,
    is_moderator: true,
    is_guest: false,
    realm_name: '株式会社縁側',
    realm_icon_url: 'http://chat.example/favicon.svg',
    realm_icon_source: 'U',
    realm_message_retention_days: -1,
    realm_presence_disabled: false,
    realm_waiting_period_threshold: 0,
    realm_wildcard_mention_policy: 1,
    realm_default_external_accounts: {},
    server_emoji_data_url: 'http://chat.example/api/v1/emoji_data',
    max_file_upload_size_mib: 25,
    realm_mandatory_topics: true,
    realm_topics_policy: 'disable_empty_topic',
    realm_empty_topic_display_name: 'general chat',
    max_message_length: 10_000,
    max_topic_length: 60,
    alert_words: [],
    drafts: [],
    pointer: -1,
    realm_emoji: { 1: { name: 'engawa' }, 2: { name: 'old_engawa' } },
    realm_linkifiers: [],
    realm_allow_message_editing: true,
    realm_allow_edit_history: true,
    realm_message_content_edit_limit_seconds: 600,
    realm_message_content_delete_limit_seconds: 600,
    realm_move_messages_within_stream_limit_seconds: 604_800,
    server_typing_started_wait_period_milliseconds: 10_000,
    server_typing_stopped_wait_period_milliseconds: 5000,
    server_typing_started_expiry_period_milliseconds: 15_000,
  });
  for (const user of answer.realm_users ?? []) expect(user).not.toHaveProperty('is_active');
});

it.each<[string, api.ParametersIn<typeof api.registerQueue>, string[]]>([
  ['its event types', { event_types: ['message'] }, ['max_message_id']],
  ['message flags alone', { event_types: ['update_message_flags'] }, []],
  ['messages with flags', { event_types: ['message', 'update_message_flags'] }, ['max_message_id', 'unread_msgs']],
  ['fetch types first', { event_types: ['message'], fetch_event_types: ['starred_messages'] }, ['starred_messages']],
  ['no fetch types', { fetch_event_types: [] }, []],
  ['unknown types', { event_types: ['nothing', 'zulip_version'] }, []],
  ['subscriptions', { event_types: ['subscription'] }, ['never_subscribed', 'subscriptions', 'unsubscribed']],
  ['streams', { event_types: ['stream'] }, ['streams']],
  ['alert words', { event_types: ['alert_words'] }, ['alert_words']],
  ['drafts', { event_types: ['drafts'] }, ['drafts']],
  ['the pointer', { event_types: ['pointer'] }, ['pointer']],
  ['emoji', { event_types: ['realm_emoji'] }, ['realm_emoji']],
  ['linkifiers', { event_types: ['realm_linkifiers'] }, ['realm_linkifiers']],
])('POST /register returns only the parts of the state that are selected by %s', async (_, request, keys) => {
  const answer = await eg.signIn(await eg.server(), 'sato').ok(api.registerQueue, request);
  expect(Object.keys(answer).toSorted()).toEqual([...always, ...keys].toSorted());
});

it('POST /register returns linkifiers only to clients with linkifier_url_template', async () => {
  const sato = eg.signIn(await eg.server(), 'sato');
  const linkifiers = async (client_capabilities: Record<string, boolean>) =>
    (await sato.ok(api.registerQueue, { fetch_event_types: ['realm_linkifiers'], client_capabilities })).realm_linkifiers;
  expect(await linkifiers({ linkifier_url_template: true })).toEqual([
    { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' },
  ]);
  expect(await linkifiers({ linkifier_url_template: false })).toEqual([]);
});

it('POST /register returns the time limits for edits, with null for no limit', async () => {
  const server = await eg.server({
    organisation: eg.organisation({ editLimits: { content: 60, deletion: null, topic: null } }),
  });
  const answer = await eg.signIn(server, 'sato').ok(api.registerQueue, { fetch_event_types: ['realm'] });
  expect(answer).toMatchObject({
    realm_message_content_edit_limit_seconds: 60,
    realm_message_content_delete_limit_seconds: null,
    realm_move_messages_within_stream_limit_seconds: null,
  });
});

it('[R6.1] POST /register returns nothing about streams of other members', async () => {
  const server = await eg.server({
    organisation: eg.organisation({ messages: [eg.pastMessage('secret', { by: 'suzuki', stream: eg.board })] }),
  });
  const form = { include_subscribers: 'true' };
  const { text } = await eg.signIn(server, 'sato').raw({ method: 'POST', path: '/register', form });
  expect(text).not.toContain(eg.board);
  expect(JSON.parse(text)).toMatchObject({ max_message_id: -1 });
});

it.each<[string, Record<string, string>, string]>([
  ['an operator that queues do not support', { narrow: '[["has","link"]]' }, 'Operator has not supported.'],
  ['an operand that queues do not support', { narrow: '[["is","followed"]]' }, 'Operator is:followed not supported.'],
  ['a negated term', { narrow: negatedTopic }, 'Operator -topic not supported.'],
  ['a lifespan of more than seven days', { queue_lifespan_secs: '604801' }, 'Invalid queue_lifespan_secs'],
  ['a negative lifespan', { queue_lifespan_secs: '-1' }, 'Invalid queue_lifespan_secs'],
  ['event types that are not a list', { event_types: '"message"' }, 'event_types is not a list'],
  ['event types that are not strings', { event_types: '["message",5]' }, 'event_types[1] is not a string'],
])('POST /register refuses %s', async (_, form, msg) => {
  const sato = eg.signIn(await eg.server(), 'sato');
  const refusal = eg.refusal(await sato.raw({ method: 'POST', path: '/register', form }));
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it('A change that is made during POST /register is either in its state or in a later event, never in both', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = eg.signIn(server, 'sato');
  const ids: number[] = [];
  const answers: api.AnswerOut<typeof api.registerQueue>[] = [];
  const isEnough = () => ids.length >= 60 && answers.length > 5;
  const send = async () => {
    while (!isEnough()) {
      const { id } = await tanaka.ok(api.sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'c' });
      ids.push(id);
    }
  };
  const register = async () => {
    while (!isEnough()) answers.push(await sato.ok(api.registerQueue, {}));
  };
  await Promise.all([send(), register()]);

  for (const { queue_id, last_event_id, unread_msgs } of answers) {
    const inState = unread_msgs?.streams.flatMap((stream) => stream.unread_message_ids) ?? [];
    const { events } = await sato.ok(api.getEvents, { queue_id, last_event_id, dont_block: true });
    const delivered = events.flatMap((event) => (event.type === 'message' ? [event.message.id] : []));
    expect([...inState, ...delivered]).toEqual(ids);
  }
});

it('POST /register repeats settings outside of user_settings, except for clients that know the capability user_settings_object', async () => {
  const server = await eg.server();
  const sato = eg.signIn(server, 'sato');
  await sato.ok(api.updateSettings, { twenty_four_hour_time: false, pm_content_in_desktop_notifications: false });
  const fetch_event_types = ['update_display_settings', 'update_global_notifications'];
  const old = await sato.ok(api.registerQueue, { fetch_event_types });
  expect(old).toMatchObject({ twenty_four_hour_time: false, pm_content_in_desktop_notifications: false, emojiset: 'google' });
  const client_capabilities = { user_settings_object: true };
  const current = await sato.ok(api.registerQueue, { fetch_event_types, client_capabilities });
  expect(Object.keys(current).toSorted()).toEqual(always);
});
