/** The state as the screens read it. A view is the same object until something that it shows has changed. */
import { parseFileMessage, type FileMessage, type Message, type Subscription, type User } from '@engawa/protocol';
import type { Session } from '@engawa/protocol/product';
import { topic } from './constants.ts';
import { contentOf, nameOf, type Outgoing } from './outbox.ts';
import { keeping, perKey, perObject, remembering } from './remembering.ts';
import type { State } from './state.ts';
import { find, type TimelineState } from './timeline.ts';
import { countUnread, unreadIn } from './unread.ts';
import type { Failure, Key, Me, MessageKey, MessageView, Preview, StreamView, Timeline } from './view.ts';

export interface Views {
  me(state: State): Me | undefined;
  streams(state: State): readonly number[] | undefined;
  stream(state: State, streamId: number): StreamView | undefined;
  totalUnread(state: State): number;
  timeline(state: State, streamId: number): Timeline | undefined;
  message(state: State, key: MessageKey): MessageView | undefined;
  /** What a key names. */
  read(state: State, key: Key): unknown;
}

export function createViews({ member }: Session): Views {
  const meOf = remembering((user: User | undefined): Me | undefined =>
    member
      ? {
          userId: member.user_id,
          email: member.email,
          fullName: user?.full_name ?? member.full_name,
          avatarUrl: user?.avatar_url ?? undefined,
        }
      : undefined,
  );
  const order = remembering(orderOf);
  const keepOrder = keeping<number>();
  const streamViews = perKey<number, typeof streamView>(() => remembering(streamView));
  const timelineViews = perKey<number, TimelineViewer>(timelineViewer);
  const messageViews = perObject<Message, typeof messageView>(() => remembering(messageView));
  const outgoingViews = perObject<Outgoing, typeof outgoingView>(() => remembering(outgoingView));

  const views: Views = {
    me: ({ memberId, users }) => meOf(memberId === undefined ? undefined : users.get(memberId)),

    streams: ({ subscriptions, newest, unread }) =>
      subscriptions && keepOrder(order(subscriptions, newest, unread)),

    stream({ subscriptions, newest, unread, reading }, streamId) {
      const subscription = subscriptions?.get(streamId);
      if (!subscription) return undefined;
      const count = countUnread(unread, reading, streamId);
      return streamViews(streamId)(subscription, newest.get(streamId) ?? undefined, count);
    },

    totalUnread({ subscriptions = new Map<number, Subscription>(), unread, reading }) {
      const counted = subscriptions.values().filter(({ is_muted }) => !is_muted);
      return counted.reduce((total, { stream_id }) => total + countUnread(unread, reading, stream_id), 0);
    },

    timeline({ timelines, outbox }, streamId) {
      const timeline = timelines.get(streamId);
      return timeline && timelineViews(streamId)(streamId, timeline, outbox);
    },

    message(state, key) {
      if (typeof key === 'string') {
        const outgoing = state.outbox.find(({ localKey }) => localKey === key);
        const me = views.me(state);
        return outgoing && me && outgoingViews(outgoing)(outgoing, me);
      }
      const message = locate(state, key);
      return message && messageViews(message)(message, state.users.get(message.sender_id), state.memberId);
    },

    read(state, key) {
      const [what = '', name = ''] = key.split(/:(.*)/s, 2);
      switch (what) {
        case 'stream':
          return views.stream(state, Number(name));
        case 'timeline':
          return views.timeline(state, Number(name));
        case 'message':
          return views.message(state, /^\d+$/.test(name) ? Number(name) : name);
        case 'me':
          return views.me(state);
        case 'streams':
          return views.streams(state);
        case 'totalUnread':
          return views.totalUnread(state);
        case 'connection':
          return state.connection;
        case 'departments':
          return state.departments;
      case 'departmentsFailure':
        return state.departmentsFailure;
        case 'current':
          return state.current;
        default:
          throw new TypeError(`nothing is called ${key}`);
      }
    },
  };
  return views;
}

const byName = new Intl.Collator('ja');

/** The stream with the newest message first; one that nobody has looked into by its newest unread; then by name. */
function orderOf(
  subscriptions: ReadonlyMap<number, Subscription>,
  newest: State['newest'],
  unread: State['unread'],
): readonly number[] {
  const rank = (streamId: number) => newest.get(streamId)?.id ?? unreadIn(unread, streamId).values().reduce(highest, 0);
  const ranked = [...subscriptions.values()].map(({ stream_id, name }) => ({ stream_id, name, rank: rank(stream_id) }));
  return ranked
    .toSorted((one, other) => other.rank - one.rank || byName.compare(one.name, other.name))
    .map(({ stream_id }) => stream_id);
}

