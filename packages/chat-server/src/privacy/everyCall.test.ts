/** Makes every call as every other member, about one member who hides everything. */
import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { type CallName, type Endpoints, endpointOf, endpoints } from '../testing/endpoints.ts';

const organisation = eg.organisation({
  users: [
    eg.person('tanaka', '田中 太郎', api.roles.owner),
    eg.person('sato', '佐藤 花子', api.roles.administrator),
    eg.person('suzuki', '鈴木 一郎', api.roles.member),
    eg.person('ito', '伊藤 誠', api.roles.member),
    eg.person('takahashi', '高橋 恵', api.roles.guest),
    eg.person('yamada', '山田 進', api.roles.member),
  ],
  streams: [
    { ...eg.stream(eg.general, ['tanaka', 'sato', 'suzuki', 'ito', 'takahashi', 'yamada']), invite_only: false },
    { ...eg.stream('部屋', ['tanaka', 'sato', 'ito', 'takahashi']), invite_only: false },
  ],
  messages: [eg.pastMessage('昔の話', { by: 'suzuki' })],
});

/** The member who hides everything, and the members who look. */
const hidden = 'suzuki';
const viewers = ['tanaka', 'sato', 'ito', 'takahashi'] as const;
type Viewer = (typeof viewers)[number];

const secrets = {
  picture: '/avatars/suzuki.png',
  newPicture: '/avatars/himitsu.png',
  status: 'ひみつの用事',
  statusEmoji: 'ghost',
  draft: 'ひみつの下書き',
};
const hour = 60 * 60;

interface Context {
  readonly viewer: Viewer;
  /** The ids of the hidden member and of a member who may be deactivated. */
  readonly hiddenId: number;
  readonly spare: number;
  /** The first and last message of the hidden member, and a message of the viewer. */
  readonly messages: readonly number[];
  readonly own: number;
  readonly draft: number;
  /** A bot of the viewer. Guests create none. */
  readonly bot: number;
  readonly scheduled: number;
  readonly stream: number;
  readonly group: number;
  readonly otherGroup: number;
  readonly room: number;
  readonly queue: string;
  readonly cursor: number;
}

type CallParameters = { readonly [Name in CallName]?: (at: Context) => readonly api.ParametersIn<Endpoints[Name]>[] };

const about = ({ hiddenId: user_id }: Context) => [{ user_id }];
const spare = ({ spare: user_id }: Context) => [{ user_id }];
const hiddenMessages = ({ messages }: Context) => messages.map((message_id) => ({ message_id }));
const own = ({ own: message_id }: Context) => [{ message_id }];
const words = () => [{ alert_words: ['縁側'] }];
const stream = ({ stream: stream_id }: Context) => [{ stream_id }];
const aGroup = ({ group: user_group_id }: Context) => [{ user_group_id }];
const group = ({ hiddenId, spare: other }: Context) => api.addressDirect([hiddenId, other]);
const draft: api.ParametersIn<typeof api.editDraft>['draft'] = { type: '', to: [], topic: '', content: '書きかけ' };
const scheduledText = { content: 'あとで', topic: 't', scheduled_delivery_timestamp: 4_000_000_000 };
const nobody = { audience: 'nobody' } as const;

