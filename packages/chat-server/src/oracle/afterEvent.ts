import type { ServerEvent } from '@engawa/protocol';
import { ascending } from './model/model.ts';
import {
  type ClientMessage,
  type State,
  type ClientSubscription,
  directPlace,
  clientMessageOf,
  clientUserOf,
  isInStream,
  isMention,
  placeOf,
  streamPlace,
  subscribed,
} from './state.ts';

/** Parts of the state that events do not describe completely. A client fetches them again. */
export type StatePart = 'starred' | 'newest' | 'directs' | 'mentions in HTML';

export interface StateChange {
  readonly state: State;
  readonly refetch: readonly StatePart[];
}

/** The member of a client, and the content format of its queue. */
export interface ClientOptions {
  readonly member: number;
  readonly isHtml: boolean;
}

type Of<Type> = Extract<ServerEvent, { type: Type }>;

export function afterEvent(state: State, event: ServerEvent, self: ClientOptions): StateChange {
  switch (event.type) {
    case 'message':
      return { state: afterMessage(state, event, self), refetch: [] };
    case 'update_message':
      return { state: afterUpdate(state, event, self), refetch: [] };
    case 'delete_message':
      return afterDeletion(state, event);
    case 'update_message_flags':
      return { state: afterFlags(state, event, self), refetch: [] };
    case 'reaction':
      return { state: afterReaction(state, event), refetch: [] };
    case 'subscription':
      return afterSubscription(state, event, self);
    case 'stream':
      return afterStream(state, event);
    case 'realm_user':
      return afterUser(state, event);
    case 'user_group':
      return { state: { ...state, groups: afterGroup(state.groups, event) }, refetch: [] };
    case 'alert_words':
      return { state: { ...state, alertWords: event.alert_words }, refetch: [] };
    case 'user_settings':
      return { state: { ...state, sendsReceipts: event.value === true }, refetch: [] };
    case 'realm': {
      const { read_receipts: audience = state.receiptAudience } = event.op === 'update_dict' ? event.data : {};
      return { state: { ...state, receiptAudience: audience }, refetch: [] };
    }
    default:
      return { state, refetch: [] };
  }
}

function afterMessage(state: State, { message, flags }: Of<'message'>, { member }: ClientOptions): State {
  const { id, stream_id: streamId } = message;
  const [place, isUnread] = [placeOf(message, member), !flags.includes('read')];
  const stream = streamId === undefined ? undefined : state.subscriptions.get(streamId);
  return {
    ...state,
    messages: withEntry(state.messages, id, clientMessageOf(message, flags)),
    unread: isUnread ? withEntry(state.unread, id, place) : state.unread,
    mentions: withOrWithout(isUnread && isMention(flags), state.mentions, [id]),
    starred: withOrWithout(flags.includes('starred'), state.starred, [id]),
    newest: Math.max(state.newest, id),
    subscriptions:
      stream?.isShared && streamId !== undefined
        ? withEntry(state.subscriptions, streamId, { ...stream, firstMessage: stream.firstMessage ?? id })
        : state.subscriptions,
    directs:
      streamId === undefined ? withEntry(state.directs, place, Math.max(state.directs.get(place) ?? 0, id)) : state.directs,
  };
}

function afterUpdate(state: State, event: Of<'update_message'>, { isHtml }: ClientOptions): State {
  const { message_id, message_ids, stream_id, subject, flags } = event;
  const content = isHtml ? event.rendered_content : event.content;
  const messages = new Map(state.messages);
  const unread = new Map(state.unread);
  for (const id of message_ids) {
    const message = messages.get(id);
    if (message && subject !== undefined) messages.set(id, { ...message, topic: subject });
    const moves = unread.has(id) && subject !== undefined && stream_id !== undefined;
    if (moves) unread.set(id, streamPlace(stream_id, subject));
  }
  const message = messages.get(message_id);
  if (message) {
    messages.set(message_id, { ...message, content: content ?? message.content, flags: flags.toSorted() });
  }
  const mentions = withOrWithout(unread.has(message_id) && isMention(flags), state.mentions, [message_id]);
  return { ...state, messages, unread, mentions };
}

/** After its newest message is deleted, an event does not say which message of a direct conversation is now the newest. */
function afterDeletion(state: State, { message_id, message_ids, message_type }: Of<'delete_message'>): StateChange {
  const ids = message_ids ?? (message_id === undefined ? [] : [message_id]);
  const isDirect = message_type === 'private';
  return {
    state: {
      ...state,
      messages: withoutKeys(state.messages, ids),
      unread: withoutKeys(state.unread, ids),
      mentions: state.mentions.difference(new Set(ids)),
      starred: state.starred.difference(new Set(ids)),
    },
    refetch: isDirect ? ['newest', 'directs'] : ['newest'],
  };
}

