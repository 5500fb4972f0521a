import { roles } from '@engawa/protocol';
import type { Random } from '../testing/random.ts';
import { isAdministrator, isIn, canSee, seesUser } from './model/access.ts';
import type { Destination } from './model/messages.ts';
import type { Message, Model, User } from './model/model.ts';
import { readable } from './model/reading.ts';
import type { QueueKind, SendRequest, Step, Term } from './step.ts';

/** The state from which random steps are chosen. */
export interface RunState {
  readonly model: Model;
  readonly sent: readonly SendRequest[];
  readonly queueClients: readonly { readonly member: number; readonly kind: QueueKind }[];
}

/** Chooses the next step. A new kind of step needs an entry in `weights`, a rule in the model and a case in `Run`. */
export function nextStep(random: Random, run: RunState): Step {
  for (;;) {
    const step = random.pick(chances)(random, run);
    if (step) return step;
  }
}

type Chance = (random: Random, run: RunState) => Step | undefined;

const weights: readonly (readonly [times: number, chance: Chance])[] = [
  [24, sendStep],
  [10, flagStep],
  [8, editStep],
  [4, deleteStep],
  [6, reactStep],
  [2, alertWordStep],
  [3, settingsStep],
  [1, receiptAudienceStep],
  [4, receiptsStep],
  [5, subscribeStep],
  [4, unsubscribeStep],
  [4, putAwayStep],
  [1, closeStep],
  [1, (random, { model }) => ({ action: 'create group', member: randomUser(random, model).id })],
  [4, groupStep],
  [2, roleStep],
  [1, deactivateStep],
  [2, reactivateStep],
  [9, fetchStep],
  [10, pollStep],
  [7, waitStep],
  [5, registerStep],
  [3, compareStep],
  [3, clockStep],
  [1, () => ({ action: 'restart' })],
  [1, (random, { model }) => ({ action: 'sign in', member: randomUser(random, model).id })],
];
const chances: readonly Chance[] = weights.flatMap(([times, chance]) => Array.from({ length: times }, () => chance));

