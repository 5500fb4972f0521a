import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import { expectedRange } from '../testing/expectedRange.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { type Random, seeded } from '../testing/random.ts';

/** Streams of every kind that an organisation can have. */
const streams = {
  shared: { shared: true, isPublic: false, members: ['tanaka', 'sato', 'takahashi'] },
  protected: { shared: false, isPublic: false, members: ['tanaka', 'sato', 'suzuki'] },
  plaza: { shared: true, isPublic: true, members: ['suzuki', 'takahashi'] },
  court: { shared: true, isPublic: true, members: ['ito'] },
} as const;
type StreamName = keyof typeof streams;
const streamNames = ['shared', 'protected', 'plaza', 'court'] as const;
const members = ['tanaka', 'sato', 'suzuki', 'takahashi', 'ito'] as const;
type Name = (typeof members)[number];
const topics = ['', 'お昼', 'Lunch', 'lunch', '✔ お昼'];
const file = api.composeFileMessage({ name: '庭.png', storedName: 'abcdefghij0123456789.png', size: 9 });
const contents = ['一', 'https://x.example/', file, '@**佐藤 花子**', '@**all**'] as const;

const guest = eg.organisation().users.find(({ role }) => role === api.roles.guest)?.email;
const organisation = eg.organisation({
  streams: streamNames.map((name) => {
    const { members: subscribers, shared, isPublic } = streams[name];
    return { ...eg.stream(name, subscribers, shared), invite_only: !isPublic };
  }),
});

/** A message of the model, with one receipt for every recipient. */
interface Row {
  readonly id: number;
  /** The name of a stream, or the participants. */
  readonly conversation: StreamName | ReadonlySet<Name>;
  readonly sender: Name;
  readonly topic: string;
  readonly content: string;
  readonly receipts: Map<Name, { read: boolean }>;
  readonly starred: Set<Name>;
  readonly mentioned: Set<Name>;
  reacted: boolean;
}

/** A naive model that examines every message for every query. */
class Model {
  readonly rows: Row[] = [];
  readonly inside = new Map<StreamName, Set<Name>>(streamNames.map((name) => [name, new Set(streams[name].members)]));
  readonly muted = new Map<Name, Set<StreamName>>(members.map((name) => [name, new Set()]));

  isIn(member: Name, conversation: Row['conversation']): boolean {
    return typeof conversation === 'string' ? (this.inside.get(conversation)?.has(member) ?? false) : conversation.has(member);
  }

  mayEnter(member: Name, stream: StreamName): boolean {
    return this.isIn(member, stream) || (streams[stream].isPublic && eg.emailOf(member) !== guest);
  }

  mayRead(member: Name, { conversation, receipts }: Row): boolean {
    if (typeof conversation !== 'string') return conversation.has(member);
    return this.mayEnter(member, conversation) && (streams[conversation].shared || receipts.has(member));
  }

  sees(member: Name, other: Name): boolean {
    if (eg.emailOf(member) !== guest || member === other) return true;
    const places = [...streamNames, ...this.rows.map(({ conversation }) => conversation)];
    return places.some((place) => this.isIn(member, place) && this.isIn(other, place));
  }

  isMuted(member: Name, { conversation }: Row): boolean {
    return (
      typeof conversation === 'string' && this.isIn(member, conversation) && (this.muted.get(member)?.has(conversation) ?? false)
    );
  }
}

/** A narrow term and its predicate on a row. */
interface Term {
  readonly operator: string;
  readonly operand: string | number | number[];
  readonly negated: boolean;
  readonly holds: (row: Row) => boolean;
}

const key = (topic: string): string => topic.toLowerCase();
const participants = ({ conversation }: Row): ReadonlySet<Name> | undefined =>
  typeof conversation === 'string' ? undefined : conversation;