function afterFlags(state: State, event: Of<'update_message_flags'>, { member }: ClientOptions): State {
  const { op, flag, messages: ids, message_details: details = {} } = event;
  const messages = new Map(state.messages);
  for (const id of ids) {
    const message = messages.get(id);
    if (message) messages.set(id, withFlag(message, op, flag));
  }
  if (flag === 'starred') return { ...state, messages, starred: withOrWithout(op === 'add', state.starred, ids) };
  if (flag !== 'read') return { ...state, messages };
  if (op === 'add') {
    return {
      ...state,
      messages,
      unread: withoutKeys(state.unread, ids),
      mentions: state.mentions.difference(new Set(ids)),
    };
  }
  const mentioning = ids.filter((id) => details[id]?.mentioned);
  const unread = new Map(state.unread);
  for (const id of ids) unread.set(id, placeOfDetails(details[id], member));
  return { ...state, messages, unread, mentions: withOrWithout(true, state.mentions, mentioning) };
}

type Details = NonNullable<Of<'update_message_flags'>['message_details']>[string];

function placeOfDetails(detail: Details | undefined, self: number): string {
  if (!detail) throw new TypeError('a message became unread, and nothing says where it stands');
  const { stream_id, topic = '', user_ids = [] } = detail;
  return stream_id === undefined ? directPlace(user_ids, self) : streamPlace(stream_id, topic);
}

function withFlag(message: ClientMessage, op: 'add' | 'remove', flag: string): ClientMessage {
  return { ...message, flags: [...withOrWithout(op === 'add', new Set(message.flags), [flag])].toSorted() };
}

function afterReaction(state: State, event: Of<'reaction'>): State {
  const { message_id, op, emoji_name, emoji_code, reaction_type, user_id } = event;
  const message = state.messages.get(message_id);
  if (!message) return state;
  const others = message.reactions.filter((each) => each.user_id !== user_id || each.emoji_code !== emoji_code);
  const reactions = op === 'add' ? [...others, { emoji_name, emoji_code, reaction_type, user_id }] : others;
  return { ...state, messages: withEntry(state.messages, message_id, { ...message, reactions }) };
}

/** An event about a subscription contains neither the starred messages of the stream nor the newest message. */
function afterSubscription(state: State, event: Of<'subscription'>, { member }: ClientOptions): StateChange {
  switch (event.op) {
    case 'add': {
      const ids = event.subscriptions.map(({ stream_id }) => stream_id);
      return {
        state: {
          ...state,
          subscriptions: new Map([
            ...state.subscriptions,
            ...event.subscriptions.map((each) => [each.stream_id, subscribed(each)] as const),
          ]),
          unsubscribed: withoutKeys(state.unsubscribed, ids),
          neverSubscribed: withoutKeys(state.neverSubscribed, ids),
        },
        refetch: ['starred', 'newest'],
      };
    }
    case 'remove': {
      const ids = event.subscriptions.map(({ stream_id }) => stream_id);
      return { state: ids.reduce((left, id) => afterLeaving(left, id, member), state), refetch: ['newest'] };
    }
    case 'peer_add':
    case 'peer_remove':
      return { state: event.stream_ids.reduce((changed, id) => afterPeers(changed, id, event), state), refetch: [] };
    case 'update':
      return { state: afterProperty(state, event), refetch: [] };
  }
}

type Property = Extract<Of<'subscription'>, { op: 'update' }>;

function afterProperty(state: State, { stream_id: id, property, value }: Property): State {
  const own = state.subscriptions.get(id);
  if (!own || property !== 'put_away') return state;
  return {
    ...state,
    subscriptions: withEntry<ClientSubscription>(state.subscriptions, id, { ...own, isPutAway: value === true }),
  };
}

/** The client may not know the subscription: it may have begun and ended between two polls. */
function afterLeaving(state: State, id: number, self: number): State {
  const subscribers = state.subscriptions.get(id)?.subscribers ?? state.neverSubscribed.get(id);
  const others = subscribers?.filter((each) => each !== self);
  return {
    ...state,
    subscriptions: withoutKeys(state.subscriptions, [id]),
    neverSubscribed: withoutKeys(state.neverSubscribed, [id]),
    unsubscribed: others ? withEntry(state.unsubscribed, id, others) : state.unsubscribed,
  };
}

type Peers = Extract<Of<'subscription'>, { op: 'peer_add' | 'peer_remove' }>;

