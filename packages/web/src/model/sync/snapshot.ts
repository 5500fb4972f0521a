import type { Registration } from '@engawa/client';
import {
  formerName,
  message,
  presenceSeconds,
  readReceiptsShown,
  subscription,
  typingMilliseconds,
  user,
  userSettings,
  type Message,
  type ReadReceiptsShown,
  type Subscription,
  type User,
} from '@engawa/protocol';
import { z } from 'zod';
import { conversationKey, conversationOf, directKey, directOf, isDirect, type DirectKey } from '../streams/conversation.ts';
import { seenAfter, statusAfter } from '../people/presence.ts';
import type { Limits } from '../timeline/rights.ts';
import type { State } from '../state.ts';

/** What a tab begins with, whether it registered itself or was told by the tab that did. True at its cursor. */
export const snapshot = z.object({
  cursor: z.object({ queueId: z.string(), lastEventId: z.int() }),
  maxMessageId: z.int(),
  users: z.array(user),
  formerNames: z.array(formerName),
  subscriptions: z.array(subscription),
  /** Direct conversations, with the id of the newest message of each. */
  directs: z.array(z.object({ conversation: directKey, newestId: z.int() })),
  /** The newest message of each conversation that is known so far. */
  newest: z.array(message),
  /** Conversations known to have none. */
  silent: z.array(conversationKey),
  settings: userSettings,
  /** Milliseconds, as the state has them. */
  typingTimes: z.object({ resent: z.int(), idle: z.int(), expires: z.int() }),
  presences: z.array(z.tuple([z.int(), z.object({ active: z.int(), idle: z.int() })])),
  presenceUpdate: z.int(),
  presenceSeconds: z.object({ ping: z.int(), offline: z.int() }),
  statuses: z.array(z.tuple([z.int(), z.object({ text: z.string(), busy: z.boolean(), until: z.int().optional() })])),
  /** Unix seconds by the server's clock, and by how many it is ahead of ours. */
  now: z.number(),
  clockAhead: z.number(),
  /** Of which messages the organisation shows who has read them. */
  receiptsShown: readReceiptsShown,
  unread: z.array(z.object({ conversation: conversationKey, messageIds: z.array(z.int()) })),
  /** Those of the unread that call the member. */
  mentioned: z.array(z.int()),
  alertWords: z.array(z.string()),
  /** Seconds in which messages may be changed; null: always. */
  limits: z.object({ edit: z.int().nullable(), delete: z.int().nullable() }),
});
export type Snapshot = z.output<typeof snapshot>;

/** @param recent Newest messages of all conversations, by rising id. @param now Unix seconds by our clock. */
export function snapshotOf(
  registration: Registration,
  subscriptions: readonly Subscription[],
  recent: readonly Message[],
  memberId: number,
  now: number,
): Snapshot {
  const { realm_users = [], realm_non_active_users = [], cross_realm_bots = [], unread_msgs, user_settings } = registration;
  const mine = new Set<number | undefined>(subscriptions.map(({ stream_id }) => stream_id));
  const isMine = ({ type, stream_id }: Message) => type === 'private' || mine.has(stream_id);
  const newest = new Map(recent.filter(isMine).map((each) => [conversationOf(each), each]));
  const unread = unreadOf(unread_msgs, memberId);
  return {
    cursor: { queueId: registration.queue_id, lastEventId: registration.last_event_id },
    maxMessageId: Math.max(registration.max_message_id ?? 0, recent.at(-1)?.id ?? 0),
    users: [...realm_users, ...realm_non_active_users.map(departed), ...cross_realm_bots],
    formerNames: registration.former_names ?? [],
    subscriptions: [...subscriptions],
    directs: directsOf(registration, memberId, [...newest.values()], unread),
    newest: [...newest.values()],
    silent: [],
    settings: user_settings ?? {},
    typingTimes: typingTimesOf(registration),
    presences: [...seenAfter(new Map(), registration.presences ?? {})],
    presenceUpdate: registration.presence_last_update_id ?? -1,
    presenceSeconds: {
      ping: registration.server_presence_ping_interval_seconds ?? presenceSeconds.ping,
      offline: registration.server_presence_offline_threshold_seconds ?? presenceSeconds.offline,
    },
    statuses: Object.entries(registration.user_status ?? {}).map(([id, said]) => [Number(id), statusAfter(undefined, said)]),
    now: registration.server_timestamp ?? now,
    clockAhead: (registration.server_timestamp ?? now) - now,
    receiptsShown: receiptsShownOf(registration.realm_enable_read_receipts, registration.realm_read_receipts) ?? 'own',
    unread,
    mentioned: unread_msgs?.mentions ?? [],
    alertWords: registration.alert_words ?? [],
    limits: limitsOf(registration),
  };
}

