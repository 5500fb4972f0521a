import { roles } from '@engawa/protocol';
import type { Random } from '../testing/random.ts';
import { isAdministrator, isIn, sees } from './model/access.ts';
import type { Destination } from './model/messages.ts';
import type { Message, Model, User } from './model/model.ts';
import { readable } from './model/reading.ts';
import type { QueueKind, Sending, Step, Term } from './step.ts';

/** What a history has come to, as far as chance needs to know it. */
export interface History {
  readonly model: Model;
  readonly sent: readonly Sending[];
  readonly followers: readonly { readonly member: number; readonly kind: QueueKind }[];
}

/** What happens next. To a kind of step belong a line here, a rule of the model, and a case of the run. */
export function nextStep(random: Random, history: History): Step {
  for (;;) {
    const step = random.pick(chances)(random, history);
    if (step) return step;
  }
}

type Chance = (random: Random, history: History) => Step | undefined;

/** How often each occurs, among all that are possible. */
const often: readonly (readonly [times: number, chance: Chance])[] = [
  [24, sending],
  [10, marking],
  [8, editing],
  [4, deleting],
  [6, reacting],
  [2, alerting],
  [2, choosing],
  [1, showingReceipts],
  [4, askingWhoRead],
  [5, subscribing],
  [4, unsubscribing],
  [4, puttingAway],
  [1, archiving],
  [2, changingRole],
  [1, deactivating],
  [2, reactivating],
  [9, fetching],
  [10, polling],
  [7, waiting],
  [5, registering],
  [3, comparing],
  [3, passing],
  [1, () => ({ does: 'restart' })],
  [1, (random, { model }) => ({ does: 'sign in', member: someone(random, model).id })],
];
const chances: readonly Chance[] = often.flatMap(([times, chance]) => Array.from({ length: times }, () => chance));

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

/** Now and then somebody who is not active. */
function someone(random: Random, { users, activeUsers }: Model): User {
  return random.pick(random.chance(0.95) ? activeUsers : [...users.values()]);
}

/** Mostly somebody whose call is taken. */
function someoneWho(random: Random, model: Model, may: (user: User) => boolean, probability = 0.8): User {
  const able = model.activeUsers.filter(may);
  return able.length > 0 && random.chance(probability) ? random.pick(able) : someone(random, model);
}

const idsOf = (users: readonly User[]): number[] => users.map(({ id }) => id);

/** Some of the newest that somebody may read, or any that there is, or is not. */
function someMessage(random: Random, { messages }: Model, newest: readonly Message[]): number | undefined {
  if (newest.length > 0 && random.chance(0.9)) return random.pick(newest).id;
  return messages.size > 0 && random.chance(0.9) ? random.pick([...messages.keys()]) : undefined;
}

// Messages

function sending(random: Random, history: History): Step {
  const sendings = Array.from({ length: 1 + random.below(3) }, (_, index) => oneSending(random, history, index));
  const isDoubled = ({ clientId }: Sending) => clientId !== undefined && random.chance(0.1);
  return { does: 'send', sendings: sendings.flatMap((each) => (isDoubled(each) ? [each, each] : [each])) };
}

function oneSending(random: Random, { model, sent }: History, index: number): Sending {
  const repeatable = sent.filter(({ clientId }) => clientId !== undefined);
  if (repeatable.length > 0 && random.chance(0.15)) return random.pick(repeatable);
  const member = someone(random, model);
  return {
    member: member.id,
    to: destination(random, model, member),
    topic: random.pick(topics),
    content: `${model.messages.size}.${index}${said(random, model)}`,
    clientId: random.chance(0.5) ? uuid(random) : undefined,
    readBySender: random.chance(0.85),
    marked: random.chance(0.5),
  };
}

function destination(random: Random, model: Model, member: User): Destination {
  const visible = model.openStreams.filter((stream) => sees(member, stream));
  if (random.chance(0.3) || model.streams.size === 0) {
    const others = model.activeUsers.filter(({ id }) => id !== member.id);
    if (others.length === 0 || random.chance(0.15)) return { users: [member.id] };
    const some = random.chance(0.6) ? [random.pick(others)] : random.some([...model.users.values()], 0.35);
    return { users: idsOf(some) };
  }
  const streams = visible.length > 0 && random.chance(0.95) ? visible : [...model.streams.values()];
  return { stream: random.pick(streams).id };
}