function afterPeers(state: State, id: number, { op, user_ids }: Peers): State {
  const after = (before: readonly number[]) => ascending(withOrWithout(op === 'peer_add', new Set(before), user_ids));
  const [own, left, other] = [state.subscriptions.get(id), state.unsubscribed.get(id), state.neverSubscribed.get(id)];
  return {
    ...state,
    subscriptions: own
      ? withEntry<ClientSubscription>(state.subscriptions, id, { ...own, subscribers: after(own.subscribers) })
      : state.subscriptions,
    unsubscribed: left ? withEntry(state.unsubscribed, id, after(left)) : state.unsubscribed,
    neverSubscribed: other ? withEntry(state.neverSubscribed, id, after(other)) : state.neverSubscribed,
  };
}

function afterStream(state: State, event: Of<'stream'>): StateChange {
  switch (event.op) {
    case 'create':
      return { state: event.streams.reduce(afterCreation, state), refetch: [] };
    case 'delete': {
      const ids = event.streams.map(({ stream_id }) => stream_id);
      return { state: ids.reduce(afterLoss, state), refetch: ['starred', 'newest'] };
    }
    case 'update': {
      const own = state.subscriptions.get(event.stream_id);
      if (!own || event.property !== 'first_message_id') return { state, refetch: [] };
      const firstMessage = event.value === null ? null : Number(event.value);
      const subscriptions = withEntry(state.subscriptions, event.stream_id, { ...own, firstMessage });
      return { state: { ...state, subscriptions }, refetch: [] };
    }
  }
}

/** A new stream has no subscribers until events add them. */
function afterCreation(state: State, { stream_id: id, name, invite_only }: NewStream): State {
  return {
    ...state,
    streams: withEntry(state.streams, id, name),
    neverSubscribed: invite_only ? state.neverSubscribed : withEntry(state.neverSubscribed, id, []),
  };
}
type NewStream = Extract<Of<'stream'>, { op: 'create' }>['streams'][number];

function afterLoss(state: State, id: number): State {
  const lost = [...state.messages].flatMap(([messageId, { stream }]) => (stream === id ? [messageId] : []));
  const unread = [...state.unread].flatMap(([messageId, place]) => (isInStream(place, id) ? [messageId] : []));
  return {
    ...state,
    messages: withoutKeys(state.messages, lost),
    unread: withoutKeys(state.unread, unread),
    mentions: state.mentions.difference(new Set(unread)),
    streams: withoutKeys(state.streams, [id]),
    subscriptions: withoutKeys(state.subscriptions, [id]),
    unsubscribed: withoutKeys(state.unsubscribed, [id]),
    neverSubscribed: withoutKeys(state.neverSubscribed, [id]),
  };
}

function afterGroup(groups: State['groups'], event: Of<'user_group'>): State['groups'] {
  switch (event.op) {
    case 'add':
      return withEntry(groups, event.group.id, ascending(event.group.members));
    case 'remove':
      return withoutKeys(groups, [event.group_id]);
    case 'add_members':
    case 'remove_members': {
      const changed = new Set(event.user_ids);
      const before = groups.get(event.group_id) ?? [];
      const left = before.filter((id) => !changed.has(id));
      return withEntry(groups, event.group_id, event.op === 'add_members' ? ascending([...left, ...changed]) : left);
    }
    default:
      return groups;
  }
}

/** HTML shows mentions of users whom a guest sees, and no event says that it is rendered in another way now. */
function afterUser(state: State, event: Of<'realm_user'>): StateChange {
  const refetch: readonly StatePart[] = ['mentions in HTML'];
  if (event.op === 'add') {
    const { user_id: id, ...user } = event.person;
    return { state: { ...state, users: withEntry(state.users, id, clientUserOf(user, user.is_active ?? true)) }, refetch };
  }
  if (event.op === 'remove') return { state: { ...state, users: withoutKeys(state.users, [event.person.user_id]) }, refetch };
  const { user_id, full_name, role, is_active } = event.person;
  const before = state.users.get(user_id);
  // A change before a guest began to see the user may arrive before the user does.
  if (!before) return { state, refetch: [] };
  const changed = {
    name: full_name ?? before.name,
    role: role ?? before.role,
    isActive: is_active ?? before.isActive,
  };
  return { state: { ...state, users: withEntry(state.users, user_id, changed) }, refetch: [] };
}

function withEntry<Value>(values: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value>;
function withEntry<Value>(values: ReadonlyMap<number, Value>, key: number, value: Value): ReadonlyMap<number, Value>;
function withEntry<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> {
  return new Map([...values, [key, value]]);
}

function withoutKeys<Value>(values: ReadonlyMap<number, Value>, ids: readonly number[]): ReadonlyMap<number, Value> {
  const gone = new Set(ids);
  return new Map([...values].filter(([id]) => !gone.has(id)));
}

function withOrWithout<Value>(belong: boolean, values: ReadonlySet<Value>, some: readonly Value[]): ReadonlySet<Value> {
  return belong ? values.union(new Set(some)) : values.difference(new Set(some));
}
