/** The lists of streams and direct conversations, each with its newest message and its unread messages. */
import { dialectOf, type Dialect } from '@engawa/markup';
import {
  parseFileMessage,
  type Message,
  type MessageNotice,
  type Subscription,
  type User,
  type UserSettings,
} from '@engawa/protocol';
import { compareNames } from '../collation.ts';
import { memoise, perKey, stable } from '../memoise.ts';
import { personOf, selectSettings, type Person } from '../people/selectors.ts';
import type { PeopleState } from '../people/state.ts';
import {
  isDirect,
  joinNames,
  mayOpen,
  othersIn,
  participantsIn,
  type ConversationKey,
  type DirectKey,
} from '../streams/conversation.ts';
import { notificationLevel, type NotificationLevel } from '../streams/notifying.ts';
import type { StreamsState } from '../streams/state.ts';
import type { TimelinesState } from '../timeline/state.ts';
import { countMentions } from '../unread/flagged.ts';
import type { UnreadState } from '../unread/state.ts';
import { countUnread, unreadIn } from '../unread/unread.ts';

export interface Preview {
  readonly kind: 'text' | 'file' | 'deleted';
  readonly senderFullName: string;
  readonly text: string;
  readonly dialect: Dialect;
  readonly notice?: MessageNotice | undefined;
}

interface Conversation {
  readonly name: string;
  readonly profile: string | undefined;
  readonly subscribers: readonly number[];
  /** A muted conversation does not count in the total. */
  readonly status: 'active' | 'muted';
  readonly unReadCount: number;
  readonly mentionCount: number;
  readonly message: Preview | undefined;
  readonly time: number | undefined;
}

/** R3.1: a stream as the list shows it. */
export interface StreamView extends Conversation {
  readonly kind: 'stream';
  readonly key: number;
  readonly streamId: number;
  readonly description: string;
  /** Archived in the member's own list; it does not count in the total. */
  readonly isArchived: boolean;
  readonly isPinned: boolean;
  readonly notifies: NotificationLevel;
  readonly creatorId: number | undefined;
}

/** R1.8: a direct conversation has the names and the picture of the other participants. */
export interface DirectView extends Conversation {
  readonly kind: 'direct';
  readonly key: DirectKey;
  /** The other participants; in notes to oneself the member alone. */
  readonly others: readonly Person[];
  readonly gone: readonly Person[];
  readonly isToSelf: boolean;
  /** The other of two participants. */
  readonly partnerId: number | undefined;
}

export type ConversationView = StreamView | DirectView;

const order = memoise(orderOf);
const stableOrder = stable<readonly number[]>();
const stableArchived = stable<readonly number[]>();
const none: readonly number[] = [];

/** Pinned streams first, then by newest message, archived streams last. Undefined before the first register. */
export function selectStreamIds({ subscriptions, newest, unread }: TimelinesState): readonly number[] | undefined {
  return subscriptions && stableOrder(order(subscriptions, newest, unread));
}

export function selectArchivedIds(state: TimelinesState): readonly number[] {
  return stableArchived(selectStreamIds(state)?.filter((id) => state.subscriptions?.get(id)?.put_away) ?? none);
}

/** A stream whose newest message has not been fetched yet is ordered by its newest unread message. */
function orderOf(
  subscriptions: ReadonlyMap<number, Subscription>,
  newest: TimelinesState['newest'],
  unread: UnreadState['unread'],
): readonly number[] {
  const newestUnread = (streamId: number) =>
    unreadIn(unread, streamId)
      .values()
      .reduce((one, other) => Math.max(one, other), 0);
  return [...subscriptions.values()]
    .map(({ stream_id, name, pin_to_top, put_away }) => ({
      stream_id,
      name,
      group: put_away ? 2 : pin_to_top ? 0 : 1,
      rank: newest.get(stream_id)?.id ?? newestUnread(stream_id),
    }))
    .toSorted((one, other) => one.group - other.group || other.rank - one.rank || compareNames(one.name, other.name))
    .map(({ stream_id }) => stream_id);
}

const directOrder = memoise((directs: StreamsState['directs']): readonly DirectKey[] =>
  [...directs].toSorted(([, one], [, other]) => other - one).map(([conversation]) => conversation),
);
const stableDirectOrder = stable<readonly DirectKey[]>();

/** R1.8: direct conversations, the one with the newest message first. */
export const selectDirectKeys = ({ directs }: StreamsState) => stableDirectOrder(directOrder(directs));

const streamViews = perKey<number, typeof streamView>(() => memoise(streamView));

export function selectStream(state: TimelinesState, streamId: number): StreamView | undefined {
  const subscription = state.subscriptions?.get(streamId);
  return subscription && streamViews(streamId)(subscription, selectSettings(state), ...activityIn(state, streamId));
}

const directViews = perKey<DirectKey, typeof directView>(() => memoise(directView));
const participants = perKey<DirectKey, readonly number[]>(participantsIn);
const stableUsers = perKey<DirectKey, (users: readonly User[]) => readonly User[]>(stable);

export function selectConversation(
  state: TimelinesState,
  conversation: ConversationKey | undefined,
): ConversationView | undefined {
  if (conversation === undefined) return undefined;
  if (!isDirect(conversation)) return selectStream(state, conversation);
  if (!mayOpen(state, conversation)) return undefined;
  const { users, directory, memberId } = state;
  const others = stableUsers(conversation)(othersIn(conversation, memberId).flatMap((userId) => users.get(userId) ?? []));
  const everyone = participants(conversation);
  return directViews(conversation)(conversation, everyone, others, directory, memberId, ...activityIn(state, conversation));
}