function highest(one: number, other: number): number {
  return Math.max(one, other);
}

function streamView(subscription: Subscription, newest: Message | undefined, unReadCount: number): StreamView {
  return {
    streamId: subscription.stream_id,
    name: subscription.name,
    description: subscription.description,
    profile: undefined,
    subscribers: subscription.subscribers ?? [],
    unReadCount,
    message: newest && previewOf(newest),
    time: newest?.timestamp,
  };
}

function previewOf({ content, deleted, sender_full_name: senderFullName }: Message): Preview {
  if (deleted) return { kind: 'deleted', senderFullName, text: '' };
  const file = parseFileMessage(content);
  return file ? { kind: 'file', senderFullName, text: file.name } : { kind: 'text', senderFullName, text: content };
}

type TimelineViewer = (streamId: number, timeline: TimelineState, outbox: readonly Outgoing[]) => Timeline;

function timelineViewer(): TimelineViewer {
  // Per list, so that what a stream has let go of is not held here.
  const idsOf = perObject<readonly Message[], typeof allIds>(() => remembering(allIds));
  const keysOf = perObject<readonly Message[], typeof allKeys>(() => remembering(allKeys));
  const keep = keeping<MessageKey>();
  const view = remembering(
    (
      keys: readonly MessageKey[],
      status: Timeline['status'],
      failure: Failure | undefined,
      loadingOlder: boolean,
      foundOldest: boolean,
      firstUnread: number | undefined,
    ): Timeline => ({ keys, status, failure, loadingOlder, foundOldest, firstUnread }),
  );
  return (streamId, { messages, failure, loading, foundOldest, firstUnread }, outbox) => {
    const list = messages ?? empty;
    const keys = keep(keysOf(list)(idsOf(list)(list), list, outbox, streamId));
    const status = messages ? 'ready' : failure ? 'failed' : 'loading';
    return view(keys, status, failure, loading === 'older', foundOldest, firstUnread);
  };
}

const empty: readonly Message[] = [];

function allIds(messages: readonly Message[]): readonly number[] {
  return messages.map(({ id }) => id);
}

function allKeys(
  ids: readonly number[],
  messages: readonly Message[],
  outbox: readonly Outgoing[],
  streamId: number,
): readonly MessageKey[] {
  return [...ids, ...rowsOf(outbox, streamId, messages)];
}

/** What is on its way, without what already stands there as a message. */
function rowsOf(outbox: readonly Outgoing[], streamId: number, messages: readonly Message[]): readonly string[] {
  return outbox
    .filter((outgoing) => outgoing.streamId === streamId)
    .filter(({ messageId }) => messageId === undefined || !find(messages, messageId))
    .map(({ localKey }) => localKey);
}

function locate({ timelines, current }: State, id: number): Message | undefined {
  const open = current === undefined ? undefined : timelines.get(current);
  for (const { messages = [] } of open ? [open, ...timelines.values()] : timelines.values()) {
    const message = find(messages, id);
    if (message) return message;
  }
  return undefined;
}

function messageView(message: Message, sender: User | undefined, memberId: number | undefined): MessageView {
  const deleted = message.deleted ?? false;
  const file = deleted ? undefined : parseFileMessage(message.content);
  return {
    key: message.id,
    senderId: message.sender_id,
    senderFullName: sender?.full_name ?? message.sender_full_name,
    avatarUrl: sender?.avatar_url ?? message.avatar_url ?? undefined,
    content: deleted ? '' : message.content,
    timestamp: message.timestamp,
    topic: message.subject,
    align: message.sender_id === memberId ? 'right' : 'left',
    deleted,
    edited: message.last_edit_timestamp !== undefined,
    msgType: file ? 'file' : 'text',
    file,
    state: 'sent',
    progress: undefined,
    failure: undefined,
  };
}

/** The file of a row whose bytes are still on their way: it has no name on the server yet. */
function promised({ file }: Outgoing): FileMessage | undefined {
  return file && { name: nameOf(file), storedName: '', size: file.size };
}

function outgoingView(outgoing: Outgoing, me: Me): MessageView {
  const file = outgoing.fileMessage ?? promised(outgoing);
  return {
    key: outgoing.localKey,
    senderId: me.userId,
    senderFullName: me.fullName,
    avatarUrl: me.avatarUrl,
    content: contentOf(outgoing),
    timestamp: outgoing.timestamp,
    topic,
    align: 'right',
    deleted: false,
    edited: false,
    msgType: file ? 'file' : 'text',
    file,
    state: outgoing.state === 'waiting' ? 'sending' : outgoing.state,
    progress: outgoing.progress,
    failure: outgoing.failure,
  };
}
