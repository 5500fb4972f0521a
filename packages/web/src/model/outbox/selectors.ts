import type { FileMessage, Message } from '@engawa/protocol';
import { topic } from '../constants.ts';
import type { Failure } from '../connection/failure.ts';
import { memoise, perKey, perObject, stable } from '../memoise.ts';
import { selectMe, type Me } from '../people/selectors.ts';
import type { ConversationKey } from '../streams/conversation.ts';
import { noReactions, selectSentMessage, type MessageKey, type MessageView } from '../timeline/message.ts';
import { find, type Destination, type Load } from '../timeline/timeline.ts';
import { contentOf, isHeld, isRetrying, isUnsent, nameOf, take, type Outgoing } from './outgoing.ts';
import type { OutboxState } from './state.ts';

export type Loading = 'older' | 'newer' | 'destination';

/** The rows of a conversation: messages, the oldest first, then those that are being sent. */
export interface Timeline {
  readonly keys: readonly MessageKey[];
  readonly sentAs: ReadonlyMap<MessageKey, string>;
  /** `failed` only if there is no message to show. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly failure: Failure | undefined;
  readonly loading: Loading | undefined;
  readonly failed: Loading | undefined;
  readonly foundOldest: boolean;
  /** Whether `keys` contains the newest message. If not, new messages are not added and nothing counts as read. */
  readonly foundNewest: boolean;
  readonly destination: Destination | undefined;
  readonly firstUnread: number | undefined;
}

/** Whether closing the page would lose a message, because it is not stored on the disk yet or cannot be. */
export const selectHoldsUnstored = ({ outbox }: OutboxState) =>
  outbox.some((outgoing) => !outgoing.isStored && isUnsent(outgoing));
/** How many messages, with files, wait to be sent, are being sent, or could not be sent. */
export const selectUnsent = ({ outbox }: OutboxState) => outbox.filter(isUnsent).length;

const outgoingViews = perObject<Outgoing, typeof outgoingView>(() => memoise(outgoingView));

export function selectMessage(state: OutboxState, key: MessageKey): MessageView | undefined {
  if (typeof key === 'number') return selectSentMessage(state, key);
  const outgoing = take(state.outbox, key);
  const me = selectMe(state);
  return outgoing && me && outgoingViews(outgoing)(outgoing, me, isHeld(state.outbox, outgoing));
}

/** Unix seconds. Selected alone, so that a row with only a time does not render again when the text changes. */
export const selectTimestamp = (state: OutboxState, key: MessageKey) => selectMessage(state, key)?.timestamp;

/** Seconds within which a compact list shows two messages of a member under one picture and name. */
const groupedWithin = 300;

export function selectContinues(state: OutboxState, key: MessageKey, previousKey: MessageKey | undefined): boolean {
  const previous = previousKey === undefined ? undefined : selectMessage(state, previousKey);
  const message = selectMessage(state, key);
  if (!previous || !message || previous.notice || message.called) return false;
  const isSameSender = previous.senderId === message.senderId && previous.topic === message.topic;
  return isSameSender && message.timestamp - previous.timestamp <= groupedWithin;
}

export function selectOwnFile({ outbox, ownFiles }: OutboxState, { key, file }: Pick<MessageView, 'key' | 'file'>) {
  return typeof key === 'string' ? take(outbox, key)?.file : file && ownFiles.get(file.storedName);
}

function outgoingView(outgoing: Outgoing, me: Me, held: boolean): MessageView {
  const file = outgoing.fileMessage ?? fileBeforeUpload(outgoing);
  return {
    key: outgoing.localKey,
    senderId: me.userId,
    senderFullName: me.fullName,
    avatarUrl: me.avatarUrl,
    content: contentOf(outgoing),
    dialect: 'engawa',
    timestamp: outgoing.timestamp,
    topic,
    align: 'right',
    deleted: false,
    edited: false,
    called: undefined,
    starred: false,
    reactions: noReactions,
    msgType: file ? 'file' : 'text',
    file,
    state: stateOf(outgoing, held),
    progress: outgoing.progress,
    failure: outgoing.failure,
  };
}

function stateOf(outgoing: Outgoing, held: boolean): MessageView['state'] {
  if (held) return 'held';
  if (isRetrying(outgoing)) return 'retrying';
  return outgoing.state === 'waiting' ? 'sending' : outgoing.state;
}

function fileBeforeUpload({ file }: Outgoing): FileMessage | undefined {
  return file && { name: nameOf(file), storedName: '', size: file.size };
}

const keysOf = perObject((messages: readonly Message[]) =>
  memoise((outbox: readonly Outgoing[], conversation: ConversationKey): readonly MessageKey[] => [
    ...messages.map(({ id }) => id),
    ...rowsOf(outbox, conversation, messages),
  ]),
);
const stableKeys = perKey<ConversationKey, (keys: readonly MessageKey[]) => readonly MessageKey[]>(stable);
const stableViews = perKey<ConversationKey, (view: Timeline) => Timeline>(stable);
const noMessages: readonly Message[] = [];
const noOutgoing: readonly Outgoing[] = [];

export function selectTimeline({ timelines, outbox, sentAs }: OutboxState, conversation: ConversationKey): Timeline | undefined {
  const timeline = timelines.get(conversation);
  if (!timeline) return undefined;
  const { messages, failure, loading, failed, foundOldest, foundNewest, destination, firstUnread } = timeline;
  const keys = keysOf(messages ?? noMessages)(foundNewest ? outbox : noOutgoing, conversation);
  return stableViews(conversation)({
    keys: stableKeys(conversation)(keys),
    sentAs,
    status: messages ? 'ready' : failure ? 'failed' : 'loading',
    failure,
    loading: loadingOf(loading, destination),
    failed: loadingOf(failed, destination),
    foundOldest,
    foundNewest,
    destination,
    firstUnread,
  });
}

/** Shows no progress while messages are loaded again after missed events, because nobody asked for that. */
function loadingOf(load: Load | undefined, destination: Destination | undefined): Loading | undefined {
  if (load === 'older' || load === 'newer') return load;
  return load !== undefined && destination?.state === 'sought' ? 'destination' : undefined;
}

function rowsOf(outbox: readonly Outgoing[], conversation: ConversationKey, messages: readonly Message[]): readonly string[] {
  return outbox
    .filter((outgoing) => outgoing.conversation === conversation)
    .filter(({ messageId }) => messageId === undefined || !find(messages, messageId))
    .map(({ localKey }) => localKey);
}