/** The list in which they stand is all that says so. */
const departed = (gone: User): User => ({ ...gone, is_active: false });

/** As the server says, and as ours does where it says nothing. */
function typingTimesOf({
  server_typing_started_wait_period_milliseconds: resent = typingMilliseconds.resent,
  server_typing_stopped_wait_period_milliseconds: idle = typingMilliseconds.idle,
  server_typing_started_expiry_period_milliseconds: expires = typingMilliseconds.expires,
}: Registration): Snapshot['typingTimes'] {
  return { resent, idle, expires };
}

/** By topic, where it is of streams. */
function unreadOf(unread: Registration['unread_msgs'], memberId: number): Snapshot['unread'] {
  const { streams = [], pms = [], huddles = [] } = unread ?? {};
  const places = [
    ...streams.map(({ stream_id, unread_message_ids }) => [stream_id, unread_message_ids] as const),
    ...pms.map(({ other_user_id, unread_message_ids }) => [directOf([memberId, other_user_id]), unread_message_ids] as const),
    ...huddles.map(({ user_ids_string, unread_message_ids }) => {
      return [directOf(user_ids_string.split(',').map(Number)), unread_message_ids] as const;
    }),
  ];
  return places.map(([conversation, messageIds]) => ({ conversation, messageIds }));
}

/** A server lists the newest of them, so that what is unread or was said last is looked through as well. */
function directsOf(
  { recent_private_conversations: recent = [] }: Registration,
  memberId: number,
  newest: readonly Message[],
  unread: Snapshot['unread'],
): Snapshot['directs'] {
  const told = [
    ...recent.map(({ user_ids, max_message_id }) => [directOf([memberId, ...user_ids]), max_message_id] as const),
    ...newest.map((message) => [conversationOf(message), message.id] as const),
    ...unread.map(({ conversation, messageIds }) => [conversation, messageIds.at(-1) ?? 0] as const),
  ];
  const directs = new Map<DirectKey, number>();
  for (const [conversation, id] of told) {
    if (conversation === undefined || !isDirect(conversation)) continue;
    directs.set(conversation, Math.max(id, directs.get(conversation) ?? 0));
  }
  return [...directs].map(([conversation, newestId]) => ({ conversation, newestId }));
}

/** What another tab needs to begin where this one stands; undefined before this one has begun. */
export function shared({ cursor, subscriptions, ...state }: State): Snapshot | undefined {
  if (!cursor || !subscriptions) return undefined;
  return {
    cursor,
    maxMessageId: state.maxMessageId,
    users: [...state.users.values()],
    formerNames: [...state.formerNames],
    subscriptions: [...subscriptions.values()],
    directs: [...state.directs].map(([conversation, newestId]) => ({ conversation, newestId })),
    newest: [...state.newest.values()].filter((each) => each !== null),
    silent: [...state.newest].filter(([, each]) => each === null).map(([conversation]) => conversation),
    settings: state.settings,
    typingTimes: state.typingTimes,
    presences: [...state.presences],
    presenceUpdate: state.presenceUpdate,
    presenceSeconds: state.presenceSeconds,
    statuses: [...state.statuses],
    now: state.now,
    clockAhead: state.clockAhead,
    receiptsShown: state.receiptsShown,
    unread: [...state.unread].map(([conversation, ids]) => ({ conversation, messageIds: [...ids] })),
    mentioned: [...state.flagged.mentioned],
    alertWords: [...state.alertWords],
    limits: state.limits,
  };
}

/** Zulip says on or off; on is of one's own then, as where nothing is said. */
export function receiptsShownOf(on: boolean | undefined, shown: ReadReceiptsShown | undefined) {
  if (shown !== undefined || on === undefined) return shown;
  return on ? 'own' : 'none';
}

/** What the server does not say it does not limit. */
function limitsOf(registration: Registration): Limits {
  const { realm_message_content_edit_limit_seconds: edit = null, realm_allow_message_editing: editing } = registration;
  const { realm_message_content_delete_limit_seconds: deletion = null } = registration;
  return { edit: editing === false ? 0 : edit, delete: deletion };
}
