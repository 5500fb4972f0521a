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

/** The state of a client. Streams, users and messages are identified by their ids. */
export interface State {
  /** The messages fetched at registration and all received since. */
  readonly messages: ReadonlyMap<number, ClientMessage>;
  /** The conversation key of each unread message, see `streamPlace` and `directPlace`. */
  readonly unread: ReadonlyMap<number, string>;
  readonly mentions: ReadonlySet<number>;
  readonly starred: ReadonlySet<number>;
  readonly newest: number;
  readonly streams: ReadonlyMap<number, string>;
  readonly subscriptions: ReadonlyMap<number, ClientSubscription>;
  /** Subscribers of streams that the member left or never joined. */
  readonly unsubscribed: ReadonlyMap<number, readonly number[]>;
  readonly neverSubscribed: ReadonlyMap<number, readonly number[]>;
  readonly users: ReadonlyMap<number, ClientUser>;
  /** The ids of the members of each group. */
  readonly groups: ReadonlyMap<number, readonly number[]>;
  readonly alertWords: readonly string[];
  readonly sendsReceipts: boolean | undefined;
  readonly receiptAudience: ReadReceiptsShown | undefined;
  /** The newest message of each direct conversation, by its key. */
  readonly directs: ReadonlyMap<string, number>;
}

export interface ClientMessage {
  /** Undefined for a direct message. */
  readonly stream: number | undefined;
  readonly topic: string;
  /** In the content format of the queue. */
  readonly content: string;
  readonly flags: readonly string[];
  readonly reactions: readonly Reaction[];
}

export interface ClientSubscription {
  readonly isPutAway: boolean;
  readonly isShared: boolean;
  readonly firstMessage: number | null;
  readonly subscribers: readonly number[];
}

interface ClientUser {
  readonly name: string;
  readonly role: Role;
  readonly isActive: boolean;
}

export const streamPlace = (stream: number, topic: string): string => `stream ${stream} ${topic.toLowerCase()}`;
export const isInStream = (place: string, stream: number): boolean => place.startsWith(streamPlace(stream, ''));
/** @param participants with or without the member. */
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
    realm_user_groups = [],
    alert_words: alertWords = [],
    user_settings: { send_read_receipts: sendsReceipts } = {},
    realm_read_receipts: receiptAudience,
    recent_private_conversations = [],
    user_id = 0,
  } = answer;
  return {
    messages: new Map(),
    unread: unreadKeys(unread_msgs, user_id),
    mentions: new Set(unread_msgs.mentions),
    starred: new Set(starred_messages),
    newest,
    streams: new Map(streams.map(({ stream_id, name }) => [stream_id, name])),
    subscriptions: new Map(subscriptions.map((each) => [each.stream_id, subscribed(each)])),
    unsubscribed: new Map(unsubscribed.map((each) => [each.stream_id, subscribersOf(each)])),
    neverSubscribed: new Map(never_subscribed.map((each) => [each.stream_id, subscribersOf(each)])),
    users: new Map([
      ...realm_users.map((user) => [user.user_id, clientUserOf(user, true)] as const),
      ...realm_non_active_users.map((user) => [user.user_id, clientUserOf(user, false)] as const),
    ]),
    groups: new Map(realm_user_groups.map(({ id, members }) => [id, ascending(members)])),
    alertWords,
    sendsReceipts,
    receiptAudience,
    directs: new Map(recent_private_conversations.map((each) => [directPlace(each.user_ids, user_id), each.max_message_id])),
  };
}

/** The compared parts of a state, in a fixed order. */
export function inOrder(state: State) {
  return {
    alertWords: state.alertWords,
    sendsReceipts: state.sendsReceipts,
    receiptAudience: state.receiptAudience,
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
    groups: byKey(state.groups),
  };
}

function byKey<Key extends string | number, Value>(values: ReadonlyMap<Key, Value>): (readonly [Key, Value])[] {
  return [...values].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function unreadKeys({ streams, pms, huddles }: UnreadMessages, self: number): Map<number, string> {
  const keys = [
    ...streams.map(({ stream_id, topic, ...each }) => ({ ...each, place: streamPlace(stream_id, topic) })),
    ...pms.map(({ other_user_id: other, ...each }) => ({ ...each, place: directPlace([other], self) })),
    ...huddles.map(({ user_ids_string: all, ...each }) => ({
      ...each,
      place: directPlace(all.split(',').map(Number), self),
    })),
  ];
  return new Map(keys.flatMap(({ unread_message_ids: ids, place }) => ids.map((id) => [id, place] as const)));
}

export function subscribed(each: Subscription): ClientSubscription {
  const { history_public_to_subscribers: isShared, first_message_id: firstMessage, put_away: isPutAway = false } = each;
  return { isPutAway, isShared, firstMessage, subscribers: subscribersOf(each) };
}

const subscribersOf = ({ subscribers = [] }: NeverSubscribed): number[] => ascending(subscribers);

export function clientUserOf({ full_name: name, role }: Pick<User, 'full_name' | 'role'>, isActive: boolean): ClientUser {
  return { name, role, isActive };
}

export function clientMessageOf({ stream_id, subject, content, reactions }: Message, flags: readonly string[]): ClientMessage {
  return { stream: stream_id, topic: subject, content, flags: flags.toSorted(), reactions };
}

/** The conversation key of a message for the given member. */
export function placeOf({ stream_id, subject, display_recipient: all }: Message, self: number): string {
  if (stream_id !== undefined) return streamPlace(stream_id, subject);
  const participants = typeof all === 'string' ? [] : all.map(({ id }) => id);
  return directPlace(participants, self);
}

export const isMention = (flags: readonly string[]): boolean =>
  flags.includes('mentioned') || flags.includes('wildcard_mentioned');
