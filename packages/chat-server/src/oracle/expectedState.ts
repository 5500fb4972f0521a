import { isIn, mayRead, seesUser } from './model/access.ts';
import { shownGroups } from './model/groups.ts';
import { firstMessage } from './model/messages.ts';
import type { Message, Model, Stream, User } from './model/model.ts';
import { flags, isMention, newestReceived, starred, unread } from './model/reading.ts';
import { activeSubscribers, visibleStreams } from './model/streams.ts';
import { type Viewer, renderedContent } from './expectedMessage.ts';
import { type ClientMessage, type State, type ClientSubscription, directPlace, streamPlace } from './state.ts';

export function expectedState({ model, user }: Viewer): State {
  const visible = visibleStreams(model, user);
  const others = visible.filter((stream) => !isIn(stream, user));
  const subscribers = (stream: Stream) => [stream.id, activeSubscribers(model, stream)] as const;
  const unreadMessages = unread(model, user);
  const seen = [...model.users.values()].filter(({ id }) => seesUser(model, user, id));
  return {
    messages: new Map(),
    unread: new Map(unreadMessages.map((message) => [message.id, expectedPlace(message, user)])),
    mentions: new Set(unreadMessages.filter((message) => isMention(message, user)).map(({ id }) => id)),
    starred: new Set(starred(model, user).map(({ id }) => id)),
    newest: newestReceived(model, user),
    streams: new Map(visible.map(({ id, name }) => [id, name])),
    subscriptions: new Map(
      visible.filter((stream) => isIn(stream, user)).map((stream) => [stream.id, expectedSubscribed(model, user, stream)]),
    ),
    unsubscribed: new Map(others.filter(({ everSubscribed }) => everSubscribed.has(user.id)).map(subscribers)),
    neverSubscribed: new Map(others.filter(({ everSubscribed }) => !everSubscribed.has(user.id)).map(subscribers)),
    users: new Map(seen.map(({ id, name, role, isActive }) => [id, { name, role, isActive }])),
    groups: shownGroups(model, user),
    alertWords: [...user.alertWords],
    sendsReceipts: user.sendsReceipts,
    receiptAudience: model.receiptAudience,
    directs: newestDirects(model, user),
  };
}

function expectedSubscribed(model: Model, { id }: User, stream: Stream): ClientSubscription {
  const { isShared, putAwayBy } = stream;
  return {
    isPutAway: putAwayBy.has(id),
    isShared,
    firstMessage: firstMessage(model, stream),
    subscribers: activeSubscribers(model, stream),
  };
}

function expectedPlace({ place, topic }: Message, user: User): string {
  if (place.kind === 'stream') return streamPlace(place.id, topic);
  return directPlace(place.participants, user.id);
}

function newestDirects({ messages }: Model, user: User): Map<string, number> {
  const newest = new Map<string, number>();
  for (const message of messages.values()) {
    if (message.place.kind === 'stream' || !mayRead(user, message)) continue;
    const place = expectedPlace(message, user);
    newest.set(place, Math.max(newest.get(place) ?? 0, message.id));
  }
  return newest;
}

/** The message as a client that has loaded it must show it. */
export function expectedHeld(viewer: Viewer, message: Message): ClientMessage {
  return {
    stream: message.place.kind === 'stream' ? message.place.id : undefined,
    topic: message.topic,
    content: renderedContent(viewer, message.content),
    flags: flags(message, viewer.user),
    reactions: message.reactions,
  };
}
