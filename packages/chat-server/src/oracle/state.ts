import type {
  AnswerOut,
  Message,
  NeverSubscribed,
  Reaction,
  ReadReceiptsShown,
  Role,
  Subscription,
  UnreadMessages,
  User,
  registerQueue,
} from '@engawa/protocol';
import { ascending } from './model/model.ts';

/** What a client knows of its member's chat. Streams, users and messages stand by their ids. */
export interface State {
  /** The messages that it has: those that it fetched when it registered, and all of which it was told since. */
  readonly messages: ReadonlyMap<number, Held>;
  /** Where each unread message stands: what a screen counts by. See `streamPlace` and `directPlace`. */
  readonly unread: ReadonlyMap<number, string>;
  /** The unread messages that call the member. */
  readonly mentions: ReadonlySet<number>;
  readonly starred: ReadonlySet<number>;
  /** The newest message. */
  readonly newest: number;
  /** Names. */
  readonly streams: ReadonlyMap<number, string>;
  readonly subscriptions: ReadonlyMap<number, Subscribed>;
  /** The subscribers of the streams that the member left, and of those in which they never were. */
  readonly unsubscribed: ReadonlyMap<number, readonly number[]>;
  readonly neverSubscribed: ReadonlyMap<number, readonly number[]>;
  readonly users: ReadonlyMap<number, Known>;
  readonly alertWords: readonly string[];
  /** Whether others see what the member has read. */
  readonly sendsReceipts: boolean | undefined;
  readonly receiptsShown: ReadReceiptsShown | undefined;
  /** The newest message with the same others. */
  readonly directs: ReadonlyMap<string, number>;
}

export interface Held {
  /** The stream in which it stands; undefined when it is direct. */
  readonly stream: number | undefined;
  readonly topic: string;
  /** As the queue shows it. */
  readonly content: string;
  /** Sorted. */
  readonly flags: readonly string[];
  readonly reactions: readonly Reaction[];
}

export interface Subscribed {
  readonly isAway: boolean;
  readonly isShared: boolean;
  readonly firstMessage: number | null;
  /** Ascending. */
  readonly subscribers: readonly number[];
}

interface Known {
  readonly name: string;
  readonly role: Role;
  readonly isActive: boolean;
}

export const streamPlace = (stream: number, topic: string): string => `stream ${stream} ${topic.toLowerCase()}`;
export const isInStream = (place: string, stream: number): boolean => place.startsWith(streamPlace(stream, ''));
/** @param participants with the member or without. */
export function directPlace(participants: readonly number[], self: number): string {
  return `direct ${ascending(participants.filter((id) => id !== self)).join()}`;
}

export function stateOf(answer: AnswerOut<typeof registerQueue>): State {
  const {
    unread_msgs = { count: 0, streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: true },
    starred_messages = [],
    max_message_id: newest = 0,
    streams = [],
    subscriptions = [],
    unsubscribed = [],
    never_subscribed = [],
    realm_users = [],
    realm_non_active_users = [],
    alert_words: alertWords = [],
    user_settings: { send_read_receipts: sendsReceipts } = {},
    realm_read_receipts: receiptsShown,
    recent_private_conversations = [],
    user_id = 0,
  } = answer;
  return {
    messages: new Map(),
    unread: placesOf(unread_msgs, user_id),
    mentions: new Set(unread_msgs.mentions),
    starred: new Set(starred_messages),
    newest,
    streams: new Map(streams.map(({ stream_id, name }) => [stream_id, name])),
    subscriptions: new Map(subscriptions.map((each) => [each.stream_id, subscribed(each)])),
    unsubscribed: new Map(unsubscribed.map((each) => [each.stream_id, subscribersOf(each)])),
    neverSubscribed: new Map(never_subscribed.map((each) => [each.stream_id, subscribersOf(each)])),
    users: new Map([
      ...realm_users.map((user) => [user.user_id, known(user, true)] as const),
      ...realm_non_active_users.map((user) => [user.user_id, known(user, false)] as const),
    ]),
    alertWords,
    sendsReceipts,
    receiptsShown,
    directs: new Map(recent_private_conversations.map((each) => [directPlace(each.user_ids, user_id), each.max_message_id])),
  };
}

/** What register answers of a state, in an order that lets two be compared. */
export function inOrder(state: State) {
  return {
    alertWords: state.alertWords,
    sendsReceipts: state.sendsReceipts,
    receiptsShown: state.receiptsShown,
    newest: state.newest,
    mentions: ascending(state.mentions),
    starred: ascending(state.starred),
    unread: byKey(state.unread),
    directs: byKey(state.directs),
    streams: byKey(state.streams),
    subscriptions: byKey(state.subscriptions),
    unsubscribed: byKey(state.unsubscribed),
    neverSubscribed: byKey(state.neverSubscribed),
    users: byKey(state.users),
  };
}

function byKey<Key extends string | number, Value>(values: ReadonlyMap<Key, Value>): (readonly [Key, Value])[] {
  return [...values].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function placesOf({ streams, pms, huddles }: UnreadMessages, self: number): Map<number, string> {
  const places = [
    ...streams.map(({ stream_id, topic, ...each }) => ({ ...each, place: streamPlace(stream_id, topic) })),
    ...pms.map(({ other_user_id: other, ...each }) => ({ ...each, place: directPlace([other], self) })),
    ...huddles.map(({ user_ids_string: all, ...each }) => ({
      ...each,
      place: directPlace(all.split(',').map(Number), self),
    })),
  ];
  return new Map(places.flatMap(({ unread_message_ids: ids, place }) => ids.map((id) => [id, place] as const)));
}

export function subscribed(each: Subscription): Subscribed {
  const { history_public_to_subscribers: isShared, first_message_id: firstMessage, put_away: isAway = false } = each;
  return { isAway, isShared, firstMessage, subscribers: subscribersOf(each) };
}

const subscribersOf = ({ subscribers = [] }: NeverSubscribed): number[] => ascending(subscribers);

function known({ full_name: name, role }: User, isActive: boolean): Known {
  return { name, role, isActive };
}

export function held({ stream_id, subject, content, reactions }: Message, flags: readonly string[]): Held {
  return { stream: stream_id, topic: subject, content, flags: flags.toSorted(), reactions };
}

/** Where a message stands, as the member sees it. */
export function placeOf({ stream_id, subject, display_recipient: all }: Message, self: number): string {
  if (stream_id !== undefined) return streamPlace(stream_id, subject);
  const participants = typeof all === 'string' ? [] : all.map(({ id }) => id);
  return directPlace(participants, self);
}

export const isMention = (flags: readonly string[]): boolean =>
  flags.includes('mentioned') || flags.includes('wildcard_mentioned');
