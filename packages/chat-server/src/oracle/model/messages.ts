import { type Reaction, editGraceSeconds, roles } from '@engawa/protocol';
import { audience, copyOf, isAdministrator, isIn, mayRead, readableMessage, canSee, seesUser } from './access.ts';
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
import { publishSight } from './sight.ts';
import { returnToLists } from './streams.ts';
import { mentionsUser, mentionsAll, containsWord, sameTopic } from './text.ts';

/** A stream, or the users besides the sender. */
export type Destination = { readonly stream: number } | { readonly users: readonly number[] };

export function sendRefusal(model: Model, sender: User, to: Destination): string | undefined {
  if (!sender.isActive) return 'Account is deactivated';
  if ('users' in to) {
    if (to.users.length === 0) return 'Message must have recipients';
    const recipients = to.users.map((id) => model.user(id));
    const refused = recipients.find(({ id, isActive }) => !seesUser(model, sender, id) || !isActive);
    if (!refused) return undefined;
    const { id, email } = refused;
    return seesUser(model, sender, id) ? `'${email}' is no longer using Zulip.` : `Invalid user ID ${id}`;
  }
  const stream = model.streams.get(to.stream);
  return stream && canSee(sender, stream) ? undefined : `Stream with ID '${to.stream}' does not exist`;
}

interface Sent extends Pick<Message, 'id' | 'topic' | 'content' | 'local'> {
  readonly to: Destination;
  readonly readBySender: boolean;
}

export function send(model: Model, sender: User, { to, readBySender, topic, ...sent }: Sent): void {
  const place = placeOf(model, sender, to);
  const message = newMessage(model, place, sender, { ...sent, topic: place.kind === 'direct' ? '' : topic, isNotice: false });
  if (readBySender) copyOf(message, sender).marks.add('read');
  markByContent(model, message);
  returnToLists(model, place, sender.id, mentionedBy(model, message, message.content));
  publishMessage(model, message);
}

/** The server's message about a new stream, unread for all but its creator, or about new subscribers, unread for these. */
export function announce(model: Model, by: User, stream: Stream, isNew: boolean, newcomers: readonly number[]): void {
  const added = newcomers.filter((id) => id !== by.id);
  if (!isNew && added.length === 0) return;
  const names = ascending(added.slice(0, 3)).map((id) => `@_**${model.user(id).name}|${id}**さん`);
  const more = added.length > 3 ? `ほか ${added.length - 3} 人` : '';
  const message = newMessage(model, stream, by, {
    // The ids of messages have no gaps.
    id: model.messages.size + 1,
    topic: 'stream events',
    content: isNew ? 'グループを作りました。' : `${names.join('、')}${more}を追加しました。`,
    local: undefined,
    isNotice: true,
  });
  for (const [id, { received, marks }] of message.copies) {
    if (received && (isNew ? id === by.id : !added.includes(id))) marks.add('read');
  }
  publishMessage(model, message);
}

function newMessage(
  model: Model,
  place: Place,
  sender: User,
  written: Pick<Message, 'id' | 'topic' | 'content' | 'local' | 'isNotice'>,
): Message {
  const message: Message = {
    ...written,
    place,
    sender: sender.id,
    timestamp: model.now,
    isDeleted: false,
    editedAt: undefined,
    movedAt: undefined,
    edits: [],
    reactions: [],
    copies: new Map([...model.users].map(([id, user]) => [id, newCopy(place, user)])),
  };
  model.messages.set(message.id, message);
  return message;
}

function publishMessage(model: Model, message: Message): void {
  const { place } = message;
  const receivers = [...model.users.values()].filter((user) => isIn(place, user)).map(({ id }) => id);
  model.publish(receivers, { type: 'message', message, isWide: false });
  const others = audience(model, place).filter((id) => !receivers.includes(id));
  model.publish(others, { type: 'message', message, isWide: true });
}

/** Whether the content mentions the user by name, or everyone. */
const mentionedBy =
  (model: Model, message: Message, content: string) =>
  (user: User): boolean =>
    mentionsAll(content) || (user.isActive && namesUser(model, message, content, user));