/** What may stand in a message beside what tells it from others. */
function said(random: Random, { users }: Model): string {
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

function editing(random: Random, { model }: History): Step | undefined {
  const reader = someone(random, model);
  const id = someMessage(random, model, readable(model, reader).slice(-12));
  if (id === undefined) return undefined;
  const sender = model.messages.get(id)?.sender;
  const isContent = random.chance(0.6);
  const topic = !isContent || random.chance(0.3) ? random.pick(topics) : undefined;
  const content = random.chance(0.05) ? ' ' : `改${model.now}${said(random, model)}`;
  return {
    does: 'edit',
    member: sender !== undefined && random.chance(0.7) ? sender : reader.id,
    id,
    content: isContent ? content : undefined,
    topic,
    mode: topic === undefined && random.chance(0.9) ? 'change_one' : random.pick(modes),
  };
}

function deleting(random: Random, { model }: History): Step | undefined {
  const reader = someoneWho(random, model, isAdministrator, 0.3);
  const id = someMessage(random, model, readable(model, reader).slice(-15));
  if (id === undefined) return undefined;
  const sender = model.messages.get(id)?.sender;
  return { does: 'delete', member: sender !== undefined && random.chance(0.5) ? sender : reader.id, id };
}

function reacting(random: Random, { model }: History): Step | undefined {
  const member = someone(random, model);
  const id = someMessage(random, model, readable(model, member).slice(-8));
  if (id === undefined) return undefined;
  const own = model.messages.get(id)?.reactions.filter(({ user_id }) => user_id === member.id) ?? [];
  if (own.length > 0 && random.chance(0.6)) {
    const { emoji_name, emoji_code, reaction_type } = random.pick(own);
    return { does: 'react', member: member.id, op: 'remove', id, emoji: { emoji_name, emoji_code, reaction_type } };
  }
  const op = random.chance(0.9) ? 'add' : 'remove';
  return { does: 'react', member: member.id, op, id, emoji: random.pick(emojis) };
}

// Reading

function marking(random: Random, { model }: History): Step {
  const member = someone(random, model);
  const readableIds = readable(model, member).map(({ id }) => id);
  const newest = random.chance(0.6) ? readableIds.slice(-8) : readableIds;
  const all = [...model.messages.keys()];
  // Now and then ids that are not this member's, or nobody's.
  const strange = all.length > 0 && random.chance(0.25) ? [random.pick(all), 1_000_000] : [];
  return {
    does: 'mark',
    member: member.id,
    op: random.pick(['add', 'add', 'remove']),
    flag: random.pick(['read', 'read', 'read', 'starred', 'collapsed']),
    ids: [...random.some(newest, 0.5), ...strange],
  };
}

function alerting(random: Random, { model }: History): Step {
  const op = random.pick(['add', 'add', 'remove'] as const);
  return { does: 'alert', member: someone(random, model).id, op, words: random.some(words, 0.5) };
}

function choosing(random: Random, { model }: History): Step {
  return { does: 'choose', member: someone(random, model).id, sendsReceipts: random.chance(0.7) };
}

/** Mostly an administrator; mostly some are shown. */
function showingReceipts(random: Random, { model }: History): Step {
  const { id } = random.chance(0.8) ? someoneWho(random, model, isAdministrator) : someone(random, model);
  return { does: 'show receipts', member: id, shown: random.pick(['own', 'own', 'all', 'all', 'none'] as const) };
}

/** Mostly the author. */
function askingWhoRead(random: Random, { model }: History): Step | undefined {
  const member = someone(random, model);
  const theirs = readable(model, member);
  const own = theirs.filter(({ sender }) => sender === member.id);
  const id = someMessage(random, model, random.chance(0.8) ? own : theirs.slice(-8));
  return id === undefined ? undefined : { does: 'ask who read', member: member.id, id };
}

function fetching(random: Random, { model }: History): Step {
  const member = someone(random, model);
  const ids = [...model.messages.keys()];
  const named = random.pick(['newest', 'oldest', 'first_unread'] as const);
  return {
    does: 'fetch',
    member: member.id,
    fetching: {
      narrow: random.some(terms(random, model, member), 0.22).slice(0, 3),
      anchor: ids.length > 0 && random.chance(0.5) ? random.pick(ids) : named,
      before: random.below(15),
      after: random.below(15),
    },
  };
}

function terms(random: Random, model: Model, member: User): readonly Term[] {
  const visible = model.openStreams.filter((stream) => sees(member, stream));
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

// Streams

function subscribing(random: Random, { model }: History): Step {
  const isNew = model.openStreams.length < 4 || (model.openStreams.length < 8 && random.chance(0.3));
  const name = isNew ? random.pick(names) : random.pick(model.openStreams).name;
  const stream = model.openStream(name);
  const may = (user: User) => user.role !== roles.guest && (!stream || sees(user, stream));
  const member = someoneWho(random, model, may);
  const others = random.some(random.chance(0.95) ? model.activeUsers : [...model.users.values()], 0.4);
  const making = random.pick(['unsaid', 'unsaid', 'public', 'private', 'shared'] as const);
  const people = random.chance(0.3) || others.length === 0 ? [member] : others;
  return { does: 'subscribe', member: member.id, name, making, people: idsOf(people) };
}

function unsubscribing(random: Random, { model }: History): Step {
  const { name, creator, subscribers } = random.pick([...model.streams.values()]);
  if (random.chance(0.6)) {
    const member = someoneWho(random, model, ({ id }) => subscribers.has(id));
    return { does: 'unsubscribe', member: member.id, name, people: [member.id] };
  }
  const there = [...model.users.values()].filter(({ id }) => subscribers.has(id));
  const people = random.some(there, 0.4);
  const member = someoneWho(random, model, (user) => isAdministrator(user) || user.id === creator);
  return { does: 'unsubscribe', member: member.id, name, people: idsOf(people.length > 0 ? people : [member]) };
}

function puttingAway(random: Random, { model }: History): Step {
  const { id: stream, subscribers } = random.pick([...model.streams.values()]);
  const member = someoneWho(random, model, ({ id }) => subscribers.has(id));
  return { does: 'put away', member: member.id, stream, isAway: random.chance(0.8) };
}

function archiving(random: Random, { model }: History): Step {
  const streams = model.openStreams.length > 3 && random.chance(0.6) ? model.openStreams : [...model.streams.values()];
  const { id: stream, creator } = random.pick(streams);
  const member = someoneWho(random, model, (user) => isAdministrator(user) || user.id === creator);
  return { does: 'archive', member: member.id, stream };
}

// People

function changingRole(random: Random, { model }: History): Step {
  const member = someoneWho(random, model, isAdministrator);
  const user = someone(random, model);
  return { does: 'change role', member: member.id, user: user.id, role: random.pick(Object.values(roles)) };
}

function deactivating(random: Random, { model }: History): Step | undefined {
  // Somebody must be left to talk.
  if (model.activeUsers.length < 4) return undefined;
  const member = someoneWho(random, model, isAdministrator);
  return { does: 'deactivate', member: member.id, user: someone(random, model).id };
}

function reactivating(random: Random, { model }: History): Step {
  const gone = [...model.users.values()].filter(({ isActive }) => !isActive);
  const user = gone.length > 0 && random.chance(0.9) ? random.pick(gone) : someone(random, model);
  return { does: 'reactivate', member: someoneWho(random, model, isAdministrator).id, user: user.id };
}

// Queues

const kinds: readonly QueueKind[] = ['everything', 'everything', 'html', 'some', 'messages', 'public', 'direct'];
/** Queues of one member at once. */
const mostQueues = 3;

function registering(random: Random, { model, followers }: History): Step {
  const member = someone(random, model);
  const own = [...followers.entries()].filter(([, follower]) => follower.member === member.id);
  if (own.length >= mostQueues) return { does: 'let go', queue: random.pick(own)[0] };
  return { does: 'register', member: member.id, kind: random.pick(kinds) };
}

function polling(random: Random, { followers }: History): Step | undefined {
  const way = random.pick(['take', 'take', 'look', 'twice'] as const);
  return followers.length === 0 ? undefined : { does: 'poll', queue: random.below(followers.length), way };
}

function waiting(random: Random, { followers }: History): Step {
  return { does: 'wait', queues: random.some([...followers.keys()], 0.4) };
}

function comparing(random: Random, { model }: History): Step {
  return { does: 'compare', member: random.pick(model.activeUsers).id };
}

/** Long enough that whoever waits is told that nothing happened. */
const passes = [60, 120, 300, 610, 3700];

function passing(random: Random): Step {
  return { does: 'pass', seconds: random.pick(passes) };
}
