/** Every call that there is, asked by everybody else about one member who shows nothing to anybody. */
import {
  type Endpoint,
  type ParametersIn,
  addressDirect,
  encodeParameters,
  fillPath,
  presenceBatchSeconds,
  registerQueue,
  roles,
  sendMessage,
  setTypingStatus,
  updatePresence,
  updateSettings,
  updateStatus,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { type CallName, type Endpoints, endpointOf, endpoints } from '../testing/endpoints.ts';

const organisation = eg.organisation({
  users: [
    eg.person('tanaka', '田中 太郎', roles.owner),
    eg.person('sato', '佐藤 花子', roles.administrator),
    eg.person('suzuki', '鈴木 一郎', roles.member),
    eg.person('ito', '伊藤 誠', roles.member),
    eg.person('takahashi', '高橋 恵', roles.guest),
    eg.person('yamada', '山田 進', roles.member),
  ],
  streams: [
    { ...eg.stream(eg.general, ['tanaka', 'sato', 'suzuki', 'ito', 'takahashi', 'yamada']), invite_only: false },
    { ...eg.stream('部屋', ['tanaka', 'sato', 'ito', 'takahashi']), invite_only: false },
  ],
  messages: [eg.said('昔の話', { by: 'suzuki' })],
});

/** Who shows nothing; and everybody else. */
const hidden = 'suzuki';
const viewers = ['tanaka', 'sato', 'ito', 'takahashi'] as const;
type Viewer = (typeof viewers)[number];

const secrets = {
  picture: '/avatars/suzuki.png',
  newPicture: '/avatars/himitsu.png',
  status: 'ひみつの用事',
  statusEmoji: 'ghost',
};
const hour = 60 * 60;

interface Scene {
  readonly viewer: Viewer;
  /** The hidden member's id, and somebody's whom nobody misses. */
  readonly him: number;
  readonly spare: number;
  /** What he said first, and now; and what the viewer said. */
  readonly messages: readonly number[];
  readonly own: number;
  readonly stream: number;
  readonly room: number;
  readonly queue: string;
  readonly cursor: number;
}

type Asks = { readonly [Name in CallName]: (at: Scene) => readonly ParametersIn<Endpoints[Name]>[] };

const nothing = () => [{}];
const about = ({ him: user_id }: Scene) => [{ user_id }];
const spare = ({ spare: user_id }: Scene) => [{ user_id }];
const his = ({ messages }: Scene) => messages.map((message_id) => ({ message_id }));
const own = ({ own: message_id }: Scene) => [{ message_id }];
const words = () => [{ alert_words: ['縁側'] }];
const stream = ({ stream: stream_id }: Scene) => [{ stream_id }];
const group = ({ him, spare: other }: Scene) => addressDirect([him, other]);
const nobody = { audience: 'nobody' } as const;

/** What is asked of each call, as near to the hidden member as it goes. What ends something comes last. */
const asks: Asks = {
  getServerSettings: nothing,
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
  getOwnUser: nothing,
  updatePresence: () => [
    { status: 'active' },
    { status: 'idle', slim_presence: true },
    { status: 'active', last_update_id: -1 },
    { status: 'active', last_update_id: 0 },
  ],
  getRealmPresence: nothing,
  getUserPresence: about,
  getUserStatus: about,
  updateStatus: () => [{ status_text: '在席' }],
  getMessages: () => [
    { anchor: 'newest', num_before: 100, num_after: 0 },
    { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, include_deleted: true },
    { anchor: 'newest', num_before: 100, num_after: 0, narrow: [{ operator: 'sender', operand: eg.emailOf(hidden) }] },
  ],
  getMessage: his,
  getMessageHistory: his,
  getReadReceipts: own,
  countReadReceipts: ({ messages, own: mine }) => [{ messages: [...messages, mine] }],
  renderMessage: ({ him }) => [{ content: `@**鈴木 一郎|${him}**` }],
  addReaction: ({ messages }) => messages.map((message_id) => ({ message_id, emoji_name: 'tea' })),
  removeReaction: ({ messages }) => messages.map((message_id) => ({ message_id, emoji_name: 'tea' })),
  updateMessageFlags: ({ messages }) => [{ messages: [...messages], op: 'add', flag: 'starred' }],
  setTypingStatus: ({ him }) => [{ op: 'start', to: addressDirect([him]) }],
  sendMessage: (at) => [
    { type: 'direct', to: addressDirect([at.him]), content: '元気ですか' },
    { type: 'direct', to: group(at), content: '三人で' },
  ],
  updateSettings: () => [{ photo_audience: nobody, status_audience: nobody, groups_audience: nobody }],
  countEmojiUse: () => [{ emoji: '🍵' }],
  getAlertWords: nothing,
  addAlertWords: words,
  removeAlertWords: words,
  getPointer: nothing,
  updatePointer: () => [{ pointer: 1 }],
  putPointer: () => [{ pointer: 1 }],
  getRealmEmoji: nothing,
  getLinkifiers: nothing,
  getRealmFilters: nothing,
  getSubscriptions: () => [{ include_subscribers: true }],
  getStreams: nothing,
  getStream: stream,
  updateStream: (at) => stream(at).map((it) => ({ ...it, description: '説明' })),
  updateSubscriptionProperties: ({ stream: stream_id }) => [
    { subscription_data: [{ stream_id, property: 'is_muted', value: true }] },
  ],
  updateSubscriptionProperty: (at) => stream(at).map((it) => ({ ...it, property: 'pin_to_top', value: 'true' })),
  getStreamId: () => [{ stream: eg.general }],
  getTopics: stream,
  subscribe: ({ him }) => [{ subscriptions: [{ name: '部屋' }], principals: [him] }],
  updateSubscriptions: () => [{ add: [{ name: eg.general }] }],
  updateUser: ({ him: user_id }) => [{ user_id, full_name: '鈴木 改名' }],
  updateRealm: () => [{ read_receipts: 'all' }],
  createUser: ({ viewer }) => [{ email: `shinjin-${viewer}@example.com`, password: 'himitsu-1', full_name: '新人 さん' }],
  deactivateUser: spare,
  reactivateUser: spare,
  editMessage: ({ own: message_id }) => [{ message_id, content: '直した' }],
  deleteMessage: own,
  unsubscribe: () => [{ subscriptions: ['部屋'] }],
  deleteStream: ({ room: stream_id }) => [{ stream_id }],
  deleteQueue: ({ queue: queue_id }) => [{ queue_id }],
  regenerateApiKey: nothing,
};

/** How a client may listen: what it hears is written in as many ways. */
const listening: readonly ParametersIn<typeof registerQueue>[] = [
  {},
  {
    apply_markdown: true,
    slim_presence: true,
    all_public_streams: false,
    client_capabilities: { stream_typing_notifications: true, bulk_message_deletion: true },
  },
  { client_capabilities: { simplified_presence_events: true, stream_typing_notifications: true } },
];

async function office(isHidden: boolean) {
  const server = await eg.server({ organisation });
  const as = (name: string) => eg.signIn(server, name);
  const [him, stream_id] = [server.user(hidden), server.stream(eg.general)];
  if (isHidden) {
    const privacy = { photo_audience: nobody, status_audience: nobody, groups_audience: nobody };
    await as(hidden).ok(updateSettings, { ...privacy, presence_enabled: false });
  }
  const now = () => Math.floor(server.clock.now() / 1000);
  /** He lives a little: each at a second of its own. */
  const live = async () => {
    const moment = async <T>(act: Promise<T>): Promise<T> => {
      const made = await act;
      await server.clock.pass(presenceBatchSeconds + 1);
      return made;
    };
    await moment(server.setAvatar(hidden, secrets.newPicture));
    const scheduled_end_time = now() + hour;
    const status = { status_text: secrets.status, emoji_name: secrets.statusEmoji, scheduled_end_time };
    await moment(as(hidden).ok(updateStatus, status));
    const came = now();
    await moment(as(hidden).ok(updatePresence, { status: 'active', slim_presence: true, ping_only: true }));
    // Somebody else comes as well, so that presence is told of.
    await moment(as('yamada').ok(updatePresence, { status: 'active' }));
    await as(hidden).ok(setTypingStatus, { op: 'start', type: 'stream', stream_id, topic: '昼食' });
    const everybody = viewers.map((name) => server.user(name));
    await as(hidden).ok(setTypingStatus, { op: 'start', to: addressDirect(everybody) });
    const { id } = await moment(as(hidden).ok(sendMessage, { type: 'stream', to: eg.general, topic: '昼食', content: 'お先に' }));
    return { id, texts: [...Object.values(secrets), `${came}`, `${scheduled_end_time}`] };
  };
  return { server, as, him, live };
}

/** Whether an answer names him as somebody whose presence, typing, status or pictures are known. */
function names(value: unknown, him: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const keysOf = (field: string) => Object.keys(Object(fields.get(field)));
  const isHis = fields.get('user_id') === him || Object.entries(Object(fields.get('sender'))).some(([, id]) => id === him);
  const known =
    [...keysOf('presences'), ...keysOf('user_status')].some((key) => key === `${him}` || key === eg.emailOf(hidden)) ||
    (isHis && ['presence', 'typing', 'user_status'].includes(String(fields.get('type')))) ||
    (isHis && fields.has('avatar_version') && fields.get('avatar_version') !== 1);
  return known || [...fields.values()].some((each) => names(each, him));
}

const isSubject = (endpoint: Endpoint) => endpoint.method === 'POST';

/** Asks every call as a viewer. @returns the calls by which he was learned about, and which of them succeeded. */
async function learnedBy(viewer: Viewer, isHidden: boolean) {
  const { server, as, him, live } = await office(isHidden);
  const client = as(viewer);
  const ears = await Promise.all(listening.map((asked) => client.ok(registerQueue, asked)));
  const poll = (queue_id: string, cursor: number, how: Readonly<Record<string, string>>) =>
    client.raw({ path: '/events', query: { queue_id, last_event_id: `${cursor}`, ...how } });
  const waiting = ears.map(({ queue_id, last_event_id }) => poll(queue_id, last_event_id, {}));
  await settled();
  const { id, texts } = await live();
  const { id: said } = await client.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'はい' });

  const at: Scene = {
    viewer,
    him,
    spare: server.user('yamada'),
    messages: [...server.messages, id],
    own: said,
    stream: server.stream(eg.general),
    room: server.stream('部屋'),
    queue: ears[0]?.queue_id ?? '',
    cursor: ears[0]?.last_event_id ?? 0,
  };
  const [learned, succeeded] = [new Set<string>(), new Set<string>()];
  const look = (name: string, { status, text }: eg.Reply) => {
    if (status === 200) succeeded.add(name);
    if (texts.some((secret) => text.includes(secret)) || names(JSON.parse(text), him)) learned.add(name);
  };
  for (const reply of await Promise.all(waiting)) look('getEvents', reply);
  for (const { queue_id, last_event_id } of ears) {
    look('getEvents', await poll(queue_id, last_event_id, { dont_block: 'true' }));
  }
  for (const [name, asked] of Object.entries(asks)) {
    const endpoint = endpointOf(name);
    for (const values of asked(at)) {
      const encoded = encodeParameters(endpoint, values);
      const parts = isSubject(endpoint) ? { form: encoded } : { query: encoded };
      look(name, await client.raw({ method: endpoint.method, path: fillPath(endpoint, values), ...parts }));
    }
  }
  return { learned: [...learned].toSorted(), succeeded, server };
}

describe('of a member who shows nothing to anybody', () => {
  it('every call is asked', () => {
    expect(Object.keys(asks).toSorted()).toEqual([...endpoints.keys()].toSorted());
  });

  it.each(viewers)('[R2.25.3] [R2.25.2] nothing is learned by any call and any event: %s', async (viewer) => {
    expect((await learnedBy(viewer, true)).learned).toEqual([]);
  });

  it('the same calls do tell of one who shows it, and each of them succeeds', async () => {
    const { learned, succeeded } = await learnedBy('tanaka', false);
    expect(learned).toEqual([
      'getEvents',
      'getMessage',
      'getMessages',
      'getRealmPresence',
      'getUser',
      'getUserPresence',
      'getUserStatus',
      'getUsers',
      'registerQueue',
      'updatePresence',
    ]);
    expect([...endpoints.keys()].filter((name) => !succeeded.has(name))).toEqual([]);
  });
});
