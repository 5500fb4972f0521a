import {
  addReaction,
  composeFileMessage,
  getMessages,
  newestAnchor,
  roles,
  sendMessage,
  updateMessageFlags,
} from '@engawa/protocol';
import { expect, it } from 'vitest';
import { statement } from '../schema.ts';
import { around } from '../testing/around.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { type Random, seeded } from '../testing/random.ts';

/** What the random history is made of: the same kinds of streams as an organisation has. */
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
const file = composeFileMessage({ name: '庭.png', storedName: 'abcdefghij0123456789.png', size: 9 });
const contents = ['一', 'https://x.example/', file, '@**佐藤 花子**', '@**all**'] as const;

const guest = eg.organisation().users.find(({ role }) => role === roles.guest)?.email;
const organisation = eg.organisation({
  streams: streamNames.map((name) => {
    const { members: subscribers, shared, isPublic } = streams[name];
    return { ...eg.stream(name, subscribers, shared), invite_only: !isPublic };
  }),
});

/** A message as the naive model keeps it, with a row for each who received it. */
interface Row {
  readonly id: number;
  /** A stream's name, or who takes part. */
  readonly place: StreamName | ReadonlySet<Name>;
  readonly sender: Name;
  readonly topic: string;
  readonly content: string;
  readonly receipts: Map<Name, { read: boolean }>;
  readonly starred: Set<Name>;
  readonly mentioned: Set<Name>;
  reacted: boolean;
}

/** All that was ever said, and who may find it: one row after the other is looked at. */
class Model {
  readonly rows: Row[] = [];
  readonly inside = new Map<StreamName, Set<Name>>(streamNames.map((name) => [name, new Set(streams[name].members)]));
  readonly muted = new Map<Name, Set<StreamName>>(members.map((name) => [name, new Set()]));

  isIn(member: Name, place: Row['place']): boolean {
    return typeof place === 'string' ? (this.inside.get(place)?.has(member) ?? false) : place.has(member);
  }

  mayEnter(member: Name, stream: StreamName): boolean {
    return this.isIn(member, stream) || (streams[stream].isPublic && eg.emailOf(member) !== guest);
  }

  mayRead(member: Name, { place, receipts }: Row): boolean {
    if (typeof place !== 'string') return place.has(member);
    return this.mayEnter(member, place) && (streams[place].shared || receipts.has(member));
  }

  isMuted(member: Name, { place }: Row): boolean {
    return typeof place === 'string' && this.isIn(member, place) && (this.muted.get(member)?.has(place) ?? false);
  }
}

/** A term, and what it says of a row. */
interface Term {
  readonly operator: string;
  readonly operand: string | number | number[];
  readonly negated: boolean;
  readonly holds: (row: Row) => boolean;
}

const key = (topic: string): string => topic.toLowerCase();
const participants = ({ place }: Row): ReadonlySet<Name> | undefined => (typeof place === 'string' ? undefined : place);

function randomTerm(random: Random, model: Model, member: Name, server: eg.Server): Omit<Term, 'negated'> {
  const stream = random.pick(streamNames.filter((name) => model.mayEnter(member, name)));
  const topic = random.pick(topics);
  const other = random.pick(members);
  const named = new Set([member, ...random.some(members, 0.3)]);
  const readable = model.rows.filter((row) => model.mayRead(member, row));
  const row = random.pick(random.chance(0.9) ? readable : model.rows);
  const target = random.pick(readable);
  const receipt = (one: Row) => one.receipts.get(member);
  const is = (operand: string, holds: Term['holds']) => ({ operator: 'is', operand, holds });
  const has = (operand: string, holds: Term['holds']) => ({ operator: 'has', operand, holds });
  const choices: readonly Omit<Term, 'negated'>[] = [
    { operator: 'stream', operand: stream, holds: ({ place }) => place === stream },
    { operator: 'channel', operand: server.stream(stream), holds: ({ place }) => place === stream },
    {
      operator: 'streams',
      operand: 'public',
      holds: ({ place }) => typeof place === 'string' && streams[place].isPublic,
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
      holds: ({ place, topic: under }) =>
        key(under) === key(target.topic) &&
        (place === target.place || (typeof place !== 'string' && participants(target)?.symmetricDifference(place).size === 0)),
    },
  ];
  return random.pick(choices);
}

const byPlace = ['stream', 'channel', 'topic', 'dm'];
const scoping = ['stream', 'channel', 'streams', 'dm', 'with'];

/** Every row that a member finds by these terms. */
function naively(model: Model, member: Name, asked: readonly Term[]): Row[] {
  const positive = (operators: readonly string[]) =>
    asked.some(({ operator, negated }) => !negated && operators.includes(operator));
  const terms = asked.filter(({ operator, negated }) => negated || !positive(['with']) || !byPlace.includes(operator));
  const starred = terms.some(({ operand, negated }) => operand === 'starred' && !negated);
  return model.rows.filter((row) => {
    const isReceived = model.isIn(member, row.place) && row.receipts.has(member);
    const inScope = positive(scoping) || starred ? model.mayRead(member, row) : isReceived;
    return inScope && terms.every(({ holds, negated }) => holds(row) !== negated);
  });
}

const mute = statement<{ user_id: number; conversation_id: number; is_muted: number }>()((query, value) =>
  query
    .updateTable('membership')
    .set({ is_muted: value.is_muted })
    .where('user_id', '=', value.user_id)
    .where('conversation_id', '=', value.conversation_id)
    .where('ended_event', 'is', null),
);

