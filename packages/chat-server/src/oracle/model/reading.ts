import type { WritableFlag } from '@engawa/protocol';
import { copyOf, isIn, mayRead, readableMessage } from './access.ts';
import { type Copy, type Marked, type Message, type Model, type Stream, type User, ascending } from './model.ts';
import { callsAll, sameTopic } from './words.ts';

export interface Marking {
  readonly op: 'add' | 'remove';
  readonly flag: WritableFlag;
  readonly ids: readonly number[];
}

export function mark(model: Model, user: User, { op, flag, ids: asked }: Marking): string | undefined {
  const ids = ascending(new Set(asked));
  const theirs = ids.flatMap((id) => readableMessage(model, user, id) ?? []);
  if (flag !== 'read' && theirs.length < ids.length) return 'Invalid message(s)';
  const becomeUnread = flag === 'read' && op === 'remove';
  const changing = becomeUnread ? theirs.filter(({ place }) => isIn(place, user)) : theirs;
  const changed = changing.filter((message) => change(copyOf(message, user), op, flag));
  // Told also where nothing has changed.
  const messages = changed.map((each) => marked(each, user));
  model.tell([user.id], { type: 'update_message_flags', op, flag, messages });
  return undefined;
}

export interface Receipts {
  readonly user_ids: readonly number[];
  readonly unread_user_ids: readonly number[];
  readonly withheld_user_ids: readonly number[];
}

/** Why a member is not shown who has read their message, or another's. */
export function refusesReceipts(model: Model, user: User, id: number): string | undefined {
  const message = readableMessage(model, user, id);
  if (!message) return 'Invalid message(s)';
  if (model.receiptsShown === 'none') return 'Read receipts are disabled in this organization.';
  if (!user.sendsReceipts) return notShown;
  if (model.receiptsShown === 'all' || message.sender === user.id) return undefined;
  return 'Read receipts are shown to the author of a message only.';
}

const notShown = 'Read receipts are shown to those who send them.';

/** How those stand to a message who are there, and to whom it was sent. */
export function receiptsOf(model: Model, message: Message): Receipts {
  const others = model.activeUsers.filter((user) => user.id !== message.sender && isReceived(message, user));
  const [open, withheld] = [others.filter((user) => user.sendsReceipts), others.filter((user) => !user.sendsReceipts)];
  return {
    user_ids: idsOf(open.filter((user) => !isUnread(message, user))),
    unread_user_ids: idsOf(open.filter((user) => isUnread(message, user))),
    withheld_user_ids: idsOf(withheld),
  };
}

const idsOf = (users: readonly User[]): number[] => ascending(users.map(({ id }) => id));

/** Who leaves has read what they received. */
export function readAllAt(model: Model, user: User, stream: Stream): void {
  const left = unread(model, user).filter((message) => message.place === stream);
  for (const message of left) copyOf(message, user).marks.add('read');
  if (left.length === 0) return;
  const messages = left.map((each) => marked(each, user));
  model.tell([user.id], { type: 'update_message_flags', op: 'add', flag: 'read', messages });
}

function marked(message: Message, user: User): Marked {
  return { id: message.id, place: message.place, topic: message.topic, isMention: isMention(message, user) };
}

/** What is history is read, and cannot become unread. */
function change({ received, marks }: Copy, op: Marking['op'], flag: WritableFlag): boolean {
  if (flag === 'read' && !received) return false;
  if (marks.has(flag) === (op === 'add')) return false;
  if (op === 'add') marks.add(flag);
  else marks.delete(flag);
  return true;
}

/** The streams whose messages a member wants to have unread though they are not in them. */
export function ignoredStreams(model: Model, user: User, { op, flag, ids }: Marking): number[] {
  if (flag !== 'read' || op === 'add') return [];
  const places = new Set(ids.flatMap((id) => readableMessage(model, user, id)?.place ?? []));
  return ascending([...places].flatMap((each) => (each.kind === 'stream' && !isIn(each, user) ? [each.id] : [])));
}

/** All that a member may read. */
export function readable(model: Model, user: User): Message[] {
  return inOrder(model).filter((message) => mayRead(user, message));
}

/** What was sent to a member, where they still are. */
export function received(model: Model, user: User): Message[] {
  return readable(model, user).filter((message) => isReceived(message, user));
}

function isReceived(message: Message, user: User): boolean {
  return copyOf(message, user).received && isIn(message.place, user);
}

/** The newest that was sent to them where they still are, also when it is gone; -1 when there is none. */
export function newestReceived(model: Model, user: User): number {
  return inOrder(model).findLast((message) => isReceived(message, user))?.id ?? -1;
}

/** The topics of what a member may read in a stream, the one with the newest message first, as that has it. */
export function topicsOf(model: Model, user: User, stream: number): { name: string; max_id: number }[] {
  const there = readable(model, user).filter(({ place }) => place.kind === 'stream' && place.id === stream);
  const newest = there.filter(({ id, topic }) => !there.some((each) => each.id > id && sameTopic(each.topic, topic)));
  return newest.map(({ topic, id }) => ({ name: topic, max_id: id })).toReversed();
}

export function unread(model: Model, user: User): Message[] {
  return received(model, user).filter((message) => isUnread(message, user));
}

export function isUnread(message: Message, user: User): boolean {
  const { received, marks } = copyOf(message, user);
  return received && !marks.has('read');
}

export function starred(model: Model, user: User): Message[] {
  return readable(model, user).filter((message) => copyOf(message, user).marks.has('starred'));
}

/** Whether it calls the member, by name or with all who were there. */
export function isMention(message: Message, user: User): boolean {
  const { received, marks } = copyOf(message, user);
  return marks.has('mentioned') || (received && callsAll(message.content));
}

/** Sorted. */
export function flags(message: Message, user: User): string[] {
  const { received, marks } = copyOf(message, user);
  const isCalledWithAll = received && callsAll(message.content);
  const all = new Set<string>(marks);
  if (!received) all.add('historical').add('read');
  if (isCalledWithAll) all.add('wildcard_mentioned').add('stream_wildcard_mentioned');
  return [...all].toSorted();
}

function inOrder({ messages }: Model): Message[] {
  return [...messages.values()].toSorted((one, other) => one.id - other.id);
}