/** Parameters as close to the hidden member as possible. A call without an entry needs none. Destructive calls come last. */
const parameters: CallParameters = {
  fetchApiKey: ({ viewer }) => [{ username: eg.emailOf(viewer), password: eg.password }],
  registerQueue: () => [
    {},
    { slim_presence: true },
    { fetch_event_types: ['realm_user'] },
    { fetch_event_types: ['presence', 'user_status'] },
  ],
  getEvents: ({ queue: queue_id, cursor: last_event_id }) => [{ queue_id, last_event_id, dont_block: true }],
  getUsers: () => [{}, { client_gravatar: false, include_custom_profile_fields: true }],
  getUser: about,
  muteUser: ({ hiddenId: muted_user_id }) => [{ muted_user_id }],
  unmuteUser: ({ hiddenId: muted_user_id }) => [{ muted_user_id }],
  updateUserTopic: (at) => stream(at).map((it) => ({ ...it, topic: '昼食', visibility_policy: 1 })),
  muteTopic: (at) => stream(at).map((it) => ({ ...it, topic: '昼食', op: 'remove' })),
  getUserByEmail: () => [{ email: eg.emailOf(hidden) }],
  getUserPresenceByEmail: () => [{ email: eg.emailOf(hidden) }],
  addDefaultStream: stream,
  removeDefaultStream: stream,
  deleteTopic: (at) => stream(at).map((it) => ({ ...it, topic_name: 'もうない' })),
  getSubscribers: stream,
  getStreamEmailAddress: stream,
  getSubscriptionStatus: ({ hiddenId: user_id, stream: stream_id }) => [{ user_id, stream_id }],
  checkMessagesMatchNarrow: ({ messages }) => [{ msg_ids: [...messages], narrow: [] }],
  updatePresence: () => [
    { status: 'active' },
    { status: 'idle', slim_presence: true },
    { status: 'active', last_update_id: -1 },
    { status: 'active', last_update_id: 0 },
  ],
  getUserPresence: about,
  getUserStatus: about,
  updateStatus: () => [{ status_text: '在席' }],
  getMessages: () => [
    { anchor: 'newest', num_before: 100, num_after: 0 },
    { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, include_deleted: true },
    { anchor: 'newest', num_before: 100, num_after: 0, narrow: [{ operator: 'sender', operand: eg.emailOf(hidden) }] },
  ],
  getMessage: hiddenMessages,
  getMessageHistory: hiddenMessages,
  getReadReceipts: own,
  countReadReceipts: ({ messages, own: mine }) => [{ messages: [...messages, mine] }],
  renderMessage: ({ hiddenId }) => [{ content: `@**鈴木 一郎|${hiddenId}**` }],
  addReaction: ({ messages }) => messages.map((message_id) => ({ message_id, emoji_name: 'tea' })),
  removeReaction: ({ messages }) => messages.map((message_id) => ({ message_id, emoji_name: 'tea' })),
  updateMessageFlags: ({ messages }) => [{ messages: [...messages], op: 'add', flag: 'starred' }],
  updateMessageFlagsForNarrow: () => [{ anchor: 'newest', num_before: 9, num_after: 0, narrow: [], op: 'add', flag: 'read' }],
  markStreamAsRead: stream,
  markTopicAsRead: (at) => stream(at).map((it) => ({ ...it, topic_name: '昼食' })),
  setTypingStatus: ({ hiddenId }) => [{ op: 'start', to: api.addressDirect([hiddenId]) }],
  sendMessage: (at) => [
    { type: 'direct', to: api.addressDirect([at.hiddenId]), content: '元気ですか' },
    { type: 'direct', to: group(at), content: '三人で' },
  ],
  updateSettings: () => [{ photo_audience: nobody, status_audience: nobody, groups_audience: nobody }],
  updateNotificationSettings: () => [{ enable_sounds: false }],
  countEmojiUse: () => [{ emoji: '🍵' }],
  addAlertWords: words,
  removeAlertWords: words,
  createDrafts: ({ hiddenId }) => [{ drafts: [{ ...draft, type: 'private', to: [hiddenId] }] }],
  editDraft: ({ draft: draft_id }) => [{ draft_id, draft }],
  deleteDraft: ({ draft: draft_id }) => [{ draft_id }],
  createScheduledMessage: ({ hiddenId }) => [{ ...scheduledText, type: 'direct', to: [hiddenId] }],
  updateScheduledMessage: ({ scheduled: scheduled_message_id }) => [{ scheduled_message_id, content: '直した' }],
  deleteScheduledMessage: ({ scheduled: scheduled_message_id }) => [{ scheduled_message_id }],
  updatePointer: () => [{ pointer: 1 }],
  putPointer: () => [{ pointer: 1 }],
  createUserGroup: ({ hiddenId, viewer }) => [{ name: `${viewer}の会`, description: '', members: [hiddenId] }],
  updateUserGroup: (at) => aGroup(at).map((it) => ({ ...it, description: '説明' })),
  getUserGroupMembers: aGroup,
  updateUserGroupMembers: (at) => aGroup(at).map((it) => ({ ...it, add: [at.hiddenId] })),
  getIsUserGroupMember: (at) => aGroup(at).map((it) => ({ ...it, user_id: at.hiddenId })),
  getUserGroupSubgroups: aGroup,
  updateUserGroupSubgroups: (at) => aGroup(at).map((it) => ({ ...it, add: [api.systemGroups.members] })),
  getSubscriptions: () => [{ include_subscribers: true }],
  getStream: stream,
  updateStream: (at) => stream(at).map((it) => ({ ...it, description: '説明' })),
  updateSubscriptionProperties: ({ stream: stream_id }) => [
    { subscription_data: [{ stream_id, property: 'is_muted', value: true }] },
  ],
  updateSubscriptionProperty: (at) => stream(at).map((it) => ({ ...it, property: 'pin_to_top', value: 'true' })),
  getStreamId: () => [{ stream: eg.general }],
  getTopics: stream,
  subscribe: ({ hiddenId }) => [{ subscriptions: [{ name: '部屋' }], principals: [hiddenId] }],
  updateSubscriptions: () => [{ add: [{ name: eg.general }] }],
  updateUser: ({ hiddenId: user_id }) => [{ user_id, full_name: '鈴木 改名' }],
  createBot: () => [{ full_name: '警報 係', short_name: 'keihou' }],
  updateBot: ({ bot: bot_id }) => [{ bot_id, full_name: '警報 二号' }],
  regenerateBotApiKey: ({ bot: bot_id }) => [{ bot_id }],
  getBotApiKey: ({ bot: bot_id }) => [{ bot_id }],
  deactivateBot: ({ bot: bot_id }) => [{ bot_id }],
  addLinkifier: () => [{ pattern: 'P(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }],
  updateLinkifier: () => [{ filter_id: 1, pattern: 'Q(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }],
  reorderLinkifiers: () => [{ ordered_linkifier_ids: [2, 1] }],
  removeLinkifier: () => [{ filter_id: 1 }],
  addPlayground: () => [{ name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' }],
  removePlayground: () => [{ playground_id: 1 }],
  createProfileField: () => [{ name: '内線', field_type: 1 }],
  updateProfileField: () => [{ field_id: 1, hint: '四桁' }],
  reorderProfileFields: () => [{ order: [1] }],
  updateProfileData: () => [{ data: [{ id: 1, value: '1234' }] }],
  deleteProfileData: () => [{ data: [1] }],
  deleteProfileField: () => [{ field_id: 1 }],
  updateBotStorage: () => [{ storage: { count: '1' } }],
  deleteBotStorage: () => [{ keys: ['count'] }],
  deleteRealmEmoji: ({ viewer }) => [{ emoji_name: `${viewer}_emoji` }],
  updateRealm: () => [{ read_receipts: 'all' }],
  createUser: ({ viewer }) => [{ email: `shinjin-${viewer}@example.com`, password: 'himitsu-1', full_name: '新人 さん' }],
  deactivateUser: spare,
  reactivateUser: spare,
  editMessage: ({ own: message_id }) => [{ message_id, content: '直した' }],
  deleteMessage: own,
  unsubscribe: () => [{ subscriptions: ['部屋'] }],
  removeUserGroup: aGroup,
  deactivateUserGroup: ({ otherGroup: user_group_id }) => [{ user_group_id }],
  deleteStream: ({ room: stream_id }) => [{ stream_id }],
  deleteQueue: ({ queue: queue_id }) => [{ queue_id }],
  deactivateOwnUser: () => [{}],
  regenerateApiKey: () => [{}],
};

/** Queue options that change how events are serialised. */
const queueOptions: readonly api.ParametersIn<typeof api.registerQueue>[] = [
  {},
  {
    apply_markdown: true,
    slim_presence: true,
    all_public_streams: false,
    client_capabilities: { stream_typing_notifications: true, bulk_message_deletion: true },
  },
  { client_capabilities: { simplified_presence_events: true, stream_typing_notifications: true } },
];

async function setup(isHidden: boolean) {
  const server = await eg.server({ organisation });
  const as = (name: string) => eg.signIn(server, name);
  const [hiddenId, stream_id] = [server.user(hidden), server.stream(eg.general)];
  if (isHidden) {
    const privacy = { photo_audience: nobody, status_audience: nobody, groups_audience: nobody };
    await as(hidden).ok(api.updateSettings, { ...privacy, presence_enabled: false });
  }
  const now = () => Math.floor(server.clock.now() / 1000);
  /** Acts as the hidden member, with each action at its own second. */
  const actAsHidden = async () => {
    const moment = async <T>(act: Promise<T>): Promise<T> => {
      const made = await act;
      await server.clock.advance(api.presenceBatchSeconds + 1);
      return made;
    };
    await moment(server.setAvatar(hidden, secrets.newPicture));
    const scheduled_end_time = now() + hour;
    const status = { status_text: secrets.status, emoji_name: secrets.statusEmoji, scheduled_end_time };
    await moment(as(hidden).ok(api.updateStatus, status));
    const activeAt = now();
    await moment(as(hidden).ok(api.updatePresence, { status: 'active', slim_presence: true, ping_only: true }));
    // Another member becomes active too, so that a presence event is published.
    await moment(as('yamada').ok(api.updatePresence, { status: 'active' }));
    await as(hidden).ok(api.createDrafts, { drafts: [{ ...draft, content: secrets.draft }] });
    await as(hidden).ok(api.setTypingStatus, { op: 'start', type: 'stream', stream_id, topic: '昼食' });
    const viewerIds = viewers.map((name) => server.user(name));
    await as(hidden).ok(api.setTypingStatus, { op: 'start', to: api.addressDirect(viewerIds) });
    const { id } = await moment(
      as(hidden).ok(api.sendMessage, { type: 'stream', to: eg.general, topic: '昼食', content: 'お先に' }),
    );
    return { id, texts: [...Object.values(secrets), `${activeAt}`, `${scheduled_end_time}`] };
  };
  return { server, as, hiddenId, actAsHidden };
}

/** Whether an answer contains presence, typing, status or picture data of the hidden member. */
function reveals(value: unknown, hiddenId: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const keysOf = (field: string) => Object.keys(Object(fields.get(field)));
  const isHis =
    fields.get('user_id') === hiddenId || Object.entries(Object(fields.get('sender'))).some(([, id]) => id === hiddenId);
  const known =
    [...keysOf('presences'), ...keysOf('user_status')].some((key) => key === `${hiddenId}` || key === eg.emailOf(hidden)) ||
    (isHis && ['presence', 'typing', 'user_status'].includes(String(fields.get('type')))) ||
    (isHis && fields.has('avatar_version') && fields.get('avatar_version') !== 1);
  return known || [...fields.values()].some((each) => reveals(each, hiddenId));
}

/** Makes every call as a viewer. @returns the calls that revealed the member, and those that succeeded. */
async function callsRevealing(viewer: Viewer, isHidden: boolean) {
  const { server, as, hiddenId, actAsHidden } = await setup(isHidden);
  const client = as(viewer);
  const queues = await Promise.all(queueOptions.map((asked) => client.ok(api.registerQueue, asked)));
  const poll = (queue_id: string, cursor: number, how: Readonly<Record<string, string>>) =>
    client.raw({ path: '/events', query: { queue_id, last_event_id: `${cursor}`, ...how } });
  const waiting = queues.map(({ queue_id, last_event_id }) => poll(queue_id, last_event_id, {}));
  await settled();
  const { id, texts } = await actAsHidden();
  const { id: ownId } = await client.ok(api.sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'はい' });
  const { ids } = await client.ok(api.createDrafts, { drafts: [draft] });
  const later = { ...scheduledText, type: 'stream' as const, to: server.stream(eg.general) };
  const { scheduled_message_id } = await client.ok(api.createScheduledMessage, later);

  const made = (name: string) =>
    as('yamada').ok(api.createUserGroup, { name, description: '', members: [server.user('tanaka'), server.user('takahashi')] });
  const { group_id: groupId = 0 } = await made('一の会');
  const { group_id: otherGroup = 0 } = await made('二の会');

  const at: Context = {
    viewer,
    hiddenId,
    spare: server.user('yamada'),
    messages: [...server.messages, id],
    own: ownId,
    draft: ids[0] ?? 0,
    bot: viewer === 'takahashi' ? 0 : (await client.ok(api.createBot, { full_name: '書記 係', short_name: 'shoki' })).user_id,
    scheduled: scheduled_message_id,
    stream: server.stream(eg.general),
    group: groupId,
    otherGroup,
    room: server.stream('部屋'),
    queue: queues[0]?.queue_id ?? '',
    cursor: queues[0]?.last_event_id ?? 0,
  };
  const [revealing, succeeded] = [new Set<string>(), new Set<string>()];
  const check = (name: string, { status, text }: eg.Reply) => {
    if (status === 200) succeeded.add(name);
    // This call lists the names of all emoji, so also that of the hidden status.
    const sought = name === 'getEmojiData' ? [] : texts;
    if (sought.some((secret) => text.includes(secret)) || reveals(JSON.parse(text), hiddenId)) revealing.add(name);
  };
  for (const reply of await Promise.all(waiting)) check('getEvents', reply);
  for (const { queue_id, last_event_id } of queues) {
    check('getEvents', await poll(queue_id, last_event_id, { dont_block: 'true' }));
  }
  const without = [...endpoints.keys()]
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => [name, () => [{}]] as const);
  for (const [name, asked] of [...without, ...Object.entries(parameters)]) {
    const endpoint = endpointOf(name);
    for (const values of asked(at)) check(name, await client.reply(endpoint, values));
  }
  return { revealing: [...revealing].toSorted(), succeeded, server };
}

it.each(viewers)(
  '[R2.25.3] [R2.25.2] No call or event reveals hidden data of a member who hides everything to %s',
  async (viewer) => {
    expect((await callsRevealing(viewer, true)).revealing).toEqual([]);
  },
);

it('Without the privacy settings, exactly these calls reveal the data that a member can hide', async () => {
  const { revealing, succeeded } = await callsRevealing('tanaka', false);
  expect(revealing).toEqual([
    'getEvents',
    'getMessage',
    'getMessages',
    'getRealmPresence',
    'getUser',
    'getUserByEmail',
    'getUserPresence',
    'getUserPresenceByEmail',
    'getUserStatus',
    'getUsers',
    'registerQueue',
    'updatePresence',
  ]);
  // The last owner cannot leave, streams have no address, and there is no custom emoji.
  const refused = ['deactivateOwnUser', 'deleteRealmEmoji', 'getStreamEmailAddress'];
  expect([...endpoints.keys()].filter((name) => !succeeded.has(name)).toSorted()).toEqual(refused);
});