function randomTerm(random: Random, model: Model, member: Name, server: eg.Server): Omit<Term, 'negated'> {
  const stream = random.pick(streamNames.filter((name) => model.mayEnter(member, name)));
  const topic = random.pick(topics);
  const seen = members.filter((name) => model.sees(member, name));
  const other = random.pick(seen);
  const named = new Set([member, ...random.some(seen, 0.3)]);
  const readable = model.rows.filter((row) => model.mayRead(member, row));
  const row = random.pick(random.chance(0.9) ? readable : model.rows);
  const target = random.pick(readable);
  const receipt = (one: Row) => one.receipts.get(member);
  const is = (operand: string, holds: Term['holds']) => ({ operator: 'is', operand, holds });
  const has = (operand: string, holds: Term['holds']) => ({ operator: 'has', operand, holds });
  const choices: readonly Omit<Term, 'negated'>[] = [
    { operator: 'stream', operand: stream, holds: ({ conversation }) => conversation === stream },
    { operator: 'channel', operand: server.stream(stream), holds: ({ conversation }) => conversation === stream },
    {
      operator: 'streams',
      operand: 'public',
      holds: ({ conversation }) => typeof conversation === 'string' && streams[conversation].isPublic,
    },
    { operator: 'topic', operand: topic, holds: (one) => key(one.topic) === key(topic) },
    { operator: 'sender', operand: eg.emailOf(other), holds: ({ sender }) => sender === other },
    {
      operator: 'dm',
      operand: [...named].map(server.user),
      holds: (one) => participants(one)?.symmetricDifference(named).size === 0,
    },
    { operator: 'dm-including', operand: server.user(other), holds: (one) => participants(one)?.has(other) ?? false },
    {
      operator: 'group-pm-with',
      operand: server.user(other),
      holds: (one) => (participants(one)?.has(other) ?? false) && (participants(one)?.size ?? 0) > 2,
    },
    is('dm', (one) => participants(one) !== undefined),
    is('starred', ({ starred }) => starred.has(member)),
    is('unread', (one) => receipt(one)?.read === false),
    is('mentioned', (one) => one.mentioned.has(member) || (one.content === '@**all**' && receipt(one) !== undefined)),
    is('resolved', (one) => one.topic.startsWith('✔ ')),
    is('followed', () => false),
    is('muted', (one) => model.isMuted(member, one)),
    has('link', ({ content }) => content.startsWith('https:')),
    has('image', ({ content }) => content === file),
    has('attachment', ({ content }) => content === file),
    has('reaction', ({ reacted }) => reacted),
    { operator: 'in', operand: 'home', holds: (one) => !model.isMuted(member, one) },
    { operator: 'id', operand: row.id, holds: ({ id }) => id === row.id },
    {
      operator: 'with',
      operand: target.id,
      holds: ({ conversation, topic: under }) =>
        key(under) === key(target.topic) &&
        (conversation === target.conversation ||
          (typeof conversation !== 'string' && participants(target)?.symmetricDifference(conversation).size === 0)),
    },
  ];
  return random.pick(choices);
}

const conversationOperators = ['stream', 'channel', 'topic', 'dm'];
const scopeOperators = ['stream', 'channel', 'streams', 'dm', 'with'];

/** The rows that a member finds with these terms. */
function expectedRows(model: Model, member: Name, options: readonly Term[]): Row[] {
  const positive = (operators: readonly string[]) =>
    options.some(({ operator, negated }) => !negated && operators.includes(operator));
  const terms = options.filter(
    ({ operator, negated }) => negated || !positive(['with']) || !conversationOperators.includes(operator),
  );
  const starred = terms.some(({ operand, negated }) => operand === 'starred' && !negated);
  return model.rows.filter((row) => {
    const isReceived = model.isIn(member, row.conversation) && row.receipts.has(member);
    const inScope = positive(scopeOperators) || starred ? model.mayRead(member, row) : isReceived;
    return inScope && terms.every(({ holds, negated }) => holds(row) !== negated);
  });
}

const mute = queries.run((query, userId: Value<number>, conversationId: Value<number>, is_muted: Value<number>) =>
  query
    .updateTable('membership')
    .set({ is_muted })
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId)
    .where('ended_event', 'is', null),
);

/** Performs one random action on the server and in the model. */
async function actAtRandom(random: Random, server: eg.Server, model: Model): Promise<void> {
  const member = random.pick(members);
  const client = eg.signIn(server, member);
  const subscribed = streamNames.filter((name) => model.isIn(member, name));
  const readable = model.rows.filter((row) => model.mayRead(member, row));
  const percentile = random.below(100);
  if (percentile < 62 || readable.length === 0) return sendAtRandom(random, server, model, member);
  const some = random.some(readable, 0.3).slice(-8);
  const ids = some.map(({ id }) => id);
  if (percentile < 72) {
    await client.ok(api.updateMessageFlags, { messages: ids, op: 'add', flag: 'starred' });
    for (const row of some) row.starred.add(member);
  } else if (percentile < 82) {
    const received = some.filter((row) => model.isIn(member, row.conversation) && row.receipts.has(member));
    await client.ok(api.updateMessageFlags, { messages: received.map(({ id }) => id), op: 'add', flag: 'read' });
    for (const row of received) row.receipts.set(member, { read: true });
  } else if (percentile < 88) {
    const row = random.pick(readable);
    if (!row.reacted) await client.ok(api.addReaction, { message_id: row.id, emoji_name: 'tada' });
    row.reacted = true;
  } else if (percentile < 92 && subscribed.length > 0) {
    const stream = random.pick(subscribed);
    const muted = model.muted.get(member)?.symmetricDifference(new Set([stream])) ?? new Set();
    model.muted.set(member, muted);
    const { database } = fileOf(server);
    await database.write((tx) => mute(tx, server.user(member), server.stream(stream), muted.has(stream) ? 1 : 0));
    database.close();
  } else await joinOrLeave(random, server, model, member);
}