/** A guest cannot name a user whom they do not see. */
const namesUser = (model: Model, message: Message, content: string, user: User): boolean =>
  mayRead(user, message) && mentionsUser(content, user) && seesUser(model, model.user(message.sender), user.id);

function newCopy(place: Place, user: User): Copy {
  return { received: user.isActive && isIn(place, user), marks: new Set() };
}

function placeOf(model: Model, sender: User, to: Destination): Place {
  if ('users' in to) return directOf(model, [sender.id, ...to.users]);
  const stream = model.streams.get(to.stream);
  if (!stream) throw new TypeError('a message is sent to a stream that is there');
  return stream;
}

function directOf(model: Model, users: readonly number[]): Direct {
  const participants = ascending(new Set(users));
  const known = model.directs.get(participants.join());
  if (known) return known;
  publishSight(model, 'add', [], participants);
  const direct: Direct = { kind: 'direct', participants };
  model.directs.set(participants.join(), direct);
  return direct;
}

/** Sets the flags `mentioned` and `has_alert_word` for the users who can have them. */
function markByContent(model: Model, message: Message): void {
  for (const user of model.users.values()) {
    const { marks } = copyOf(message, user);
    marks.delete('mentioned');
    marks.delete('has_alert_word');
    if (!user.isActive) continue;
    if (namesUser(model, message, message.content, user)) marks.add('mentioned');
    const isAlerted = user.alertWords.some((word) => containsWord(message.content, word));
    if (isAlerted && isIn(message.place, user)) marks.add('has_alert_word');
  }
}

export interface EditRequest {
  readonly id: number;
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly mode: 'change_one' | 'change_later' | 'change_all';
}

const notPermitted = "You don't have permission to edit this message";

export function edit(model: Model, user: User, request: EditRequest): string | undefined {
  const message = readableMessage(model, user, request.id);
  if (!message) return 'Invalid message(s)';
  const topic = request.topic === message.topic ? undefined : request.topic;
  const wanted = { ...request, topic };
  const refusal = formRefusal(message, wanted) ?? editRefusal(model, user, message, wanted);
  if (refusal !== undefined) return refusal;

  const sameTopicMessages = topic === undefined ? [message] : underSameTopic(model, user, message, request.mode);
  if (user.role === roles.guest && topic !== undefined && sameTopicMessages.some(({ sender }) => sender !== user.id)) {
    return notPermitted;
  }
  const tooOld = request.mode === 'change_all' ? moveRefusal(model, user, sameTopicMessages) : undefined;
  if (tooOld !== undefined) return tooOld;
  const content = request.content?.trim() === '' ? '(deleted)' : request.content;
  change(model, user, message, sameTopicMessages, { content: content === message.content ? undefined : content, topic, request });
  return undefined;
}

function formRefusal({ place }: Message, { content, topic, mode }: EditRequest): string | undefined {
  if (content === undefined && topic === undefined) return 'Nothing to change';
  if (place.kind === 'direct' && topic !== undefined) return 'Direct messages cannot have topics.';
  if (mode !== 'change_one' && topic === undefined) return 'Invalid propagate_mode without topic edit';
  return undefined;
}

function editRefusal(model: Model, user: User, message: Message, { content, topic }: EditRequest): string | undefined {
  const isOwn = message.sender === user.id;
  if (content !== undefined && (!isOwn || message.isNotice)) return notPermitted;
  if (content !== undefined && isOlder(model, message, model.limits.content + editGraceSeconds)) {
    return 'The time limit for editing this message has passed';
  }
  if (topic !== undefined && !isOwn && user.role === roles.guest) return notPermitted;
  if (topic !== undefined && movesOnlyTheNew(user) && isOlder(model, message, model.limits.topic)) {
    return "The time limit for editing this message's topic has passed.";
  }
  return undefined;
}