/** One thing that happens, on the server and in the model. */
async function happen(random: Random, server: eg.Server, model: Model): Promise<void> {
  const member = random.pick(members);
  const client = eg.signIn(server, member);
  const entered = streamNames.filter((name) => model.isIn(member, name));
  const readable = model.rows.filter((row) => model.mayRead(member, row));
  const dice = random.below(100);
  if (dice < 62 || readable.length === 0) return speak(random, server, model, member);
  const some = random.some(readable, 0.3).slice(-8);
  const ids = some.map(({ id }) => id);
  if (dice < 72) {
    await client.ok(updateMessageFlags, { messages: ids, op: 'add', flag: 'starred' });
    for (const row of some) row.starred.add(member);
  } else if (dice < 82) {
    const received = some.filter((row) => model.isIn(member, row.place) && row.receipts.has(member));
    await client.ok(updateMessageFlags, { messages: received.map(({ id }) => id), op: 'add', flag: 'read' });
    for (const row of received) row.receipts.set(member, { read: true });
  } else if (dice < 88) {
    const row = random.pick(readable);
    if (!row.reacted) await client.ok(addReaction, { message_id: row.id, emoji_name: 'tada' });
    row.reacted = true;
  } else if (dice < 92 && entered.length > 0) {
    const stream = random.pick(entered);
    const muted = model.muted.get(member)?.symmetricDifference(new Set([stream])) ?? new Set();
    model.muted.set(member, muted);
    const { database } = fileOf(server);
    const values = { user_id: server.user(member), conversation_id: server.stream(stream) };
    await database.write((tx) => void tx.run(mute, { ...values, is_muted: muted.has(stream) ? 1 : 0 }));
    database.close();
  } else await moveInOrOut(random, server, model, member);
}

async function speak(random: Random, server: eg.Server, model: Model, sender: Name): Promise<void> {
  const entered = streamNames.filter((name) => model.isIn(sender, name));
  const client = eg.signIn(server, sender);
  const content = random.pick(contents);
  const readBySender = random.chance(0.8);
  const sending = { content, read_by_sender: readBySender };
  const isDirect = entered.length === 0 || random.chance(0.3);
  const place = isDirect ? new Set([sender, ...random.some(members, 0.3)]) : random.pick(entered);
  const topic = typeof place === 'string' ? random.pick(topics.slice(1)) : '';
  const to = typeof place === 'string' ? place : JSON.stringify([...place].map(server.user));
  const type = typeof place === 'string' ? 'stream' : 'direct';
  const { id } = await client.ok(sendMessage, { ...sending, type, to, topic });
  const receivers = typeof place === 'string' ? (model.inside.get(place) ?? new Set()) : place;
  const row: Row = {
    id,
    place,
    sender,
    topic,
    content,
    receipts: new Map([...receivers].map((name) => [name, { read: readBySender && name === sender }])),
    starred: new Set(),
    mentioned: new Set(),
    reacted: false,
  };
  if (content === '@**佐藤 花子**' && model.mayRead('sato', row)) row.mentioned.add('sato');
  model.rows.push(row);
}

async function moveInOrOut(random: Random, server: eg.Server, model: Model, member: Name): Promise<void> {
  const stream = random.pick(streamNames);
  const inside = model.inside.get(stream) ?? new Set();
  if (!inside.has(member)) {
    await joins(server, member, stream);
    inside.add(member);
    model.muted.get(member)?.delete(stream);
  } else if (inside.size > 1) {
    await leaves(server, member, stream);
    for (const row of model.rows) {
      if (row.place === stream && row.receipts.has(member)) row.receipts.set(member, { read: true });
    }
    inside.delete(member);
  }
}

it.each([1, 2, 3])('[R6.1] a random narrow finds in a random history what one finds row by row: %i', async (seed) => {
  const random = seeded(seed);
  const server = await eg.server({ organisation });
  const model = new Model();
  for (let step = 0; step < 160; step += 1) await happen(random, server, model);

  let hits = 0;
  for (let question = 0; question < 300; question += 1) {
    const member = random.pick(members);
    const terms = Array.from({ length: 1 + random.below(3) }, () => ({
      ...randomTerm(random, model, member, server),
      negated: random.chance(0.35),
    }));
    const rows = naively(model, member, terms);
    const anchors = ['newest', 'oldest', 'first_unread', String(random.pick(model.rows).id)] as const;
    const asked = {
      anchor: random.pick(anchors),
      num_before: random.below(12),
      num_after: random.below(12),
      narrow: terms.map(({ operator, operand, negated }) => ({ operator, operand, negated })),
    };
    const { messages, ...answer } = await eg.signIn(server, member).ok(getMessages, asked);
    const anchor = anchorOf(asked.anchor, firstUnread(model, member, terms, rows));
    const expected = around(
      rows.map(({ id }) => id),
      { ...asked, anchor, include_anchor: true },
    );
    expect({ ...answer, ids: messages.map(({ id }) => id) }, `${member} ${JSON.stringify(asked)}`).toEqual(expected);
    hits += expected.ids.length;
  }
  // Questions that find nothing would prove nothing.
  expect(hits).toBeGreaterThan(500);
});

function firstUnread(model: Model, member: Name, terms: readonly Term[], rows: readonly Row[]): number | undefined {
  const named = terms.some(({ operator, negated }) => ['stream', 'channel', 'with'].includes(operator) && !negated);
  return rows.find((row) => row.receipts.get(member)?.read === false && (named || !model.isMuted(member, row)))?.id;
}

function anchorOf(anchor: string, firstUnreadId: number | undefined): number {
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  return anchor === 'first_unread' ? (firstUnreadId ?? newestAnchor) : Number(anchor);
}
