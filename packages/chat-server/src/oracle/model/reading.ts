import type { WritableFlag } from '@engawa/protocol';
import { copyOf, isIn, mayRead, readableMessage } from './access.ts';
import { type Copy, type FlaggedMessage, type Message, type Model, type Stream, type User, ascending } from './model.ts';
import { mentionsAll, sameTopic } from './text.ts';

export interface FlagChange {
  readonly op: 'add' | 'remove';
  readonly flag: WritableFlag;
  readonly ids: readonly number[];
}

export function changeFlags(model: Model, user: User, { op, flag, ids: requested }: FlagChange): string | undefined {
  const ids = ascending(new Set(requested));
  const readableOnes = ids.flatMap((id) => readableMessage(model, user, id) ?? []);
  if (flag !== 'read' && readableOnes.length < ids.length) return 'Invalid message(s)';
  const becomeUnread = flag === 'read' && op === 'remove';
  const changing = becomeUnread ? readableOnes.filter(({ place }) => isIn(place, user)) : readableOnes;
  const changed = changing.filter((message) => change(copyOf(message, user), op, flag));
  // Like the server, the model publishes the event even if no flag has changed, but not for a call without messages.
  const messages = changed.map((each) => flaggedMessage(each, user));
  if (ids.length > 0) model.publish([user.id], { type: 'update_message_flags', op, flag, messages });
  return undefined;
}

export interface Receipts {
  readonly user_ids: readonly number[];
  readonly unread_user_ids: readonly number[];
  readonly withheld_user_ids: readonly number[];
}

/** The error message if the user may not see who has read the message. */
export function receiptsRefusal(model: Model, user: User, id: number): string | undefined {
  const message = readableMessage(model, user, id);
  if (!message) return 'Invalid message(s)';
  if (model.receiptAudience === 'none') return 'Read receipts are disabled in this organization.';
  if (!user.sendsReceipts) return notShown;
  if (model.receiptAudience === 'all' || message.sender === user.id) return undefined;
  return 'Read receipts are shown to the author of a message only.';
}

const notShown = 'Read receipts are shown to those who send them.';

/** Counts only active users who received the message and still subscribe. */
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

/** Messages of a stream become read when the user leaves it. */
export function markAllRead(model: Model, user: User, stream: Stream): void {
  const left = unread(model, user).filter((message) => message.place === stream);
  for (const message of left) copyOf(message, user).marks.add('read');
  if (left.length === 0) return;
  const messages = left.map((each) => flaggedMessage(each, user));
  model.publish([user.id], { type: 'update_message_flags', op: 'add', flag: 'read', messages });
}

function flaggedMessage(message: Message, user: User): FlaggedMessage {
  return { id: message.id, place: message.place, topic: message.topic, isMention: isMention(message, user) };
}

/** Historical messages are read and cannot become unread. */
function change({ received, marks }: Copy, op: FlagChange['op'], flag: WritableFlag): boolean {
  if (flag === 'read' && !received) return false;
  if (marks.has(flag) === (op === 'add')) return false;
  if (op === 'add') marks.add(flag);
  else marks.delete(flag);
  return true;
}

/** The streams that the user has left, whose messages therefore cannot become unread. */
export function ignoredStreams(model: Model, user: User, { op, flag, ids }: FlagChange): number[] {
  if (flag !== 'read' || op === 'add') return [];
  const keys = new Set(ids.flatMap((id) => readableMessage(model, user, id)?.place ?? []));
  return ascending([...keys].flatMap((each) => (each.kind === 'stream' && !isIn(each, user) ? [each.id] : [])));
}

export function readable(model: Model, user: User): Message[] {
  return inOrder(model).filter((message) => mayRead(user, message));
}

/** Messages that were sent to the user in conversations to which they still belong. */
export function received(model: Model, user: User): Message[] {
  return readable(model, user).filter((message) => isReceived(message, user));
}

function isReceived(message: Message, user: User): boolean {
  return copyOf(message, user).received && isIn(message.place, user);
}

/** The id of the newest message, even a deleted one. -1 if there is none. */
export function newestReceived(model: Model, user: User): number {
  return inOrder(model).findLast((message) => isReceived(message, user))?.id ?? -1;
}

/** Topics in the spelling of their newest message, newest first. */
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

export function isMention(message: Message, user: User): boolean {
  const { received, marks } = copyOf(message, user);
  return marks.has('mentioned') || (received && mentionsAll(message.content));
}

export function flags(message: Message, user: User): string[] {
  const { received, marks } = copyOf(message, user);
  const isMentionedByAll = received && mentionsAll(message.content);
  const all = new Set<string>(marks);
  if (!received) all.add('historical').add('read');
  if (isMentionedByAll) all.add('wildcard_mentioned').add('stream_wildcard_mentioned');
  return [...all].toSorted();
}

function inOrder({ messages }: Model): Message[] {
  return [...messages.values()].toSorted((one, other) => one.id - other.id);
}