async function sendAtRandom(random: Random, server: eg.Server, model: Model, sender: Name): Promise<void> {
  const subscribed = streamNames.filter((name) => model.isIn(sender, name));
  const client = eg.signIn(server, sender);
  const content = random.pick(contents);
  const readBySender = random.chance(0.8);
  const sending = { content, read_by_sender: readBySender };
  const seen = members.filter((name) => model.sees(sender, name));
  const isDirect = subscribed.length === 0 || random.chance(0.3);
  const conversation = isDirect ? new Set([sender, ...random.some(seen, 0.3)]) : random.pick(subscribed);
  const topic = typeof conversation === 'string' ? random.pick(topics.slice(1)) : '';
  const to = typeof conversation === 'string' ? conversation : JSON.stringify([...conversation].map(server.user));
  const type = typeof conversation === 'string' ? 'stream' : 'direct';
  const { id } = await client.ok(api.sendMessage, { ...sending, type, to, topic });
  const receivers = typeof conversation === 'string' ? (model.inside.get(conversation) ?? new Set()) : conversation;
  const row: Row = {
    id,
    conversation,
    sender,
    topic,
    content,
    receipts: new Map([...receivers].map((name) => [name, { read: readBySender && name === sender }])),
    starred: new Set(),
    mentioned: new Set(),
    reacted: false,
  };
  model.rows.push(row);
  const isMention = content === '@**佐藤 花子**' && model.sees(sender, 'sato');
  if (isMention && model.mayRead('sato', row)) row.mentioned.add('sato');
}

async function joinOrLeave(random: Random, server: eg.Server, model: Model, member: Name): Promise<void> {
  const stream = random.pick(streamNames);
  const inside = model.inside.get(stream) ?? new Set();
  if (!inside.has(member)) {
    await joins(server, member, stream);
    inside.add(member);
    model.muted.get(member)?.delete(stream);
  } else if (inside.size > 1) {
    await leaves(server, member, stream);
    for (const row of model.rows) {
      if (row.conversation === stream && row.receipts.has(member)) row.receipts.set(member, { read: true });
    }
    inside.delete(member);
  }
}

it.each([1, 2, 3])(
  '[R6.1] A random narrow (filter) finds in a random history the same messages as a simple model (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const server = await eg.server({ organisation });
    const model = new Model();
    for (let step = 0; step < 160; step += 1) await actAtRandom(random, server, model);

    let hits = 0;
    for (let question = 0; question < 300; question += 1) {
      const member = random.pick(members);
      const terms = Array.from({ length: 1 + random.below(3) }, () => ({
        ...randomTerm(random, model, member, server),
        negated: random.chance(0.35),
      }));
      const rows = expectedRows(model, member, terms);
      const anchors = ['newest', 'oldest', 'first_unread', String(random.pick(model.rows).id)] as const;
      const options = {
        anchor: random.pick(anchors),
        num_before: random.below(12),
        num_after: random.below(12),
        narrow: terms.map(({ operator, operand, negated }) => ({ operator, operand, negated })),
      };
      const { messages, ...answer } = await eg.signIn(server, member).ok(api.getMessages, options);
      const anchor = anchorOf(options.anchor, firstUnread(model, member, terms, rows));
      const expected = expectedRange(
        rows.map(({ id }) => id),
        { ...options, anchor, include_anchor: true },
      );
      expect({ ...answer, ids: messages.map(({ id }) => id) }, `${member} ${JSON.stringify(options)}`).toEqual(expected);
      hits += expected.ids.length;
    }
    // Guards against queries that find too little.
    expect(hits).toBeGreaterThan(500);
  },
);

function firstUnread(model: Model, member: Name, terms: readonly Term[], rows: readonly Row[]): number | undefined {
  const named = terms.some(({ operator, negated }) => ['stream', 'channel', 'with'].includes(operator) && !negated);
  return rows.find((row) => row.receipts.get(member)?.read === false && (named || !model.isMuted(member, row)))?.id;
}

function anchorOf(anchor: string, firstUnreadId: number | undefined): number {
  if (anchor === 'newest') return api.newestAnchor;
  if (anchor === 'oldest') return 0;
  return anchor === 'first_unread' ? (firstUnreadId ?? api.newestAnchor) : Number(anchor);
}