function moveRefusal(model: Model, user: User, sameTopicMessages: readonly Message[]): string | undefined {
  const young = sameTopicMessages.filter((each) => !isOlder(model, each, model.limits.topic));
  if (!movesOnlyTheNew(user) || young.length === sameTopicMessages.length) return undefined;
  const share = `${young.length}/${sameTopicMessages.length}`;
  return `You only have permission to move the ${share} most recent messages in this topic.`;
}

const movesOnlyTheNew = ({ role }: User): boolean => role > roles.moderator;
const isOlder = ({ now }: Model, { timestamp }: Message, seconds: number): boolean => now - timestamp > seconds;

function underSameTopic(model: Model, user: User, message: Message, mode: EditRequest['mode']): Message[] {
  if (mode === 'change_one') return [message];
  return [...model.messages.values()]
    .filter((each) => each.place === message.place && sameTopic(each.topic, message.topic) && mayRead(user, each))
    .filter(({ id }) => mode === 'change_all' || id >= message.id)
    .toSorted((one, other) => one.id - other.id);
}

interface Change {
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly request: EditRequest;
}

function change(
  model: Model,
  user: User,
  message: Message,
  sameTopicMessages: readonly Message[],
  { content, topic, request: { mode } }: Change,
): void {
  if (content === undefined && topic === undefined) return;
  const [by, at] = [user.id, model.now];
  const messages = topic === undefined ? [message] : sameTopicMessages.filter((each) => each.topic !== topic);
  const editOf = (each: Message): Edit => ({
    by,
    at,
    contentBefore: each === message && content !== undefined ? each.content : undefined,
    topic: topic === undefined ? undefined : { before: each.topic, after: topic },
  });
  if (content !== undefined) {
    const [before, now] = [mentionedBy(model, message, message.content), mentionedBy(model, message, content)];
    const isNewly = (each: User) => (mentionsAll(content) ? !mentionsAll(message.content) : now(each) && !before(each));
    returnToLists(model, message.place, by, isNewly);
  }
  model.publish(audience(model, message.place), {
    type: 'update_message',
    update: { ...editOf(message), message, mode, messages },
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
    if (message.sender !== user.id || message.isNotice) return "You don't have permission to delete this message";
    if (isOlder(model, message, model.limits.deletion)) return 'The time limit for deleting this message has passed';
  }
  const first = place.kind === 'stream' ? firstMessage(model, place) : null;
  message.isDeleted = true;
  model.publish(audience(model, place), { type: 'delete_message', message, topic });
  if (place.kind === 'stream' && first === id) {
    const next = firstMessage(model, place);
    model.publish(audience(model, place), { type: 'stream', op: 'update', stream: place, firstMessage: next });
  }
  return undefined;
}

/** The oldest message that is not deleted. Null for a stream without shared history, which does not reveal it. */
export function firstMessage({ messages }: Model, stream: Stream): number | null {
  if (!stream.isShared) return null;
  const left = [...messages.values()].filter(({ place, isDeleted }) => place === stream && !isDeleted);
  return ascending(left.map(({ id }) => id))[0] ?? null;
}

export interface ReactionChange {
  readonly op: 'add' | 'remove';
  readonly id: number;
  readonly emoji: Omit<Reaction, 'user_id'>;
}

export function react(model: Model, user: User, { op, id, emoji }: ReactionChange): string | undefined {
  const message = readableMessage(model, user, id);
  if (!message) return 'Invalid message(s)';
  const reaction = { ...emoji, user_id: user.id };
  const isOwn = (each: Reaction) => each.user_id === user.id && each.emoji_code === emoji.emoji_code;
  const isThere = message.reactions.some(isOwn);
  if (op === 'add' && isThere) return 'Reaction already exists.';
  if (op === 'remove' && !isThere) return "Reaction doesn't exist.";
  const others = message.reactions.filter((each) => !isOwn(each));
  message.reactions = op === 'add' ? [...others, reaction] : others;
  model.publish(audience(model, message.place), { type: 'reaction', op, message, reaction });
  return undefined;
}