/** Whether the member may open the conversation; undefined until that is known, and without a conversation. */
export function selectMayOpen(state: TimelinesState, conversation: ConversationKey | undefined): boolean | undefined {
  if (!state.subscriptions || conversation === undefined) return undefined;
  return mayOpen(state, conversation);
}

/** Unread messages that are being marked as read, or are in a muted topic. */
const excludedFromCounts = ({ reading, muted }: UnreadState): ReadonlySet<number> =>
  muted.unread.size === 0 ? reading : readingOrMuted(reading, muted.unread);
const readingOrMuted = memoise((reading: ReadonlySet<number>, muted: ReadonlySet<number>) => reading.union(muted));

type Activity = [newest: Message | undefined, sender: User | undefined, unreadCount: number, mentionCount: number];

function activityIn(state: TimelinesState, conversation: ConversationKey): Activity {
  const { newest, unread, flagged, users } = state;
  const excluded = excludedFromCounts(state);
  const message = newest.get(conversation) ?? undefined;
  return [
    message,
    message && users.get(message.sender_id),
    countUnread(unread, excluded, conversation),
    countMentions(flagged, unread, excluded, conversation),
  ];
}

function streamView(subscription: Subscription, settings: UserSettings, ...activity: Activity): StreamView {
  return {
    kind: 'stream',
    key: subscription.stream_id,
    streamId: subscription.stream_id,
    name: subscription.name,
    description: subscription.description,
    profile: subscription.picture_url ?? undefined,
    subscribers: subscription.subscribers ?? [],
    status: subscription.is_muted ? 'muted' : 'active',
    isArchived: subscription.put_away ?? false,
    isPinned: subscription.pin_to_top,
    notifies: notificationLevel(subscription, settings),
    creatorId: subscription.creator_id ?? undefined,
    ...activityView(...activity),
  };
}

function directView(
  key: DirectKey,
  subscribers: readonly number[],
  users: readonly User[],
  directory: PeopleState['directory'],
  memberId: number | undefined,
  ...activity: Activity
): DirectView {
  const others = users.map((user) => personOf(user, directory));
  const [first, second] = others;
  const isToSelf = first?.userId === memberId;
  return {
    kind: 'direct',
    key,
    name: joinNames(others.map(({ fullName }) => fullName)),
    profile: others.length === 1 ? first?.avatarUrl : undefined,
    subscribers,
    others,
    gone: users.filter(({ is_active }) => is_active === false).map((user) => personOf(user, directory)),
    isToSelf,
    partnerId: isToSelf || second ? undefined : first?.userId,
    status: 'active',
    ...activityView(...activity),
  };
}

function activityView(...[newest, sender, unReadCount, mentionCount]: Activity) {
  return {
    unReadCount,
    mentionCount,
    message: newest && previewOf(newest, sender?.full_name ?? newest.sender_full_name),
    time: newest?.timestamp,
  };
}

function previewOf({ content, client, deleted, notice }: Message, senderFullName: string): Preview {
  const known = { senderFullName, dialect: dialectOf(client) };
  if (deleted) return { ...known, kind: 'deleted', text: '' };
  const file = parseFileMessage(content);
  return file ? { ...known, kind: 'file', text: file.name } : { ...known, kind: 'text', text: content, notice };
}

// Totals. Muted and archived streams do not count (R2.11.2).

export const isCounted = ({ is_muted, put_away }: Subscription): boolean => !is_muted && !put_away;

function counting({ subscriptions = new Map() }: StreamsState): readonly number[] {
  return [...subscriptions.values()].filter(isCounted).map(({ stream_id }) => stream_id);
}

function unreadTotal(state: UnreadState, conversations: Iterable<ConversationKey>): number {
  const excluded = excludedFromCounts(state);
  let total = 0;
  for (const conversation of conversations) total += countUnread(state.unread, excluded, conversation);
  return total;
}

function mentionTotal(state: UnreadState, conversations: Iterable<ConversationKey>): number {
  const excluded = excludedFromCounts(state);
  let total = 0;
  for (const conversation of conversations) total += countMentions(state.flagged, state.unread, excluded, conversation);
  return total;
}

/** Unread messages in direct conversations, which `selectTotalUnread` counts as well. */
export const selectDirectUnread = (state: TimelinesState) => unreadTotal(state, state.directs.keys());

export const selectTotalUnread = (state: TimelinesState) => unreadTotal(state, counting(state)) + selectDirectUnread(state);

/** What `@` counts everywhere: the entries that the list of mentions marks in red as unread. */
export const selectTotalMentions = (state: TimelinesState) =>
  mentionTotal(state, counting(state)) + mentionTotal(state, state.directs.keys());

export function selectUnreadIn(state: TimelinesState, streamIds: readonly number[]): number {
  const counted = new Set(counting(state));
  return unreadTotal(
    state,
    streamIds.filter((streamId) => counted.has(streamId)),
  );
}

export const selectMentionsIn = (state: TimelinesState, streamIds: readonly number[]) =>
  mentionTotal(
    state,
    streamIds.filter((streamId) => state.subscriptions?.has(streamId)),
  );
