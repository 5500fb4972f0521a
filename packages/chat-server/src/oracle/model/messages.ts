import { type Reaction, editGraceSeconds, roles } from '@engawa/protocol';
import { audience, copyOf, isAdministrator, isIn, mayRead, readableMessage, sees } from './access.ts';
import {
  type Copy,
  type Direct,
  type Edit,
  type Message,
  type Model,
  type Place,
  type Stream,
  type User,
  ascending,
} from './model.ts';
import { bringBack } from './streams.ts';
import { calls, callsAll, holdsWord, sameTopic } from './words.ts';

/** Where a message is to go: to a stream by its id, or to users beside the sender. */
export type Destination = { readonly stream: number } | { readonly users: readonly number[] };

export function refusesSending(model: Model, sender: User, to: Destination): string | undefined {
  if (!sender.isActive) return 'Account is deactivated';
  if ('users' in to) {
    if (to.users.length === 0) return 'Message must have recipients';
    const gone = to.users.map((id) => model.user(id)).find(({ isActive }) => !isActive);
    return gone && `'${gone.email}' is no longer using Zulip.`;
  }
  const stream = model.streams.get(to.stream);
  return stream && sees(sender, stream) ? undefined : `Stream with ID '${to.stream}' does not exist`;
}

interface Sent extends Pick<Message, 'id' | 'topic' | 'content' | 'local'> {
  readonly to: Destination;
  readonly readBySender: boolean;
}

export function send(model: Model, sender: User, { to, readBySender, topic, ...sent }: Sent): void {
  const place = placeOf(model, sender, to);
  const copies = new Map([...model.users].map(([id, user]) => [id, newCopy(place, user)]));
  const message: Message = {
    ...sent,
    place,
    sender: sender.id,
    topic: place.kind === 'direct' ? '' : topic,
    timestamp: model.now,
    isDeleted: false,
    editedAt: undefined,
    movedAt: undefined,
    edits: [],
    reactions: [],
    copies,
  };
  if (readBySender) copyOf(message, sender).marks.add('read');
  model.messages.set(message.id, message);
  markByContent(model, message);
  bringBack(model, place, sender.id, isCalledBy(message, message.content));
  const receivers = [...model.users.values()].filter((user) => isIn(place, user)).map(({ id }) => id);
  model.tell(receivers, { type: 'message', message, isWide: false });
  const others = audience(model, place).filter((id) => !receivers.includes(id));
  model.tell(others, { type: 'message', message, isWide: true });
}

/** By name, who may read it and is there; with all, everybody in its place. */
const isCalledBy =
  (message: Message, content: string) =>
  (user: User): boolean =>
    callsAll(content) || (user.isActive && mayRead(user, message) && calls(content, user));

function newCopy(place: Place, user: User): Copy {
  return { received: user.isActive && isIn(place, user), marks: new Set() };
}

function placeOf(model: Model, sender: User, to: Destination): Place {
  if ('users' in to) return directOf(model, [sender.id, ...to.users]);
  const stream = model.streams.get(to.stream);
  if (!stream) throw new TypeError('a message is sent to a stream that is there');
  return stream;
}

function directOf({ directs }: Model, users: readonly number[]): Direct {
  const participants = ascending(new Set(users));
  const direct = directs.get(participants.join()) ?? { kind: 'direct', participants };
  directs.set(participants.join(), direct);
  return direct;
}

/** Whom it calls among those who may read it, and whose words stand in it among those who are there. */
function markByContent({ users }: Model, message: Message): void {
  for (const user of users.values()) {
    const { marks } = copyOf(message, user);
    marks.delete('mentioned');
    marks.delete('has_alert_word');
    if (!user.isActive) continue;
    if (mayRead(user, message) && calls(message.content, user)) marks.add('mentioned');
    const isAlerted = user.alertWords.some((word) => holdsWord(message.content, word));
    if (isAlerted && isIn(message.place, user)) marks.add('has_alert_word');
  }
}

export interface Editing {
  readonly id: number;
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly mode: 'change_one' | 'change_later' | 'change_all';
}

const notPermitted = "You don't have permission to edit this message";

export function edit(model: Model, user: User, asked: Editing): string | undefined {
  const message = readableMessage(model, user, asked.id);
  if (!message) return 'Invalid message(s)';
  const topic = asked.topic === message.topic ? undefined : asked.topic;
  const wish = { ...asked, topic };
  const refusal = refusesForm(message, wish) ?? refusesEditing(model, user, message, wish);
  if (refusal !== undefined) return refusal;

  const together = topic === undefined ? [message] : underSameTopic(model, user, message, asked.mode);
  if (user.role === roles.guest && topic !== undefined && together.some(({ sender }) => sender !== user.id)) {
    return notPermitted;
  }
  const tooOld = asked.mode === 'change_all' ? refusesMoving(model, user, together) : undefined;
  if (tooOld !== undefined) return tooOld;
  const content = asked.content?.trim() === '' ? '(deleted)' : asked.content;
  change(model, user, message, together, { content: content === message.content ? undefined : content, topic, asked });
  return undefined;
}