const topics = ['stream events', 'お昼', 'Lunch', 'lunch'];
const words = ['障害', 'lunch', '納期'];
const otherWords = ['障 害', 'lunches', '確認'];
const searched = ['障', '障害', 'LUNCH', '昼 確認', '改', '太郎', '@佐藤', '1.0 納期'];
const names = ['企画', '営業', '広報', '法務'];
const modes = ['change_one', 'change_later', 'change_all'] as const;
const emojis = [
  { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
  { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' },
  { emoji_name: 'engawa', emoji_code: '1', reaction_type: 'realm_emoji' },
] as const;

/** Sometimes an inactive user. */
function randomUser(random: Random, { users, activeUsers }: Model): User {
  return random.pick(random.chance(0.95) ? activeUsers : [...users.values()]);
}

/** Mostly a user whose call is allowed. */
function randomUserWho(random: Random, model: Model, may: (user: User) => boolean, probability = 0.8): User {
  const able = model.activeUsers.filter(may);
  return able.length > 0 && random.chance(probability) ? random.pick(able) : randomUser(random, model);
}

const idsOf = (users: readonly User[]): number[] => users.map(({ id }) => id);

/** Usually one of the newest readable messages, sometimes any message, rarely none. */
function randomMessage(random: Random, { messages }: Model, newest: readonly Message[]): number | undefined {
  if (newest.length > 0 && random.chance(0.9)) return random.pick(newest).id;
  return messages.size > 0 && random.chance(0.9) ? random.pick([...messages.keys()]) : undefined;
}

function sendStep(random: Random, run: RunState): Step {
  const count = 1 + random.below(3);
  const sends = Array.from({ length: count }, (_, index) => randomSend(random, run, index, count === 1));
  const isDoubled = ({ clientId }: SendRequest) => clientId !== undefined && random.chance(0.1);
  return { action: 'send', sends: sends.flatMap((each) => (isDoubled(each) ? [each, each] : [each])) };
}

/** One of several sends names only users whom its sender already sees, because a parallel send may change that. */
function randomSend(random: Random, { model, sent }: RunState, index: number, isAlone: boolean): SendRequest {
  const repeatable = sent.filter(({ clientId }) => clientId !== undefined);
  if (repeatable.length > 0 && random.chance(0.15)) return random.pick(repeatable);
  const member = randomUser(random, model);
  return {
    member: member.id,
    to: randomDestination(random, model, member, isAlone),
    topic: random.pick(topics),
    content: `${model.messages.size}.${index}${randomMentions(random, model)}`,
    clientId: random.chance(0.5) ? uuid(random) : undefined,
    readBySender: random.chance(0.85),
    hasLocalId: random.chance(0.5),
  };
}

/** This guest has no direct conversations, because they never end. Joining and leaving streams changes whom the guest sees. */
export const withoutDirects = '森 さくら';

function randomDestination(random: Random, model: Model, member: User, isAlone: boolean): Destination {
  const visible = model.openStreams.filter((stream) => canSee(member, stream));
  if (member.name !== withoutDirects && (random.chance(0.3) || model.streams.size === 0)) {
    const isNamed = ({ id }: User) => (isAlone && random.chance(0.3)) || seesUser(model, member, id);
    const named = [...model.users.values()].filter((user) => user.name !== withoutDirects && isNamed(user));
    const others = named.filter(({ id, isActive }) => id !== member.id && isActive);
    if (others.length === 0 || random.chance(0.15)) return { users: [member.id] };
    const some = random.chance(0.6) ? [random.pick(others)] : random.some(named, 0.35);
    return { users: idsOf(some) };
  }
  const streams = visible.length > 0 && random.chance(0.95) ? visible : [...model.streams.values()];
  return { stream: random.pick(streams).id };
}

function randomMentions(random: Random, { users }: Model): string {
  const parts = [
    random.chance(0.2) ? `@**${random.pick([...users.values()]).name}**` : '',
    random.chance(0.06) ? '@**all**' : '',
    random.chance(0.25) ? random.pick([...words, ...otherWords]) : '',
  ];
  return parts.map((part) => (part === '' ? '' : ` ${part}`)).join('');
}

function uuid(random: Random): string {
  const digits = Array.from({ length: 12 }, () => random.below(16).toString(16)).join('');
  return `00000000-0000-4000-8000-${digits}`;
}

function editStep(random: Random, { model }: RunState): Step | undefined {
  const reader = randomUser(random, model);
  const id = randomMessage(random, model, readable(model, reader).slice(-12));
  if (id === undefined) return undefined;
  const sender = model.messages.get(id)?.sender;
  const isContent = random.chance(0.6);
  const topic = !isContent || random.chance(0.3) ? random.pick(topics) : undefined;
  const content = random.chance(0.05) ? ' ' : `改${model.now}${randomMentions(random, model)}`;
  return {
    action: 'edit',
    member: sender !== undefined && random.chance(0.7) ? sender : reader.id,
    id,
    content: isContent ? content : undefined,
    topic,
    mode: topic === undefined && random.chance(0.9) ? 'change_one' : random.pick(modes),
  };
}

function deleteStep(random: Random, { model }: RunState): Step | undefined {
  const reader = randomUserWho(random, model, isAdministrator, 0.3);
  const id = randomMessage(random, model, readable(model, reader).slice(-15));
  if (id === undefined) return undefined;
  const sender = model.messages.get(id)?.sender;
  return { action: 'delete', member: sender !== undefined && random.chance(0.5) ? sender : reader.id, id };
}

function reactStep(random: Random, { model }: RunState): Step | undefined {
  const member = randomUser(random, model);
  const id = randomMessage(random, model, readable(model, member).slice(-8));
  if (id === undefined) return undefined;
  const own = model.messages.get(id)?.reactions.filter(({ user_id }) => user_id === member.id) ?? [];
  if (own.length > 0 && random.chance(0.6)) {
    const { emoji_name, emoji_code, reaction_type } = random.pick(own);
    return { action: 'react', member: member.id, op: 'remove', id, emoji: { emoji_name, emoji_code, reaction_type } };
  }
  const op = random.chance(0.9) ? 'add' : 'remove';
  return { action: 'react', member: member.id, op, id, emoji: random.pick(emojis) };
}

function flagStep(random: Random, { model }: RunState): Step {
  const member = randomUser(random, model);
  const readableIds = readable(model, member).map(({ id }) => id);
  const newest = random.chance(0.6) ? readableIds.slice(-8) : readableIds;
  const all = [...model.messages.keys()];
  // Sometimes includes the ids of inaccessible and missing messages.
  const otherIds = all.length > 0 && random.chance(0.25) ? [random.pick(all), 1_000_000] : [];
  return {
    action: 'change flags',
    member: member.id,
    op: random.pick(['add', 'add', 'remove']),
    flag: random.pick(['read', 'read', 'read', 'starred', 'collapsed']),
    ids: [...random.some(newest, 0.5), ...otherIds],
  };
}

function alertWordStep(random: Random, { model }: RunState): Step {
  const op = random.pick(['add', 'add', 'remove'] as const);
  return { action: 'change alert words', member: randomUser(random, model).id, op, words: random.some(words, 0.5) };
}

function settingsStep(random: Random, { model }: RunState): Step {
  return { action: 'change settings', member: randomUser(random, model).id, sendsReceipts: random.chance(0.7) };
}

/** Mostly an administrator. */
function receiptAudienceStep(random: Random, { model }: RunState): Step {
  const { id } = random.chance(0.8) ? randomUserWho(random, model, isAdministrator) : randomUser(random, model);
  return {
    action: 'change receipt audience',
    member: id,
    audience: random.pick(['own', 'own', 'all', 'all', 'none'] as const),
  };
}

/** Mostly the author. */
function receiptsStep(random: Random, { model }: RunState): Step | undefined {
  const member = randomUser(random, model);
  const visible = readable(model, member);
  const own = visible.filter(({ sender }) => sender === member.id);
  const id = randomMessage(random, model, random.chance(0.8) ? own : visible.slice(-8));
  return id === undefined ? undefined : { action: 'get receipts', member: member.id, id };
}

function fetchStep(random: Random, { model }: RunState): Step {
  const member = randomUser(random, model);
  const ids = [...model.messages.keys()];
  const named = random.pick(['newest', 'oldest', 'first_unread'] as const);
  return {
    action: 'fetch',
    member: member.id,
    request: {
      narrow: random.some(randomTerms(random, model, member), 0.22).slice(0, 3),
      anchor: ids.length > 0 && random.chance(0.5) ? random.pick(ids) : named,
      before: random.below(15),
      after: random.below(15),
    },
  };
}

function randomTerms(random: Random, model: Model, member: User): readonly Term[] {
  const visible = model.openStreams.filter((stream) => canSee(member, stream));
  const streams = visible.length > 0 && random.chance(0.8) ? visible : [...model.streams.values()];
  const users = [...model.users.values()];
  const directs = [...model.directs.values()].filter((direct) => isIn(direct, member));
  const isKnown = directs.length > 0 && random.chance(0.8);
  const others = isKnown ? random.pick(directs).participants : idsOf(random.some(users, 0.3));
  return [
    { operator: 'stream', operand: random.pick(streams).id },
    { operator: 'sender', operand: random.pick(users).id },
    { operator: 'topic', operand: random.pick(topics) },
    { operator: 'search', operand: random.pick(searched) },
    { operator: 'dm', operand: others.length > 0 ? others : [member.id] },
    { operator: 'streams', operand: 'public' },
    { operator: 'is', operand: random.pick(['dm', 'alerted'] as const) },
    { operator: 'is', operand: 'starred' },
    { operator: 'is', operand: 'unread' },
    { operator: 'is', operand: 'mentioned' },
  ];
}

function subscribeStep(random: Random, { model }: RunState): Step {
  const isNew = model.openStreams.length < 4 || (model.openStreams.length < 8 && random.chance(0.3));
  const name = isNew ? random.pick(names) : random.pick(model.openStreams).name;
  const stream = model.openStream(name);
  const may = (user: User) => user.role !== roles.guest && (!stream || canSee(user, stream));
  const member = randomUserWho(random, model, may);
  const others = random.some(random.chance(0.95) ? model.activeUsers : [...model.users.values()], 0.4);
  const privacy = random.pick(['default', 'default', 'public', 'private', 'shared'] as const);
  const users = random.chance(0.3) || others.length === 0 ? [member] : others;
  return { action: 'subscribe', member: member.id, name, privacy, users: idsOf(users) };
}

function unsubscribeStep(random: Random, { model }: RunState): Step {
  const { name, creator, subscribers } = random.pick([...model.streams.values()]);
  if (random.chance(0.6)) {
    const member = randomUserWho(random, model, ({ id }) => subscribers.has(id));
    return { action: 'unsubscribe', member: member.id, name, users: [member.id] };
  }
  const subscribed = [...model.users.values()].filter(({ id }) => subscribers.has(id));
  const users = random.some(subscribed, 0.4);
  const member = randomUserWho(random, model, (user) => isAdministrator(user) || user.id === creator);
  return { action: 'unsubscribe', member: member.id, name, users: idsOf(users.length > 0 ? users : [member]) };
}

function putAwayStep(random: Random, { model }: RunState): Step {
  const { id: stream, subscribers } = random.pick([...model.streams.values()]);
  const member = randomUserWho(random, model, ({ id }) => subscribers.has(id));
  return { action: 'set put_away', member: member.id, stream, isPutAway: random.chance(0.8) };
}

function closeStep(random: Random, { model }: RunState): Step {
  const streams = model.openStreams.length > 3 && random.chance(0.6) ? model.openStreams : [...model.streams.values()];
  const { id: stream, creator } = random.pick(streams);
  const member = randomUserWho(random, model, (user) => isAdministrator(user) || user.id === creator);
  return { action: 'close stream', member: member.id, stream };
}

function groupStep(random: Random, { model }: RunState): Step | undefined {
  if (model.groups.size === 0) return undefined;
  const { id: group, creator, members } = random.pick([...model.groups.values()]);
  const user = randomUser(random, model);
  const op = members.has(user.id) && random.chance(0.9) ? 'remove' : 'add';
  const member = random.chance(0.3) ? user : randomUserWho(random, model, (each) => isAdministrator(each) || each.id === creator);
  return { action: 'change group', member: member.id, group, op, user: user.id };
}

function roleStep(random: Random, { model }: RunState): Step {
  const member = randomUserWho(random, model, isAdministrator);
  const user = randomUser(random, model);
  return { action: 'change role', member: member.id, user: user.id, role: random.pick(Object.values(roles)) };
}

function deactivateStep(random: Random, { model }: RunState): Step | undefined {
  // Keeps at least three active users.
  if (model.activeUsers.length < 4) return undefined;
  const member = randomUserWho(random, model, isAdministrator);
  return { action: 'deactivate', member: member.id, user: randomUser(random, model).id };
}

function reactivateStep(random: Random, { model }: RunState): Step {
  const inactive = [...model.users.values()].filter(({ isActive }) => !isActive);
  const user = inactive.length > 0 && random.chance(0.9) ? random.pick(inactive) : randomUser(random, model);
  return { action: 'reactivate', member: randomUserWho(random, model, isAdministrator).id, user: user.id };
}

const kinds: readonly QueueKind[] = ['everything', 'everything', 'html', 'some', 'messages', 'public', 'direct'];
const maxQueuesPerMember = 3;

function registerStep(random: Random, { model, queueClients }: RunState): Step {
  const member = randomUser(random, model);
  const own = [...queueClients.entries()].filter(([, client]) => client.member === member.id);
  if (own.length >= maxQueuesPerMember) return { action: 'delete queue', queue: random.pick(own)[0] };
  return { action: 'register', member: member.id, kind: random.pick(kinds) };
}

function pollStep(random: Random, { queueClients }: RunState): Step | undefined {
  const way = random.pick(['take', 'take', 'look', 'twice'] as const);
  return queueClients.length === 0 ? undefined : { action: 'poll', queue: random.below(queueClients.length), way };
}

function waitStep(random: Random, { queueClients }: RunState): Step {
  return { action: 'wait', queues: random.some([...queueClients.keys()], 0.4) };
}

function compareStep(random: Random, { model }: RunState): Step {
  return { action: 'compare', member: random.pick(model.activeUsers).id };
}

/** Seconds. Some are long enough for a heartbeat, some to pass each edit limit. */
const clockJumps = [60, 120, 300, 610, 3700];

function clockStep(random: Random): Step {
  return { action: 'advance clock', seconds: random.pick(clockJumps) };
}
