import * as api from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import type { CallName, Endpoints } from '../testing/endpoints.ts';
import { type RequestContext, leaver, subscribers, signInUser } from './requestContext.ts';

interface Call<E extends api.Endpoint> {
  readonly by: string;
  readonly parameters: api.ParametersIn<E>;
}

function by<Parameters>(caller: (context: RequestContext) => string, parametersOf: (context: RequestContext) => Parameters) {
  return (context: RequestContext) => ({ by: caller(context), parameters: parametersOf(context) });
}

const emoji = ['smile', 'heart', '+1', 'tada', 'eyes'];
const contents = [
  'お疲れさまです。',
  '*太字* _斜体_ ~取り消し~ `code`',
  '@**all** 確認をお願いします',
  '@**田中 太郎** さん https://example.com/?a=1&b=2',
  '```js\nconst one = 1;\n```',
  '> 引用\n\n- 一\n- 二',
];

const member = ({ random }: RequestContext) => random.pick([...subscribers, 'ito']);
const subscriber = ({ random }: RequestContext) => random.pick(subscribers);
const administrator = ({ random }: RequestContext) => random.pick(['tanaka', 'sato']);
const randomBoolean = ({ random }: RequestContext) => random.chance(0.5);
const content = ({ random }: RequestContext) => `${random.pick(contents)} ${random.below(1000)}`;
const topic = ({ random }: RequestContext) => `話題 ${random.below(200)}`;
const word = ({ random }: RequestContext) => random.pick(['至急', '障害', 'Engawa', '縁側']) + String(random.below(20));
const message = ({ random, messages }: RequestContext) => messages.pick(random) ?? { id: 0, by: 'tanaka' };
const spareStream = ({ random, spareStreams }: RequestContext) => spareStreams.pick(random) ?? { id: 0, name: '部屋 0' };
const spareUser = ({ random, spareUsers }: RequestContext) => spareUsers.pick(random) ?? { id: 0 };
const queue = ({ random, queues }: RequestContext) => queues.pick(random) ?? { id: 'none', by: 'tanaka', cursor: 0 };
const otherUser = (context: RequestContext) => context.server.user(context.random.pick(subscribers));
const aboutMessage = by(subscriber, (context) => ({ message_id: message(context).id }));
const aboutGeneral = by(subscriber, ({ server }) => ({ stream_id: server.stream(eg.general) }));
const words = by(member, (context) => ({ alert_words: [word(context), word(context)] }));
const draft = (context: RequestContext) => context.drafts.pick(context.random) ?? { id: 0, by: 'tanaka' };
const botOwner = ({ random }: RequestContext) => random.pick(['tanaka', 'sato', 'suzuki']);
const bot = (context: RequestContext) => context.bots.pick(context.random) ?? { id: 0, by: 'tanaka' };
const aboutBot = (context: RequestContext) => {
  const { id, by } = bot(context);
  return { by, parameters: { bot_id: id } };
};
const writtenDraft = (context: RequestContext) => ({
  ...context.random.pick([
    { type: '' as const, to: [] },
    { type: 'stream' as const, to: [context.server.stream(eg.general)] },
    { type: 'private' as const, to: [otherUser(context)] },
  ]),
  topic: topic(context),
  content: content(context),
});
const linkifier = (context: RequestContext) => ({
  // Few, because each is applied to every message.
  pattern: `P${context.random.below(3)}-(?P<id>[0-9]+)`,
  url_template: 'https://tickets.example/{id}',
});
const userGroup = ({ random, userGroups }: RequestContext) => userGroups.pick(random) ?? { id: 0 };
const anyGroup = (context: RequestContext) =>
  context.random.pick([userGroup(context).id, api.systemGroups.everyone, api.systemGroups.members]);