function refusesForm({ place }: Message, { content, topic, mode }: Editing): string | undefined {
  if (content === undefined && topic === undefined) return 'Nothing to change';
  if (place.kind === 'direct' && topic !== undefined) return 'Direct messages cannot have topics.';
  if (mode !== 'change_one' && topic === undefined) return 'Invalid propagate_mode without topic edit';
  return undefined;
}

function refusesEditing(model: Model, user: User, message: Message, { content, topic }: Editing): string | undefined {
  const isOwn = message.sender === user.id;
  if (content !== undefined && !isOwn) return notPermitted;
  if (content !== undefined && isOlder(model, message, model.limits.content + editGraceSeconds)) {
    return 'The time limit for editing this message has passed';
  }
  if (topic !== undefined && !isOwn && user.role === roles.guest) return notPermitted;
  if (topic !== undefined && movesOnlyTheNew(user) && isOlder(model, message, model.limits.topic)) {
    return "The time limit for editing this message's topic has passed.";
  }
  return undefined;
}

function refusesMoving(model: Model, user: User, together: readonly Message[]): string | undefined {
  const young = together.filter((each) => !isOlder(model, each, model.limits.topic));
  if (!movesOnlyTheNew(user) || young.length === together.length) return undefined;
  const share = `${young.length}/${together.length}`;
  return `You only have permission to move the ${share} most recent messages in this topic.`;
}

const movesOnlyTheNew = ({ role }: User): boolean => role > roles.moderator;
const isOlder = ({ now }: Model, { timestamp }: Message, seconds: number): boolean => now - timestamp > seconds;

function underSameTopic(model: Model, user: User, message: Message, mode: Editing['mode']): Message[] {
  if (mode === 'change_one') return [message];
  return [...model.messages.values()]
    .filter((each) => each.place === message.place && sameTopic(each.topic, message.topic) && mayRead(user, each))
    .filter(({ id }) => mode === 'change_all' || id >= message.id)
    .toSorted((one, other) => one.id - other.id);
}

interface Change {
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly asked: Editing;
}

function change(
  model: Model,
  user: User,
  message: Message,
  together: readonly Message[],
  { content, topic, asked: { mode } }: Change,
): void {
  if (content === undefined && topic === undefined) return;
  const [by, at] = [user.id, model.now];
  const messages = topic === undefined ? [message] : together.filter((each) => each.topic !== topic);
  const editOf = (each: Message): Edit => ({
    by,
    at,
    contentBefore: each === message && content !== undefined ? each.content : undefined,
    topic: topic === undefined ? undefined : { before: each.topic, after: topic },
  });
  if (content !== undefined) {
    const [before, now] = [isCalledBy(message, message.content), isCalledBy(message, content)];
    const isNewly = (each: User) => (callsAll(content) ? !callsAll(message.content) : now(each) && !before(each));
    bringBack(model, message.place, by, isNewly);
  }
  model.tell(audience(model, message.place), {
    type: 'update_message',
    correction: { ...editOf(message), message, mode, messages },
  });
  for (const each of messages) {
    each.edits = [editOf(each), ...each.edits];
    each.topic = topic ?? each.topic;
    each.movedAt = topic === undefined ? each.movedAt : at;
  }
  if (content === undefined) return;
  message.content = content;
  message.editedAt = at;
  markByContent(model, message);
}

export function erase(model: Model, user: User, id: number): string | undefined {
  const message = readableMessage(model, user, id);
  if (!message) return 'Invalid message(s)';
  const { place, topic } = message;
  if (!isAdministrator(user)) {
    if (message.sender !== user.id) return "You don't have permission to delete this message";
    if (isOlder(model, message, model.limits.deletion)) return 'The time limit for deleting this message has passed';
  }
  const first = place.kind === 'stream' ? firstMessage(model, place) : null;
  message.isDeleted = true;
  model.tell(audience(model, place), { type: 'delete_message', message, topic });
  if (place.kind === 'stream' && first === id) {
    const next = firstMessage(model, place);
    model.tell(audience(model, place), { type: 'stream', op: 'update', stream: place, firstMessage: next });
  }
  return undefined;
}

/** The oldest of a stream that is not gone. Where history is not shared nobody is to learn that there was something. */
export function firstMessage({ messages }: Model, stream: Stream): number | null {
  if (!stream.isShared) return null;
  const left = [...messages.values()].filter(({ place, isDeleted }) => place === stream && !isDeleted);
  return ascending(left.map(({ id }) => id))[0] ?? null;
}

export interface Reacting {
  readonly op: 'add' | 'remove';
  readonly id: number;
  readonly emoji: Omit<Reaction, 'user_id'>;
}

export function react(model: Model, user: User, { op, id, emoji }: Reacting): string | undefined {
  const message = readableMessage(model, user, id);
  if (!message) return 'Invalid message(s)';
  const reaction = { ...emoji, user_id: user.id };
  const isOwn = (each: Reaction) => each.user_id === user.id && each.emoji_code === emoji.emoji_code;
  const isThere = message.reactions.some(isOwn);
  if (op === 'add' && isThere) return 'Reaction already exists.';
  if (op === 'remove' && !isThere) return "Reaction doesn't exist.";
  const others = message.reactions.filter((each) => !isOwn(each));
  message.reactions = op === 'add' ? [...others, reaction] : others;
  model.tell(audience(model, message.place), { type: 'reaction', op, message, reaction });
  return undefined;
}
