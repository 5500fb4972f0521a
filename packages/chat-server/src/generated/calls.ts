import {
  type Endpoint,
  type ParametersIn,
  addressDirect,
  busyEmoji,
  languages,
  maxStatusSeconds,
  notificationSounds,
  roles,
} from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import type { CallName, Endpoints } from '../testing/endpoints.ts';
import { type Scene, speakers, visitor } from './scene.ts';

interface Call<E extends Endpoint> {
  readonly by: string;
  readonly asks: ParametersIn<E>;
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

const anyone = ({ random }: Scene) => random.pick([...speakers, 'ito']);
const speaker = ({ random }: Scene) => random.pick(speakers);
const administrator = ({ random }: Scene) => random.pick(['tanaka', 'sato']);
const truth = ({ random }: Scene) => random.chance(0.5);
const content = ({ random }: Scene) => `${random.pick(contents)} ${random.below(1000)}`;
const topic = ({ random }: Scene) => `話題 ${random.below(200)}`;
const word = ({ random }: Scene) => random.pick(['至急', '障害', 'Engawa', '縁側']) + String(random.below(20));
const message = ({ random, messages }: Scene) => messages.pick(random) ?? { id: 0, by: 'tanaka' };
const room = ({ random, rooms }: Scene) => rooms.pick(random) ?? { id: 0, name: '部屋 0' };
const spareUser = ({ random, spareUsers }: Scene) => spareUsers.pick(random) ?? { id: 0 };
const queue = ({ random, queues }: Scene) => queues.pick(random) ?? { id: 'none', by: 'tanaka', cursor: 0 };
const someoneElse = (scene: Scene) => scene.server.user(scene.random.pick(speakers));
const seen = (scene: Scene) => ({ by: speaker(scene), asks: { message_id: message(scene).id } });
const inGeneral = (scene: Scene) => ({ by: speaker(scene), asks: { stream_id: scene.server.stream(eg.general) } });
const words = (scene: Scene) => ({ by: anyone(scene), asks: { alert_words: [word(scene), word(scene)] } });
const pointer = (scene: Scene) => ({ by: speaker(scene), asks: { pointer: message(scene).id } });
const property = (scene: Scene) => {
  const switches = ['is_muted', 'in_home_view', 'pin_to_top', 'put_away', 'desktop_notifications'];
  return { property: scene.random.pick(switches), value: truth(scene) };
};
const nothing = (scene: Scene) => ({ by: anyone(scene), asks: {} });

const audience = (scene: Scene) => ({
  audience: scene.random.pick(['everyone', 'selected', 'nobody'] as const),
  user_ids: [someoneElse(scene)],
});

/** A call as a client would make it, for each that there is. */
export const calls: { readonly [Name in CallName]: (scene: Scene) => Call<Endpoints[Name]> } = {
  getServerSettings: nothing,
  fetchApiKey: () => ({ by: visitor, asks: { username: eg.emailOf(visitor), password: eg.password } }),

  getUsers: (scene) => ({
    by: anyone(scene),
    asks: { client_gravatar: truth(scene), include_custom_profile_fields: truth(scene) },
  }),
  getUser: (scene) => ({ by: anyone(scene), asks: { user_id: someoneElse(scene) } }),
  getOwnUser: nothing,
  createUser: (scene) => {
    const number = scene.next();
    const asks = { email: `shinjin${number}@example.com`, password: `himitsu-${number}`, full_name: `新人 ${number}号` };
    return { by: administrator(scene), asks };
  },
  updateUser: (scene) => ({
    by: administrator(scene),
    asks: {
      user_id: spareUser(scene).id,
      full_name: `新人 ${scene.next()}号`,
      role: scene.random.pick([roles.moderator, roles.member, roles.guest]),
    },
  }),
  deactivateUser: (scene) => ({ by: administrator(scene), asks: { user_id: spareUser(scene).id } }),
  reactivateUser: (scene) => ({ by: administrator(scene), asks: { user_id: spareUser(scene).id } }),
  // Nobody's email becomes another, because it is by their email that the others know them.
  updateSettings: (scene) => {
    const timezone = scene.random.pick(['Asia/Tokyo', 'Europe/Berlin', 'UTC']);
    const asks = scene.random.pick([
      { full_name: `改名 ${scene.next()}号` },
      { timezone },
      { email: '' },
      { send_read_receipts: truth(scene) },
      { presence_enabled: truth(scene), enter_sends: truth(scene), enable_sounds: truth(scene) },
      { send_private_typing_notifications: truth(scene), send_stream_typing_notifications: truth(scene) },
      { color_scheme: scene.random.pick([1, 2, 3] as const), default_language: scene.random.pick([...languages]) },
      { enable_desktop_notifications: truth(scene), enable_stream_desktop_notifications: truth(scene) },
      { notification_sound: scene.random.pick([...notificationSounds]) },
      { photo_audience: audience(scene) },
      { status_audience: audience(scene) },
    ]);
    return { by: anyone(scene), asks };
  },
  countEmojiUse: (scene) => ({ by: anyone(scene), asks: { emoji: scene.random.pick(emoji) } }),
  regenerateApiKey: () => ({ by: visitor, asks: {} }),
  getPointer: nothing,
  updatePointer: pointer,
  putPointer: pointer,

  getAlertWords: nothing,
  addAlertWords: words,
  removeAlertWords: words,

  registerQueue: (scene) => ({
    by: scene.random.pick([anyone(scene), visitor]),
    asks: {
      event_types: scene.random.some(['message', 'reaction', 'realm_user', 'stream', 'typing'], 0.7),
      fetch_event_types: scene.random.some(
        ['message', 'update_message_flags', 'realm_user', 'subscription', 'stream', 'starred_messages', 'realm'],
        0.4,
      ),
      apply_markdown: truth(scene),
      include_subscribers: truth(scene),
      all_public_streams: false,
      narrow: scene.random.some([{ operator: 'stream', operand: eg.general }], 0.3),
      client_capabilities: { bulk_message_deletion: truth(scene), stream_typing_notifications: truth(scene) },
      queue_lifespan_secs: 600 + scene.random.below(2000),
    },
  }),
  getEvents: (scene) => {
    const { id, by, cursor } = queue(scene);
    return { by, asks: { queue_id: id, last_event_id: cursor, dont_block: true } };
  },
  deleteQueue: (scene) => {
    const { id, by } = queue(scene);
    return { by, asks: { queue_id: id } };
  },

  getMessages: (scene) => ({
    by: anyone(scene),
    asks: {
      anchor: scene.random.pick(['newest', 'oldest', 'first_unread', String(message(scene).id)]),
      num_before: scene.random.below(20),
      num_after: scene.random.below(20),
      include_anchor: true,
      narrow: scene.random.some(
        [
          { operator: 'topic', operand: topic(scene) },
          { operator: 'sender', operand: eg.emailOf(speaker(scene)) },
          { operator: 'is', operand: 'starred', negated: truth(scene) },
          { operator: 'search', operand: scene.random.pick(['確認', '話題 引用', 'e', '鬱蒼']), negated: truth(scene) },
        ],
        0.2,
      ),
      apply_markdown: truth(scene),
      include_deleted: truth(scene),
    },
  }),
  sendMessage: (scene) => ({
    by: speaker(scene),
    asks: {
      ...(scene.random.chance(0.6)
        ? { type: 'stream', to: eg.general, topic: topic(scene) }
        : { type: 'direct', to: addressDirect([someoneElse(scene), someoneElse(scene)]) }),
      content: content(scene),
      queue_id: queue(scene).id,
      local_id: `${scene.next()}.01`,
      read_by_sender: truth(scene),
      client_message_id: uuid(scene),
    },
  }),
  updateMessageFlags: (scene) => ({
    by: speaker(scene),
    asks: {
      messages: scene.messages.some(scene.random, 0.05).map(({ id }) => id),
      op: scene.random.pick(['add', 'remove']),
      flag: scene.random.pick(['read', 'starred', 'collapsed']),
    },
  }),
  getMessage: (scene) => ({
    by: speaker(scene),
    asks: { message_id: message(scene).id, apply_markdown: truth(scene) },
  }),
  editMessage: (scene) => {
    const { id, by } = message(scene);
    const propagate_mode = scene.random.pick(['change_one', 'change_later', 'change_all'] as const);
    const change = scene.random.pick([{ content: content(scene) }, { topic: topic(scene), propagate_mode }]);
    return { by, asks: { message_id: id, ...change } };
  },
  deleteMessage: (scene) => {
    const { id, by } = message(scene);
    return { by, asks: { message_id: id } };
  },
  getMessageHistory: seen,
  getReadReceipts: (scene) => {
    const { id, by } = message(scene);
    return { by, asks: { message_id: id } };
  },
  countReadReceipts: (scene) => ({ by: speaker(scene), asks: { messages: [message(scene).id] } }),
  renderMessage: (scene) => ({ by: anyone(scene), asks: { content: content(scene) } }),
  addReaction: (scene) => {
    const by = speaker(scene);
    const { id } = message(scene);
    const emoji_name = scene.random.pick(emoji);
    scene.reactions.add({ id, by, emoji: emoji_name });
    return { by, asks: { message_id: id, emoji_name } };
  },
  removeReaction: (scene) => {
    const { id, by, emoji: emoji_name } = scene.reactions.pick(scene.random) ?? { id: 0, by: 'tanaka', emoji: 'smile' };
    return { by, asks: { message_id: id, emoji_name } };
  },
  setTypingStatus: (scene) => ({
    by: speaker(scene),
    asks: {
      op: scene.random.pick(['start', 'stop']),
      ...(truth(scene)
        ? { type: 'stream', stream_id: scene.server.stream(eg.general), topic: topic(scene) }
        : { type: 'direct', to: addressDirect([someoneElse(scene)]) }),
    },
  }),
  updatePresence: (scene) => ({
    by: anyone(scene),
    asks: {
      status: scene.random.pick(['active', 'idle']),
      ping_only: truth(scene),
      new_user_input: truth(scene),
      slim_presence: truth(scene),
      ...(truth(scene) ? { last_update_id: scene.random.pick([-1, 0, 1_790_000_000_000]) } : {}),
    },
  }),
  getRealmPresence: nothing,
  getUserPresence: (scene) => ({ by: anyone(scene), asks: { user_id: scene.server.user('tanaka') } }),
  updateStatus: (scene) => ({
    by: anyone(scene),
    asks: scene.random.pick([
      { status_text: `会議中 ${scene.next()}`, ...busyEmoji },
      { status_text: '' },
      { emoji_name: '', emoji_code: '', reaction_type: '' },
      { status_text: '外出中', scheduled_end_time: Math.floor(scene.server.clock.now() / 1000) + maxStatusSeconds },
    ]),
  }),
  getUserStatus: (scene) => ({ by: anyone(scene), asks: { user_id: someoneElse(scene) } }),

  updateRealm: (scene) => ({
    by: administrator(scene),
    asks: scene.random.pick([
      { enable_read_receipts: truth(scene) },
      { read_receipts: scene.random.pick(['own', 'all', 'none'] as const) },
    ]),
  }),
  getRealmEmoji: nothing,
  getLinkifiers: nothing,
  getRealmFilters: nothing,

  getStreams: (scene) => ({
    by: administrator(scene),
    asks: { include_public: true, include_subscribed: true, include_default: truth(scene) },
  }),
  getStream: inGeneral,
  getStreamId: (scene) => ({ by: speaker(scene), asks: { stream: eg.general } }),
  getTopics: inGeneral,
  updateStream: (scene) => ({
    by: administrator(scene),
    asks: { stream_id: room(scene).id, description: scene.random.pick(['打ち合わせ', '雑談', '']) },
  }),
  deleteStream: (scene) => ({ by: administrator(scene), asks: { stream_id: room(scene).id } }),
  getSubscriptions: (scene) => ({ by: anyone(scene), asks: { include_subscribers: truth(scene) } }),
  subscribe: (scene) => ({
    by: administrator(scene),
    asks: {
      subscriptions: [{ name: `部屋 ${scene.next()}`, description: '打ち合わせ' }],
      principals: scene.random.some(speakers, 0.3).map((name) => scene.server.user(name)),
      invite_only: truth(scene),
      history_public_to_subscribers: true,
      authorization_errors_fatal: truth(scene),
    },
  }),
  unsubscribe: (scene) => ({ by: speaker(scene), asks: { subscriptions: [room(scene).name] } }),
  updateSubscriptionProperties: (scene) => ({
    by: speaker(scene),
    asks: { subscription_data: [{ stream_id: scene.server.stream(eg.general), ...property(scene) }] },
  }),
  updateSubscriptionProperty: (scene) => {
    const { property: name, value } = property(scene);
    const asks = { stream_id: scene.server.stream(eg.general), property: name, value: JSON.stringify(value) };
    return { by: speaker(scene), asks };
  },
  updateSubscriptions: (scene) => ({
    by: speaker(scene),
    asks: { add: [{ name: `部屋 ${scene.next()}` }], delete: [room(scene).name] },
  }),
};

/** One by chance of the seed. */
function uuid({ random }: Scene): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
}