const aboutGroup = by(administrator, (context) => ({ user_group_id: userGroup(context).id }));
const scheduled = (context: RequestContext) => context.scheduled.pick(context.random) ?? { id: 0, by: 'tanaka' };
const scheduledText = (context: RequestContext) => ({
  ...context.random.pick([
    { type: 'stream' as const, to: context.server.stream(eg.general), topic: topic(context) },
    { type: 'direct' as const, to: [otherUser(context)] },
  ]),
  content: content(context),
  scheduled_delivery_timestamp: Math.floor(context.server.clock.now() / 1000) + 1 + context.random.below(3600),
});
const muting = by(subscriber, (context) => ({ muted_user_id: otherUser(context) }));
const pointer = by(subscriber, (context) => ({ pointer: message(context).id }));
const property = (context: RequestContext) => {
  const switches = ['is_muted', 'in_home_view', 'pin_to_top', 'put_away', 'desktop_notifications'];
  return { property: context.random.pick(switches), value: randomBoolean(context) };
};

const audience = (context: RequestContext) => ({
  audience: context.random.pick(['everyone', 'selected', 'nobody'] as const),
  user_ids: [otherUser(context)],
});

/** Generators of valid parameters by call. A call that is not listed needs no parameters. */
const generators: { readonly [Name in CallName]?: (context: RequestContext) => Call<Endpoints[Name]> } = {
  fetchApiKey: () => ({ by: signInUser, parameters: { username: eg.emailOf(signInUser), password: eg.password } }),

  getUsers: by(member, (context) => ({
    client_gravatar: randomBoolean(context),
    include_custom_profile_fields: randomBoolean(context),
  })),
  getUser: by(member, (context) => ({ user_id: otherUser(context) })),
  getUserByEmail: by(member, (context) => ({ email: eg.emailOf(subscriber(context)) })),
  muteUser: muting,
  unmuteUser: muting,
  deactivateOwnUser: () => ({ by: leaver, parameters: {} }),
  createUser: (context) => {
    const number = context.next();
    const parameters = { email: `shinjin${number}@example.com`, password: `himitsu-${number}`, full_name: `新人 ${number}号` };
    return { by: administrator(context), parameters };
  },
  updateUser: by(administrator, (context) => ({
    user_id: spareUser(context).id,
    full_name: `新人 ${context.next()}号`,
    role: context.random.pick([api.roles.moderator, api.roles.member, api.roles.guest]),
  })),
  deactivateUser: by(administrator, (context) => ({ user_id: spareUser(context).id })),
  reactivateUser: by(administrator, (context) => ({ user_id: spareUser(context).id })),
  // The empty email changes nothing. A new one would make the credentials of later requests wrong.
  updateSettings: (context) => {
    const timezone = context.random.pick(['Asia/Tokyo', 'Europe/Berlin', 'UTC']);
    const parameters = context.random.pick([
      { full_name: `改名 ${context.next()}号` },
      { timezone },
      { email: '' },
      { send_read_receipts: randomBoolean(context) },
      {
        presence_enabled: randomBoolean(context),
        enter_sends: randomBoolean(context),
        compact_messages: randomBoolean(context),
        enable_sounds: randomBoolean(context),
      },
      { send_private_typing_notifications: randomBoolean(context), send_stream_typing_notifications: randomBoolean(context) },
      { color_scheme: context.random.pick([1, 2, 3] as const), default_language: context.random.pick([...api.languages]) },
      { enable_desktop_notifications: randomBoolean(context), enable_stream_desktop_notifications: randomBoolean(context) },
      { notification_sound: context.random.pick([...api.notificationSounds]) },
      {
        emojiset: context.random.pick([...api.emojisets]),
        twenty_four_hour_time: randomBoolean(context),
        pm_content_in_desktop_notifications: randomBoolean(context),
        display_emoji_reaction_users: randomBoolean(context),
        starred_message_counts: randomBoolean(context),
      },
      { photo_audience: audience(context) },
      { status_audience: audience(context) },
    ]);
    return { by: member(context), parameters };
  },
  updateNotificationSettings: by(member, (context) => ({ enable_sounds: randomBoolean(context) })),
  countEmojiUse: by(member, (context) => ({ emoji: context.random.pick(emoji) })),
  regenerateApiKey: () => ({ by: signInUser, parameters: {} }),
  createBot: by(botOwner, (context) => ({
    full_name: `係 ${context.next()}号`,
    short_name: `kakari-${context.next()}`,
    bot_type: context.random.pick([1, 2, 3] as const),
    default_sending_stream: context.random.pick([eg.general, '']),
    default_events_register_stream: context.random.pick([eg.general, '']),
    default_all_public_streams: randomBoolean(context),
  })),
  getBots: by(member, () => ({})),
  updateBot: (context) => {
    const { id: bot_id, by } = bot(context);
    const own = { full_name: `係 ${context.next()}号`, default_sending_stream: eg.general, default_events_register_stream: '' };
    const change = context.random.pick([own, { default_all_public_streams: randomBoolean(context) }]);
    const role = context.random.pick([api.roles.member, api.roles.guest]);
    return context.random.chance(0.3)
      ? { by: 'tanaka', parameters: { bot_id, role } }
      : { by, parameters: { bot_id, ...change } };
  },
  deactivateBot: aboutBot,
  regenerateBotApiKey: aboutBot,
  getBotApiKey: aboutBot,
  updatePointer: pointer,
  putPointer: pointer,

  addAlertWords: words,
  removeAlertWords: words,

  createDrafts: by(subscriber, (context) => ({ drafts: [writtenDraft(context)] })),
  editDraft: (context) => {
    const { id, by } = draft(context);
    return { by, parameters: { draft_id: id, draft: writtenDraft(context) } };
  },
  deleteDraft: (context) => {
    const { id, by } = draft(context);
    return { by, parameters: { draft_id: id } };
  },

  getUserGroups: by(member, (context) => ({ include_deactivated_groups: randomBoolean(context) })),
  createUserGroup: by(subscriber, (context) => ({
    name: `同好会 ${context.next()}`,
    description: content(context),
    members: [otherUser(context)],
    subgroups: context.random.some([api.systemGroups.owners], 0.5),
  })),
  updateUserGroup: by(administrator, (context) => ({
    user_group_id: userGroup(context).id,
    name: `同好会 ${context.next()}`,
    description: content(context),
  })),
  removeUserGroup: aboutGroup,
  deactivateUserGroup: aboutGroup,
  getUserGroupMembers: by(member, (context) => ({
    user_group_id: anyGroup(context),
    direct_member_only: randomBoolean(context),
  })),
  updateUserGroupMembers: by(administrator, (context) => ({
    user_group_id: userGroup(context).id,
    ...context.random.pick([{ add: [otherUser(context)] }, { delete: [otherUser(context)] }]),
  })),
  getIsUserGroupMember: by(subscriber, (context) => ({
    user_group_id: anyGroup(context),
    user_id: otherUser(context),
    direct_member_only: randomBoolean(context),
  })),
  getUserGroupSubgroups: by(member, (context) => ({
    user_group_id: anyGroup(context),
    direct_subgroup_only: randomBoolean(context),
  })),
  updateUserGroupSubgroups: by(administrator, (context) => ({
    user_group_id: userGroup(context).id,
    ...context.random.pick([
      { add: [userGroup(context).id] },
      { add: [api.systemGroups.moderators] },
      { delete: [api.systemGroups.owners] },
    ]),
  })),

  registerQueue: (context) => ({
    by: context.random.pick([member(context), signInUser]),
    parameters: {
      event_types: context.random.some(['message', 'reaction', 'realm_user', 'stream', 'typing'], 0.7),
      fetch_event_types: context.random.some(
        ['message', 'update_message_flags', 'realm_user', 'subscription', 'stream', 'starred_messages', 'realm', 'realm_bot'],
        0.4,
      ),
      apply_markdown: randomBoolean(context),
      include_subscribers: randomBoolean(context),
      all_public_streams: false,
      narrow: context.random.some([{ operator: 'stream', operand: eg.general }], 0.3),
      client_capabilities: { bulk_message_deletion: randomBoolean(context), stream_typing_notifications: randomBoolean(context) },
      queue_lifespan_secs: 600 + context.random.below(2000),
    },
  }),
  getEvents: (context) => {
    const { id, by, cursor } = queue(context);
    return { by, parameters: { queue_id: id, last_event_id: cursor, dont_block: true } };
  },
  deleteQueue: (context) => {
    const { id, by } = queue(context);
    return { by, parameters: { queue_id: id } };
  },

  getMessages: by(member, (context) => ({
    anchor: context.random.pick(['newest', 'oldest', 'first_unread', String(message(context).id)]),
    num_before: context.random.below(20),
    num_after: context.random.below(20),
    include_anchor: true,
    narrow: context.random.some(
      [
        { operator: 'topic', operand: topic(context) },
        { operator: 'sender', operand: eg.emailOf(subscriber(context)) },
        { operator: 'is', operand: 'starred', negated: randomBoolean(context) },
        {
          operator: 'search',
          operand: context.random.pick(['確認', '話題 引用', 'e', '鬱蒼']),
          negated: randomBoolean(context),
        },
      ],
      0.2,
    ),
    apply_markdown: randomBoolean(context),
    include_deleted: randomBoolean(context),
  })),
  checkMessagesMatchNarrow: by(subscriber, (context) => ({
    msg_ids: context.messages.some(context.random, 0.1).map(({ id }) => id),
    narrow: context.random.some(
      [
        { operator: 'search', operand: '確認' },
        { operator: 'is', operand: 'starred' },
      ],
      0.5,
    ),
  })),
  sendMessage: by(subscriber, (context) => ({
    ...(context.random.chance(0.6)
      ? { type: 'stream', to: eg.general, topic: topic(context) }
      : { type: 'direct', to: api.addressDirect([otherUser(context), otherUser(context)]) }),
    content: content(context),
    queue_id: queue(context).id,
    local_id: `${context.next()}.01`,
    read_by_sender: randomBoolean(context),
    client_message_id: uuid(context),
  })),
  updateMessageFlags: by(subscriber, (context) => ({
    messages: context.messages.some(context.random, 0.05).map(({ id }) => id),
    op: context.random.pick(['add', 'remove']),
    flag: context.random.pick(['read', 'starred', 'collapsed']),
  })),
  updateMessageFlagsForNarrow: by(subscriber, (context) => ({
    anchor: context.random.pick(['newest', 'first_unread', String(message(context).id)]),
    num_before: context.random.below(20),
    num_after: context.random.below(20),
    narrow: context.random.some([{ operator: 'topic', operand: topic(context) }], 0.2),
    op: context.random.pick(['add', 'remove']),
    flag: context.random.pick(['read', 'starred', 'collapsed']),
  })),
  markStreamAsRead: aboutGeneral,
  // The topic may have no message yet.
  markTopicAsRead: by(subscriber, (context) => ({ stream_id: context.server.stream(eg.general), topic_name: topic(context) })),
  getMessage: by(subscriber, (context) => ({ message_id: message(context).id, apply_markdown: randomBoolean(context) })),
  editMessage: (context) => {
    const { id, by } = message(context);
    const propagate_mode = context.random.pick(['change_one', 'change_later', 'change_all'] as const);
    const change = context.random.pick([{ content: content(context) }, { topic: topic(context), propagate_mode }]);
    return { by, parameters: { message_id: id, ...change } };
  },
  deleteMessage: (context) => {
    const { id, by } = message(context);
    return { by, parameters: { message_id: id } };
  },
  getMessageHistory: aboutMessage,
  getReadReceipts: (context) => {
    const { id, by } = message(context);
    return { by, parameters: { message_id: id } };
  },
  countReadReceipts: by(subscriber, (context) => ({ messages: [message(context).id] })),
  renderMessage: by(member, (context) => ({ content: content(context) })),
  addReaction: (context) => {
    const by = subscriber(context);
    const { id } = message(context);
    const emoji_name = context.random.pick(emoji);
    context.reactions.add({ id, by, emoji: emoji_name });
    return { by, parameters: { message_id: id, emoji_name } };
  },
  removeReaction: (context) => {
    const { id, by, emoji: emoji_name } = context.reactions.pick(context.random) ?? { id: 0, by: 'tanaka', emoji: 'smile' };
    return { by, parameters: { message_id: id, emoji_name } };
  },
  setTypingStatus: by(subscriber, (context) => ({
    op: context.random.pick(['start', 'stop']),
    ...(randomBoolean(context)
      ? { type: 'stream', stream_id: context.server.stream(eg.general), topic: topic(context) }
      : { type: 'direct', to: api.addressDirect([otherUser(context)]) }),
  })),
  updatePresence: by(member, (context) => ({
    status: context.random.pick(['active', 'idle']),
    ping_only: randomBoolean(context),
    new_user_input: randomBoolean(context),
    slim_presence: randomBoolean(context),
    ...(randomBoolean(context) ? { last_update_id: context.random.pick([-1, 0, 1_790_000_000_000]) } : {}),
  })),
  getUserPresence: by(member, (context) => ({ user_id: context.server.user('tanaka') })),
  getUserPresenceByEmail: by(member, () => ({ email: eg.emailOf('tanaka') })),
  updateStatus: by(member, (context) =>
    context.random.pick([
      { status_text: `会議中 ${context.next()}`, ...api.busyEmoji },
      { status_text: '' },
      { emoji_name: '', emoji_code: '', reaction_type: '' },
      { status_text: '外出中', scheduled_end_time: Math.floor(context.server.clock.now() / 1000) + api.maxStatusSeconds },
    ]),
  ),
  getUserStatus: by(member, (context) => ({ user_id: otherUser(context) })),

  addLinkifier: by(administrator, linkifier),
  updateLinkifier: by(administrator, (context) => ({ filter_id: 1, ...linkifier(context) })),
  // The first linkifier of the organisation remains.
  removeLinkifier: by(administrator, ({ random }) => ({ filter_id: 2 + random.below(50) })),
  reorderLinkifiers: by(administrator, (context) => ({ ordered_linkifier_ids: context.linkifierIds })),
  addPlayground: by(administrator, (context) => ({
    name: `試し ${context.next()}`,
    pygments_language: 'Python',
    url_template: 'https://py.example/{code}',
  })),
  removePlayground: by(administrator, ({ random }) => ({ playground_id: 1 + random.below(50) })),
  createProfileField: by(administrator, (context) => ({
    name: `項目 ${context.next()}`,
    hint: '四桁',
    field_type: context.random.pick([1, 2, 4, 5, 8]),
  })),
  updateProfileField: by(administrator, (context) => ({
    field_id: 1 + context.random.below(20),
    hint: context.random.pick(['', '五桁']),
  })),
  deleteProfileField: by(administrator, ({ random }) => ({ field_id: 10 + random.below(50) })),
  reorderProfileFields: by(administrator, (context) => ({ order: context.fieldIds })),
  updateProfileData: by(member, ({ random }) => ({
    data: [{ id: 1 + random.below(10), value: random.pick(['', '1234', '2026-01-01']) }],
  })),
  deleteProfileData: by(member, ({ random }) => ({ data: [1 + random.below(10)] })),
  getBotStorage: by(member, ({ random }) => (random.chance(0.5) ? {} : { keys: ['count'] })),
  updateBotStorage: by(member, (context) => ({ storage: { count: content(context) } })),
  deleteBotStorage: by(member, ({ random }) => (random.chance(0.5) ? {} : { keys: ['count'] })),
  deleteRealmEmoji: by(administrator, () => ({ emoji_name: 'engawa' })),
  updateRealm: by(administrator, (context) =>
    context.random.pick([
      { enable_read_receipts: randomBoolean(context) },
      { read_receipts: context.random.pick(['own', 'all', 'none'] as const) },
      { bot_creation_policy: context.random.pick([1, 3] as const) },
      { bot_creation: context.random.pick(['everyone', 'administrators'] as const) },
    ]),
  ),

  getStreams: by(administrator, (context) => ({
    include_public: true,
    include_subscribed: true,
    include_default: randomBoolean(context),
  })),
  getStream: aboutGeneral,
  getStreamId: by(subscriber, () => ({ stream: eg.general })),
  getTopics: aboutGeneral,
  addDefaultStream: by(administrator, (context) => ({ stream_id: spareStream(context).id })),
  removeDefaultStream: by(administrator, (context) => ({ stream_id: spareStream(context).id })),
  deleteTopic: by(administrator, (context) => ({ stream_id: context.server.stream(eg.general), topic_name: topic(context) })),
  getSubscribers: aboutGeneral,
  getStreamEmailAddress: aboutGeneral,
  getSubscriptionStatus: by(subscriber, (context) => ({
    user_id: otherUser(context),
    stream_id: context.server.stream(eg.general),
  })),
  updateStream: by(administrator, (context) => ({
    stream_id: spareStream(context).id,
    description: context.random.pick(['打ち合わせ', '雑談', '']),
  })),
  deleteStream: by(administrator, (context) => ({ stream_id: spareStream(context).id })),
  getSubscriptions: by(member, (context) => ({ include_subscribers: randomBoolean(context) })),
  subscribe: by(administrator, (context) => ({
    subscriptions: [{ name: `部屋 ${context.next()}`, description: '打ち合わせ' }],
    principals: context.random.some(subscribers, 0.3).map((name) => context.server.user(name)),
    invite_only: randomBoolean(context),
    history_public_to_subscribers: true,
    authorization_errors_fatal: randomBoolean(context),
  })),
  unsubscribe: by(subscriber, (context) => ({ subscriptions: [spareStream(context).name] })),
  updateSubscriptionProperties: by(subscriber, (context) => ({
    subscription_data: [{ stream_id: context.server.stream(eg.general), ...property(context) }],
  })),
  updateSubscriptionProperty: (context) => {
    const { property: name, value } = property(context);
    const parameters = { stream_id: context.server.stream(eg.general), property: name, value: JSON.stringify(value) };
    return { by: subscriber(context), parameters };
  },
  createScheduledMessage: by(subscriber, (context) => scheduledText(context)),
  updateScheduledMessage: (context) => {
    const { id, by } = scheduled(context);
    return { by, parameters: { scheduled_message_id: id, ...scheduledText(context) } };
  },
  deleteScheduledMessage: (context) => {
    const { id, by } = scheduled(context);
    return { by, parameters: { scheduled_message_id: id } };
  },
  updateUserTopic: by(subscriber, (context) => ({
    stream_id: context.server.stream(eg.general),
    topic: topic(context),
    visibility_policy: context.random.pick([0, 1, 2, 3] as const),
  })),
  muteTopic: by(subscriber, (context) => ({
    ...context.random.pick([{ stream: eg.general }, { stream_id: context.server.stream(eg.general) }]),
    topic: topic(context),
    op: context.random.pick(['add', 'remove'] as const),
  })),
  updateSubscriptions: by(subscriber, (context) => ({
    add: [{ name: `部屋 ${context.next()}` }],
    delete: [spareStream(context).name],
  })),
};

export const callOf = (context: RequestContext, name: CallName) =>
  generators[name]?.(context) ?? { by: member(context), parameters: {} };

function uuid({ random }: RequestContext): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
}
