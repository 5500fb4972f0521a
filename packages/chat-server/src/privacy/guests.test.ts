/** Makes every call and causes every event as a guest, about users who share no conversation with the guest. */
import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { mostSightChanges } from '../conversations/sightChanges.ts';
import type { Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { type CallName, type Endpoints, endpointOf, endpoints } from '../testing/endpoints.ts';
import { fileOf } from '../testing/membership.ts';

const [room, plaza, cellar] = ['客間', '広場', '密室'];
const guest = 'takahashi';
/** Shares both streams of the guest. */
const host = 'tanaka';
const organisation = eg.organisation({
  users: [
    eg.person(host, '田中 太郎', api.roles.owner),
    eg.person(guest, '高橋 恵', api.roles.guest),
    eg.person('ito', '伊藤 誠', api.roles.member),
    // Made the organisation’s emoji.
    eg.person('sato', '佐藤 花子', api.roles.administrator),
  ],
  streams: [
    eg.stream(room, [host, guest]),
    { ...eg.stream(plaza, [host, guest]), invite_only: false },
    { ...eg.stream(cellar, ['ito']), invite_only: false },
  ],
  messages: [eg.pastMessage('ようこそ', { by: host, stream: room })],
});

/** A user by all that identifies them. */
interface Target {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly formerName: string;
}
const missing: Target = { id: 987_654, email: 'daremo@example.com', name: '誰でも ない', formerName: '昔の 誰か' };
const hiddenPerson = { email: 'onda-mitsuko@example.com', name: '隠田 密子', formerName: '忍野 密子' };
/** Subscribes to no stream of the guest, but writes in the public one. */
const passerbyPerson = { email: 'toorisugari@example.com', name: '通 りすがり' };
const password = 'himitsu-no-niwa';
const secrets = {
  status: '極秘の用事',
  group: '密会',
  picture: '/avatars/onda.png',
  passerbyStatus: '通りすがりの用事',
  passerbyPicture: '/avatars/toorisugari.png',
  draft: '極秘の書きかけ',
};

/** Ids begin at an unusual number, so that the id of the hidden user can be found in the text of an answer. */
const insertUser = queries.run((query, id: Value<number>) =>
  query.insertInto('user').values({
    id,
    email: 'umekusa@example.com',
    full_name: '埋草',
    role: api.roles.member,
    is_active: 0,
    is_bot: 0,
    password: '',
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
    date_joined: 1,
    pointer: -1,
    deactivations: 0,
  }),
);

/** The hidden user created a stream of the guest, which they are not in. */
const setCreator = queries.run((query, streamId: Value<number>, id: Value<number>) =>
  query.updateTable('stream').set({ creator_id: id }).where('conversation_id', '=', streamId),
);

const send = async (client: eg.Client, to: string, content: string): Promise<number> =>
  (await client.ok(api.sendMessage, { type: 'stream', to, topic: '予定', content })).id;

async function setup() {
  const server = await eg.server({ organisation });
  const as = (name: string) => eg.signIn(server, name);
  // The guest was a member when they created their bot.
  await as(host).ok(api.updateUser, { user_id: server.user(guest), role: api.roles.member });
  const { user_id: guestBot } = await as(guest).ok(api.createBot, { full_name: '客の供', short_name: 'tomo' });
  await as(host).ok(api.updateUser, { user_id: server.user(guest), role: api.roles.guest });
  const { database } = fileOf(server);
  await database.write((tx) => void insertUser(tx, 770_000));
  const { email, name, formerName } = hiddenPerson;
  const join = async (address: string, full_name: string) => {
    const { user_id = 0 } = await as(host).ok(api.createUser, { email: address, password, full_name });
    const { api_key } = await eg.visitor(server).ok(api.fetchApiKey, { username: address, password });
    return { id: user_id, client: eg.withKey(server, address, api_key) };
  };
  const { id, client: hidden } = await join(email, formerName);
  const { id: passerbyId, client: passerby } = await join(passerbyPerson.email, passerbyPerson.name);
  await database.write((tx) => void setCreator(tx, server.stream(room), id));
  database.close();
  await hidden.ok(api.updateSettings, { full_name: name });
  await as(host).ok(api.updateUser, { user_id: id, role: api.roles.administrator });
  await hidden.ok(api.subscribe, { subscriptions: [{ name: cellar }] });
  await server.running().setAvatar(id, secrets.picture);
  await server.running().setAvatar(passerbyId, secrets.passerbyPicture);
  await hidden.ok(api.updateStatus, { status_text: secrets.status });
  await passerby.ok(api.updateStatus, { status_text: secrets.passerbyStatus });
  await hidden.ok(api.createDrafts, { drafts: [{ ...draft, content: secrets.draft }] });
  await hidden.ok(api.updatePresence, { status: 'active' });
  await passerby.ok(api.updatePresence, { status: 'active' });
  const made = async (groupName: string, members: number[]) =>
    (await hidden.ok(api.createUserGroup, { name: groupName, description: '', members })).group_id ?? 0;
  const closedGroup = await made(secrets.group, [id, passerbyId]);
  const openGroup = await made('合同会', [id, server.user(guest)]);
  const passerbyMessage = await send(passerby, plaza, '通ります');
  await passerby.ok(api.addReaction, { message_id: passerbyMessage, emoji_name: 'tada' });
  const ownMessage = await send(as(guest), room, 'お邪魔します');
  const target: Target = { id, email, name, formerName };
  // The guest sees a bot in their stream, but not its owner.
  const { user_id: hiddenBot } = await hidden.ok(api.createBot, { full_name: '案内係', short_name: 'annai' });
  await as(host).ok(api.subscribe, { subscriptions: [{ name: plaza }], principals: [hiddenBot] });
  return {
    hiddenBot,
    guestBot,
    server,
    as,
    hidden,
    passerby,
    passerbyId,
    target,
    passerbyMessage,
    ownMessage,
    closedGroup,
    openGroup,
  };
}
type Setup = Awaited<ReturnType<typeof setup>>;

type CallParameters = {
  readonly [Name in CallName]: (target: Target, at: Setup) => readonly api.ParametersIn<Endpoints[Name]>[];
};

const nothing = () => [{}];
const byId = ({ id: user_id }: Target) => [{ user_id }];
const narrowedTo = (operator: string, operand: string | number | number[]) => {
  return { anchor: 'newest', num_before: 100, num_after: 0, narrow: [{ operator, operand }] };
};
const messagesOf = ({ server, passerbyMessage, ownMessage }: Setup) => [...server.messages, passerbyMessage, ownMessage];
const eachMessage = (_: Target, at: Setup) => messagesOf(at).map((message_id) => ({ message_id }));
const selected = ({ id }: Target) => ({ audience: 'selected' as const, user_ids: [id] });
const recipients = ({ id, email }: Target, { server }: Setup) => [
  String(id),
  email,
  api.addressDirect([id]),
  api.addressDirect([server.user(host), id]),
  JSON.stringify([email]),
];
const stream = (_: Target, { server }: Setup) => ({ stream_id: server.stream(room) });
const principals = ({ id, email }: Target) => [[id], [email]];
/** The group without the guest, and the one that has the guest and the hidden user. */
const groups = (_: unknown, { closedGroup, openGroup }: Setup) =>
  [closedGroup, openGroup].map((user_group_id) => ({ user_group_id }));
const systemIds = Object.values(api.systemGroups).map((user_group_id) => ({ user_group_id }));
const draft: api.ParametersIn<typeof api.editDraft>['draft'] = { type: '', to: [], topic: '', content: '書きかけ' };
const later = { content: 'あとで', scheduled_delivery_timestamp: 4_000_000_000 };
const newest = { anchor: 'newest', num_before: 100, num_after: 0 };

/** Parameters as close to the target as possible. Destructive calls come last. A call without an entry is a type error. */
const parameters: CallParameters = {
  getServerSettings: nothing,
  fetchApiKey: ({ email }) => [{ username: email, password: 'x' }],
  getUserGroups: () => [{}, { include_deactivated_groups: true }],
  createUserGroup: ({ id }) => [{ name: '客の会', description: '', members: [id] }],
  updateUserGroup: (_, { closedGroup }) => [{ user_group_id: closedGroup, description: '説明' }],
  removeUserGroup: groups,
  deactivateUserGroup: groups,
  getUserGroupMembers: (...call) => [...groups(...call), ...systemIds],
  updateUserGroupMembers: ({ id }, { closedGroup, openGroup }) =>
    [closedGroup, openGroup].flatMap((user_group_id) => [
      { user_group_id, add: [id] },
      { user_group_id, delete: [id] },
    ]),
  getIsUserGroupMember: ({ id: user_id }, at) => [...groups(undefined, at), ...systemIds].map((it) => ({ ...it, user_id })),
  getUserGroupSubgroups: (...call) => [...groups(...call), ...systemIds],
  updateUserGroupSubgroups: (_, { closedGroup, openGroup }) => [{ user_group_id: openGroup, add: [closedGroup] }],
  registerQueue: ({ email }) => [
    {},
    { slim_presence: true, include_subscribers: true, apply_markdown: true },
    { client_capabilities: { user_list_incomplete: false } },
    { narrow: [{ operator: 'sender', operand: email }] },
  ],
  getEvents: () => [],
  getUsers: () => [{}, { client_gravatar: false, include_custom_profile_fields: true }],
  getUser: byId,
  getUserByEmail: ({ email }) => [{ email }],
  getOwnUser: nothing,
  updateUser: ({ id: user_id }) => [
    { user_id, full_name: '別の名' },
    { user_id, role: api.roles.guest },
  ],
  muteUser: ({ id: muted_user_id }) => [{ muted_user_id }],
  unmuteUser: ({ id: muted_user_id }) => [{ muted_user_id }],
  createUser: ({ email, name }) => [{ email, full_name: name, password }],
  deactivateUser: byId,
  reactivateUser: byId,
  updateSettings: (target) => [
    { photo_audience: selected(target) },
    { status_audience: selected(target) },
    { groups_audience: selected(target) },
    { email: target.email },
    { full_name: target.name },
  ],
  updateNotificationSettings: () => [{ enable_sounds: false }],
  countEmojiUse: () => [{ emoji: '🍵' }],
  createBot: ({ name }) => [{ full_name: name, short_name: 'kyaku' }],
  getBots: nothing,
  updateBot: ({ id }, { hiddenBot: bot_id }) => [{ bot_id, bot_owner_id: id }],
  deactivateBot: (_, { hiddenBot: bot_id }) => [{ bot_id }],
  regenerateBotApiKey: (_, { hiddenBot: bot_id }) => [{ bot_id }],
  getBotApiKey: (_, { hiddenBot: bot_id }) => [{ bot_id }],
  getPointer: nothing,
  updatePointer: (_, { ownMessage: pointer }) => [{ pointer }],
  putPointer: (_, { ownMessage: pointer }) => [{ pointer }],
  updateRealm: () => [{ read_receipts: 'all' }],
  getEmojiData: nothing,
  getRealmEmoji: nothing,
  addLinkifier: () => [{ pattern: 'P(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }],
  updateLinkifier: () => [{ filter_id: 1, pattern: 'Q(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }],
  reorderLinkifiers: () => [{ ordered_linkifier_ids: [1] }],
  removeLinkifier: () => [{ filter_id: 1 }],
  addPlayground: () => [{ name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' }],
  removePlayground: () => [{ playground_id: 1 }],
  getProfileFields: nothing,
  createProfileField: () => [{ name: '内線', field_type: 1 }],
  updateProfileField: () => [{ field_id: 1, hint: '四桁' }],
  reorderProfileFields: () => [{ order: [1] }],
  deleteProfileField: () => [{ field_id: 1 }],
  updateProfileData: () => [{ data: [{ id: 1, value: '1234' }] }],
  deleteProfileData: () => [{ data: [1] }],
  getBotStorage: () => [{}, { keys: ['count'] }],
  updateBotStorage: () => [{ storage: { count: '1' } }],
  deleteBotStorage: nothing,
  deleteRealmEmoji: () => [{ emoji_name: 'engawa' }],
  getLinkifiers: nothing,
  getRealmFilters: nothing,
  updatePresence: () => [
    { status: 'active' },
    { status: 'idle', slim_presence: true },
    { status: 'active', last_update_id: -1 },
    { status: 'active', last_update_id: 0 },
  ],
  getRealmPresence: nothing,
  getUserPresence: byId,
  getUserPresenceByEmail: ({ email }) => [{ email }],
  getUserStatus: byId,
  updateStatus: () => [{ status_text: '在席' }],
  getMessages: ({ id, email }, { server }) => [
    newest,
    { ...newest, apply_markdown: false, include_deleted: true },
    ...[id, email].flatMap((operand) => [
      narrowedTo('sender', operand),
      { ...narrowedTo('sender', operand), narrow: [{ operator: 'sender', operand, negated: true }] },
      narrowedTo('dm', operand),
      narrowedTo('pm-with', operand),
      narrowedTo('dm-including', operand),
      narrowedTo('group-pm-with', operand),
    ]),
    narrowedTo('dm', [id]),
    narrowedTo('dm', [id, server.user(host)]),
    narrowedTo('streams', 'public'),
    narrowedTo('search', '極秘'),
  ],
  checkMessagesMatchNarrow: (_, at) => [{ msg_ids: messagesOf(at), narrow: [] }],
  getMessage: eachMessage,
  getMessageHistory: eachMessage,
  getReadReceipts: (_, { ownMessage: message_id }) => [{ message_id }],
  countReadReceipts: (_, { ownMessage }) => [{ messages: [ownMessage] }],
  renderMessage: ({ id, name, formerName }) =>
    [
      `@**${name}**`,
      `@_**${name}**`,
      `@**${name}|${id}**`,
      `@**|${id}**`,
      `@**${formerName}**`,
      '@*密室*',
      '@*密会*',
      '@*合同会*',
    ].map((content) => ({
      content,
    })),
  setTypingStatus: (target, at) => [
    ...recipients(target, at).map((to) => ({ op: 'start', to })),
    { op: 'start', type: 'stream', ...stream(target, at), topic: '予定' },
  ],
  sendMessage: (target, at) => [
    ...recipients(target, at).map((to) => ({ type: 'direct', to, content: 'もしもし' })),
    { type: 'stream', to: room, topic: '予定', content: `@**${target.name}** @**|${target.id}** @**${target.formerName}**` },
  ],
  editMessage: ({ name }, { ownMessage: message_id }) => [{ message_id, content: `@**${name}** さんは` }],
  updateMessageFlags: (_, at) => [{ messages: messagesOf(at), op: 'add', flag: 'starred' }],
  updateMessageFlagsForNarrow: ({ id, email }) =>
    [id, email].map((operand) => ({ ...narrowedTo('sender', operand), op: 'add', flag: 'starred' })),
  markAllAsRead: nothing,
  markStreamAsRead: (...call) => [stream(...call), { stream_id: call[1].server.stream(plaza) }],
  markTopicAsRead: (...call) => [{ ...stream(...call), topic_name: '予定' }],
  addReaction: (target, at) => eachMessage(target, at).map((it) => ({ ...it, emoji_name: target === missing ? 'tea' : 'heart' })),
  removeReaction: (target, at) =>
    eachMessage(target, at).map((it) => ({ ...it, emoji_name: target === missing ? 'tea' : 'heart' })),
  getAlertWords: nothing,
  addAlertWords: () => [{ alert_words: ['縁側'] }],
  removeAlertWords: () => [{ alert_words: ['縁側'] }],
  getDrafts: nothing,
  createDrafts: ({ id }, { server }) =>
    [[id], [server.user(host), id]].map((to) => ({ drafts: [{ ...draft, type: 'private', to }] })),
  editDraft: ({ id }) => [{ draft_id: 1, draft: { ...draft, type: 'private', to: [id] } }],
  deleteDraft: () => [{ draft_id: 1 }],
  getScheduledMessages: nothing,
  createScheduledMessage: ({ id }, { server }) => [
    ...[[id], [server.user(host), id]].map((to) => ({ ...later, type: 'direct' as const, to })),
    { ...later, type: 'stream', to: server.stream(room), topic: '予定' },
  ],
  updateScheduledMessage: ({ id }) => [{ scheduled_message_id: 1, type: 'direct', to: [id] }],
  deleteScheduledMessage: () => [{ scheduled_message_id: 1 }],
  getStreams: nothing,
  getStream: (...call) => [stream(...call), { stream_id: call[1].server.stream(plaza) }],
  getStreamId: () => [{ stream: room }, { stream: cellar }],
  getTopics: (...call) => [stream(...call)],
  addDefaultStream: (...call) => [stream(...call)],
  removeDefaultStream: (...call) => [stream(...call)],
  deleteTopic: (...call) => [{ ...stream(...call), topic_name: '予定' }],
  getSubscribers: (...call) => [stream(...call), { stream_id: call[1].server.stream(plaza) }],
  getStreamEmailAddress: (...call) => [stream(...call)],
  getSubscriptionStatus: ({ id: user_id }, at) => [room, plaza].map((name) => ({ user_id, stream_id: at.server.stream(name) })),
  getSubscriptions: () => [{ include_subscribers: true }],
  subscribe: (target) => principals(target).map((each) => ({ subscriptions: [{ name: room }], principals: each })),
  unsubscribe: (target) => principals(target).map((each) => ({ subscriptions: [room], principals: each })),
  updateSubscriptions: () => [{ add: [{ name: cellar }] }],
  updateSubscriptionProperties: (...call) => [
    { subscription_data: [{ ...stream(...call), property: 'pin_to_top', value: true }] },
  ],
  updateSubscriptionProperty: (...call) => [{ ...stream(...call), property: 'pin_to_top', value: 'true' }],
  updateUserTopic: (...call) => [{ ...stream(...call), topic: '予定', visibility_policy: 1 }],
  muteTopic: (...call) => [
    { ...stream(...call), topic: '予定', op: 'add' },
    { stream: cellar, topic: '予定', op: 'add' },
  ],
  updateStream: (...call) => [{ ...stream(...call), description: '説明' }],
  deleteStream: (...call) => [stream(...call)],
  deleteMessage: (_, { passerbyMessage: message_id }) => [{ message_id }],
  deleteQueue: () => [{ queue_id: 'none' }],
  regenerateApiKey: nothing,
  deactivateOwnUser: nothing,
};

/** All that a guest must not find of the hidden user and of the member who only passes by. */
function secretTexts({ passerbyId, target: { id, email, name, formerName } }: Setup): string[] {
  return [String(id), email, name, formerName, passerbyPerson.email, ...Object.values(secrets), `"${passerbyId}":`];
}

/** The secrets in an answer, which may repeat the parameters of its call. */
function revealed(text: string, given: unknown, texts: readonly string[]): string[] {
  const repeated = JSON.stringify(given);
  return texts.filter((secret) => text.includes(secret) && !repeated.includes(secret));
}

/** The answer with each target in the same words, so that the answers for two targets can be compared. */
function withoutTarget({ status, text }: eg.Reply, { id, email, name, formerName }: Target): string {
  const marks = [email, name, formerName, `(?<!\\d)${id}(?!\\d)`].map((each) => each.replaceAll('.', '\\.'));
  return `${status} ${text.replaceAll(new RegExp(marks.join('|'), 'g'), '…')}`;
}

it('[R6.1] No call reveals to a guest anything of a user who shares no conversation with the guest', async () => {
  const at = await setup();
  const revealing: unknown[] = [];
  for (const [name, asked] of Object.entries(parameters)) {
    for (const given of asked(at.target, at)) {
      const { text } = await at.as(guest).reply(endpointOf(name), given);
      const found = revealed(text, given, secretTexts(at));
      if (found.length > 0) revealing.push({ name, given, found });
    }
  }
  expect(revealing).toEqual([]);
  expect(Object.keys(parameters).toSorted()).toEqual([...endpoints.keys()].toSorted());
});

/** These answers differ with every call: ids of messages and queues, keys, and the presence of the caller. */
const neverEqual: readonly string[] = [
  'getBots',
  'registerQueue',
  'updatePresence',
  'getRealmPresence',
  'getUsers',
  'regenerateApiKey',
];

it.each(Object.keys(parameters).filter((name) => !neverEqual.includes(name)))(
  '[R6.1] %s answers a guest alike about a user whom the guest does not see and about one who does not exist',
  async (name) => {
    const asked = Object.entries(parameters).find(([each]) => each === name)?.[1];
    const answers = async (choose: (at: Setup) => Target) => {
      const at = await setup();
      const target = choose(at);
      const replies: string[] = [];
      for (const given of asked?.(target, at) ?? []) {
        replies.push(withoutTarget(await at.as(guest).reply(endpointOf(name), given), target));
      }
      return replies;
    };
    expect(await answers(({ target }) => target)).toEqual(await answers(() => missing));
  },
);

/** Acts that cause an event of one type, by the hidden user and by a member whom the guest sees (or by the guest). */
interface Acts {
  readonly unseen: (at: Setup) => Promise<unknown>;
  readonly seen: (at: Setup) => Promise<unknown>;
}

/** One act by the hidden user in a stream without the guest, and by the host in a stream with the guest. */
const inStream = (act: (client: eg.Client, stream: string, at: Setup) => Promise<unknown>): Acts => ({
  unseen: (at) => act(at.hidden, cellar, at),
  seen: (at) => act(at.as(host), room, at),
});
const by = (act: (client: eg.Client, id: number, at: Setup) => Promise<unknown>): Acts => ({
  unseen: (at) => act(at.hidden, at.target.id, at),
  seen: (at) => act(at.as(host), at.server.user(host), at),
});
/** For events that only the member receives who caused them. */
const byMember = (act: (client: eg.Client, message: number) => Promise<unknown>): Acts => ({
  unseen: async (at) => act(at.hidden, await send(at.hidden, cellar, 'ひとり言')),
  seen: (at) => act(at.as(guest), at.ownMessage),
});
const mutedPlan = { topic: '予定', visibility_policy: 1 } as const;
const byTopicChange: Acts = {
  unseen: async ({ hidden }) => {
    const { stream_id } = await hidden.ok(api.getStreamId, { stream: cellar });
    await hidden.ok(api.updateUserTopic, { ...mutedPlan, stream_id });
  },
  seen: ({ as, server }) => as(guest).ok(api.updateUserTopic, { ...mutedPlan, stream_id: server.stream(room) }),
};
const typing = { op: 'start', type: 'stream', topic: '予定' };
const becomesActive = async (client: eg.Client, { server }: Setup) => {
  await server.clock.advance(api.presenceSeconds.offline);
  await client.ok(api.updatePresence, { status: 'active' });
  await server.clock.advance(api.presenceBatchSeconds);
};

/** An event type without an entry is a type error. Guests receive none about default streams. */
const acts: Readonly<Record<Exclude<api.EventType, 'heartbeat' | 'default_streams'>, Acts>> = {
  message: inStream((client, stream) => send(client, stream, 'こちらへ')),
  update_message: inStream(async (client, stream) => {
    await client.ok(api.editMessage, { message_id: await send(client, stream, '下書き'), content: '清書' });
  }),
  delete_message: inStream(async (client, stream) => {
    await client.ok(api.deleteMessage, { message_id: await send(client, stream, '失言') });
  }),
  reaction: inStream(async (client, stream) => {
    await client.ok(api.addReaction, { message_id: await send(client, stream, 'お茶'), emoji_name: 'tea' });
  }),
  update_message_flags: byMember((client, id) =>
    client.ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' }),
  ),
  subscription: {
    unseen: ({ hidden }) => hidden.ok(api.subscribe, { subscriptions: [{ name: '奥座敷' }] }),
    seen: ({ as, server }) => as(host).ok(api.subscribe, { subscriptions: [{ name: room }], principals: [server.user('ito')] }),
  },
  stream: inStream(async (_, stream, { as, server }) => {
    const { stream_id } = await as(host).ok(api.getStreamId, { stream });
    await as(host).ok(api.updateStream, { stream_id, description: `${server.stream(stream)} の説明` });
  }),
  realm_bot: {
    unseen: ({ hidden }) => hidden.ok(api.createBot, { full_name: '隠密係', short_name: 'onmitsu' }),
    seen: ({ as, guestBot }) => as(guest).ok(api.updateBot, { bot_id: guestBot, full_name: '客の係' }),
  },
  realm_user: by((client) => client.ok(api.updateSettings, { timezone: 'Europe/Paris' })),
  realm_emoji: by((_, id, { server }) =>
    server.running().addEmoji(id, `emoji_${id === server.user(host) ? 'a' : 'b'}`, '/emoji/new.png'),
  ),
  realm_linkifiers: by((_, id, { as, server }) =>
    as(host).ok(api.addLinkifier, {
      pattern: id === server.user(host) ? 'A(?P<id>[0-9]+)' : 'B(?P<id>[0-9]+)',
      url_template: 'https://tickets.example/{id}',
    }),
  ),
  realm_playgrounds: by((_, id, { as }) =>
    as(host).ok(api.addPlayground, {
      name: `試し ${id > 100 ? 1 : 2}`,
      pygments_language: 'Python',
      url_template: 'https://py.example/{code}',
    }),
  ),
  custom_profile_fields: {
    async unseen({ as, hidden }) {
      const { id } = await as(host).ok(api.createProfileField, { name: '内線', field_type: 1 });
      await hidden.ok(api.updateProfileData, { data: [{ id, value: secrets.status }] });
    },
    seen: ({ as }) => as(host).ok(api.updateProfileField, { field_id: 1, hint: '四桁' }),
  },
  user_group: {
    async unseen({ hidden, closedGroup, openGroup, target }) {
      await hidden.ok(api.updateUserGroup, { user_group_id: closedGroup, description: '新しい説明' });
      await hidden.ok(api.updateUserGroupMembers, { user_group_id: openGroup, delete: [target.id] });
      await hidden.ok(api.updateUserGroupMembers, { user_group_id: openGroup, add: [target.id] });
      await hidden.ok(api.updateUserGroupSubgroups, { user_group_id: openGroup, add: [closedGroup] });
    },
    seen: ({ as, openGroup }) => as(host).ok(api.updateUserGroup, { user_group_id: openGroup, description: '新しい説明' }),
  },
  typing: {
    unseen: async ({ hidden, server }) => {
      await hidden.ok(api.setTypingStatus, { ...typing, stream_id: server.stream(plaza) });
      await hidden.ok(api.setTypingStatus, { op: 'start', to: api.addressDirect([server.user(guest)]) });
      await hidden.ok(api.setTypingStatus, { op: 'start', to: api.addressDirect([server.user(guest), server.user(host)]) });
    },
    seen: ({ as, server }) => as(host).ok(api.setTypingStatus, { ...typing, stream_id: server.stream(room) }),
  },
  presence: by((client, _, at) => becomesActive(client, at)),
  user_status: by((client) => client.ok(api.updateStatus, { status_text: '席にいます' })),
  alert_words: byMember((client) => client.ok(api.addAlertWords, { alert_words: ['庭'] })),
  drafts: byMember((client) => client.ok(api.createDrafts, { drafts: [draft] })),
  scheduled_messages: {
    unseen: ({ hidden, server }) => hidden.ok(api.createScheduledMessage, { ...later, type: 'direct', to: [server.user(guest)] }),
    seen: ({ as, server }) => as(guest).ok(api.createScheduledMessage, { ...later, type: 'direct', to: [server.user(host)] }),
  },
  user_topic: byTopicChange,
  muted_topics: byTopicChange,
  muted_users: {
    unseen: ({ hidden, server }) => hidden.ok(api.muteUser, { muted_user_id: server.user(host) }),
    seen: ({ as, server }) => as(guest).ok(api.muteUser, { muted_user_id: server.user(host) }),
  },
  user_settings: byMember((client) => client.ok(api.updateSettings, { enter_sends: false })),
  realm: by((_, __, { as }) => as(host).ok(api.updateRealm, { read_receipts: 'all' })),
  pointer: byMember((client, pointer) => client.ok(api.updatePointer, { pointer })),
  call: inStream(async (_, stream, { server, target }) => {
    const secret = (sees: (ids: readonly number[]) => ReadonlySet<number>) =>
      sees([target.id]).has(target.id) ? target.name : '';
    server.running().calls.publish(server.stream(stream), (_viewer, sees) => ({ name: secret(sees) }));
  }),
  directory: by((_, id, { server, target }) =>
    server.running().publishDirectory({
      people: [{ user_id: id, reading: target.name, title: target.name, departments: [] }],
      departments: false,
    }),
  ),
};

const queueOptions: readonly api.ParametersIn<typeof api.registerQueue>[] = [
  { client_capabilities: { stream_typing_notifications: true, linkifier_url_template: true } },
  {
    apply_markdown: true,
    slim_presence: true,
    client_capabilities: { stream_typing_notifications: true, bulk_message_deletion: true },
  },
  { client_capabilities: { simplified_presence_events: true, stream_typing_notifications: true } },
];

/** Registers queues of the guest. @returns a function that reads all their events as raw text. */
async function guestQueues({ as }: Setup) {
  const queues = await Promise.all(queueOptions.map((options) => as(guest).ok(api.registerQueue, options)));
  return async () => {
    const texts = queues.map(async ({ queue_id, last_event_id }) => {
      const query = { queue_id, last_event_id: String(last_event_id), dont_block: 'true' };
      return (await as(guest).raw({ path: '/events', query })).text;
    });
    return (await Promise.all(texts)).join('\n');
  };
}

it.each(Object.entries(acts))(
  '[R6.1] An event of type %s reaches a guest for users whom they see, and reveals nothing of users whom they do not see',
  async (type, { seen, unseen }) => {
    const at = await setup();
    const read = await guestQueues(at);
    await unseen(at);
    expect(revealed(await read(), {}, secretTexts(at))).toEqual([]);
    await seen(at);
    const text = await read();
    expect(text).toContain(`"type":"${type}"`);
    expect(revealed(text, {}, secretTexts(at))).toEqual([]);
  },
);

it('[R6.1] A guest gets the name of a member who writes in their stream without subscribing, but nothing else of that member', async () => {
  const at = await setup();
  const { as, server, passerby, passerbyId } = at;
  const read = await guestQueues(at);
  const message_id = await send(passerby, plaza, 'また通ります');
  await passerby.ok(api.editMessage, { message_id, content: 'また通りました' });
  await passerby.ok(api.addReaction, { message_id, emoji_name: 'tea' });
  await passerby.ok(api.setTypingStatus, { ...typing, stream_id: server.stream(plaza) });
  await passerby.ok(api.updateStatus, { status_text: '' });
  await becomesActive(passerby, at);
  const text = await read();
  expect(revealed(text, {}, secretTexts(at))).toEqual([]);
  expect(['typing', 'presence', 'user_status'].filter((type) => text.includes(`"type":"${type}"`))).toEqual([]);
  expect(text).toContain('"full_name":"Unknown user"');
  const { message } = await as(guest).ok(api.getMessage, { message_id });
  expect(message).toMatchObject({
    sender_id: passerbyId,
    sender_full_name: passerbyPerson.name,
    sender_email: `user${passerbyId}@unseen.invalid`,
    avatar_url: null,
  });
});

it('[R6.1] A mention by a former name shows a guest the member whom they see, although an unseen user had the name later', async () => {
  const at = await setup();
  const { as, hidden, server, target } = at;
  const name = '田中 一郎';
  const user_id = server.user(host);
  await as(host).ok(api.updateSettings, { full_name: name });
  await as(host).ok(api.updateSettings, { full_name: '田中 太郎' });
  const rendered = async () => (await as(guest).ok(api.renderMessage, { content: `@**${name}**` })).rendered;
  const before = await rendered();
  expect(before).toContain(`data-user-id="${user_id}"`);
  await hidden.ok(api.updateSettings, { full_name: name });
  await hidden.ok(api.updateSettings, { full_name: target.name });
  expect(await rendered()).toBe(before);
  const read = await guestQueues(at);
  const message_id = await send(as(host), room, `@**${name}** は私です`);
  expect(await read()).toContain('@田中 太郎');
  const { message } = await as(guest).ok(api.getMessage, { message_id });
  expect(message.content).toContain('@田中 太郎');
});

it('[R6.1] A queue of a guest that is narrowed to the address of an unseen sender receives none of their messages', async () => {
  const at = await setup();
  const queue = await at.as(guest).ok(api.registerQueue, { narrow: [{ operator: 'sender', operand: passerbyPerson.email }] });
  await send(at.passerby, plaza, 'また通ります');
  const { queue_id, last_event_id } = queue;
  const { events } = await at.as(guest).ok(api.getEvents, { queue_id, last_event_id, dont_block: true });
  expect(events).toEqual([]);
});

it('[R6.1] When a guest begins to see a member, they get the member’s status, and the next presence answer has the member', async () => {
  const at = await setup();
  const { as, passerbyId } = at;
  const { presence_last_update_id } = await as(guest).ok(api.updatePresence, { status: 'active', last_update_id: -1 });
  const read = await guestQueues(at);
  await as(host).ok(api.subscribe, { subscriptions: [{ name: room }], principals: [passerbyId] });
  expect(await read()).toContain(secrets.passerbyStatus);
  const again = { status: 'active', last_update_id: presence_last_update_id };
  const { presences } = await as(guest).ok(api.updatePresence, again);
  expect(Object.keys(presences ?? {})).toContain(String(passerbyId));
});

it('[R6.1] When a guest gains more users than one change reports, their queues end, and a new registration has all of them', async () => {
  const users = Array.from({ length: mostSightChanges + 1 }, (_, index) =>
    eg.person(`m${index}`, `員 ${index}`, api.roles.member),
  );
  const crowd = eg.organisation({
    users: [...organisation.users, ...users],
    streams: [eg.stream(room, [host]), eg.stream(cellar, [host, ...users.map(({ email }) => email.replace(/@.*/, ''))])],
    messages: [],
  });
  const server = await eg.server({ organisation: crowd, signedIn: [host, guest].map(eg.emailOf) });
  const { queue_id, last_event_id } = await eg.signIn(server, guest).ok(api.registerQueue, {});
  await eg.signIn(server, host).ok(api.subscribe, { subscriptions: [{ name: cellar }], principals: [server.user(guest)] });
  const poll = { queue_id, last_event_id, dont_block: true };
  expect(await eg.signIn(server, guest).refused(api.getEvents, poll)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  const { realm_users = [] } = await eg.signIn(server, guest).ok(api.registerQueue, {});
  expect(realm_users).toHaveLength(users.length + 2);
});

it('[R6.1] A member who joins a stream with many guests ends no queue of a guest, and the guests get the member', async () => {
  const guests = Array.from({ length: mostSightChanges + 1 }, (_, index) =>
    eg.person(`g${index}`, `客 ${index}`, api.roles.guest),
  );
  const crowd = eg.organisation({
    users: [...organisation.users, ...guests],
    streams: [eg.stream(room, [host, guest, ...guests.map(({ email }) => email.replace(/@.*/, ''))])],
    messages: [],
  });
  const server = await eg.server({ organisation: crowd, signedIn: [host, guest].map(eg.emailOf) });
  const { queue_id, last_event_id } = await eg.signIn(server, guest).ok(api.registerQueue, { event_types: ['realm_user'] });
  const ito = server.user('ito');
  await eg.signIn(server, host).ok(api.subscribe, { subscriptions: [{ name: room }], principals: [ito] });
  const { events } = await eg.signIn(server, guest).ok(api.getEvents, { queue_id, last_event_id, dont_block: true });
  expect(events).toMatchObject([{ type: 'realm_user', op: 'add', person: { user_id: ito } }]);
});
