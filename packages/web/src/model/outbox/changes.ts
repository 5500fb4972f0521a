import type { FileMessage } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import { isTemporary, type Failure } from '../connection/failure.ts';
import type { ConversationKey } from '../streams/conversation.ts';
import { find, unloaded } from '../timeline/timeline.ts';
import { change, remove, settled, take, type Outgoing } from './outgoing.ts';
import type { OutboxState } from './state.ts';

const mostSentAs = 200;
const mostOwnFiles = 20;

/** Only sent messages of the open conversation that the server still has are kept: others are loaded when they are opened. */
export function outboxRestored<S extends OutboxState>(state: S, maxMessageId: number): S {
  // The server has lost the message: its newest messages were deleted, or a backup was restored.
  const isLost = ({ messageId }: Outgoing) => messageId !== undefined && messageId > maxMessageId;
  const stays = (row: Outgoing) => row.state !== 'sent' || (row.conversation === state.current && !isLost(row));
  return { ...state, outbox: state.outbox.filter(stays) };
}

export function outboxAfterPage<S extends OutboxState>(state: S, conversation: ConversationKey): S {
  const { messages = [] } = state.timelines.get(conversation) ?? unloaded;
  const newestId = messages.at(-1)?.id ?? 0;
  // A sent message that is missing although a newer one is loaded has been deleted.
  const outbox = state.outbox.filter(
    (each) => each.conversation !== conversation || each.state !== 'sent' || (each.messageId ?? Infinity) > newestId,
  );
  return { ...state, outbox: settled(outbox, state.memberId, conversation, messages) };
}

/** When the member sends in a conversation, it is no longer kept unread. */
export function queued<S extends OutboxState>(state: S, outgoing: readonly Outgoing[]): S {
  const keptUnread = outgoing.some(({ conversation }) => conversation === state.keptUnread) ? undefined : state.keptUnread;
  return { ...state, keptUnread, outbox: [...state.outbox, ...outgoing] };
}

export function attempted<S extends OutboxState>(state: S, localKey: string): S {
  const afterId = take(state.outbox, localKey)?.afterId ?? state.maxMessageId;
  return withOutgoing(state, localKey, { state: 'sending', afterId });
}

export function progressed<S extends OutboxState>(state: S, localKey: string, progress: number): S {
  return withOutgoing(state, localKey, { progress, failure: undefined });
}

export function uploaded<S extends OutboxState>(state: S, localKey: string, fileMessage: FileMessage): S {
  const files = withEntry(state.ownFiles, fileMessage.storedName, take(state.outbox, localKey)?.file);
  const ownFiles = new Map([...files].slice(-mostOwnFiles));
  return withOutgoing({ ...state, ownFiles }, localKey, { fileMessage, progress: undefined });
}

export function sendFailed<S extends OutboxState>(state: S, localKey: string, failure: Failure): S {
  // A message that the server has certainly refused cannot be the one with the same text that has arrived.
  const doubt = isTemporary(failure) ? {} : { messageId: undefined };
  return withOutgoing(state, localKey, { state: 'failed', failure, progress: undefined, ...doubt });
}

export function retried<S extends OutboxState>(state: S, localKey: string): S {
  return withOutgoing(state, localKey, { state: 'waiting', failure: undefined });
}

/** Called with the server's answer. The outgoing row is removed once the message itself has arrived, which may be before. */
export function delivered<S extends OutboxState>(state: S, localKey: string, messageId: number): S {
  const outgoing = take(state.outbox, localKey);
  if (!outgoing) return state;
  const timeline = state.timelines.get(outgoing.conversation) ?? unloaded;
  const hasArrived = find(timeline.messages ?? [], messageId) !== undefined;
  const isUnloaded = timeline.messages === undefined && timeline.loading === undefined;
  const answered = { ...state, maxMessageId: Math.max(state.maxMessageId, messageId) };
  if (hasArrived || isUnloaded) return discarded(answered, localKey);
  const changes = { state: 'sent', messageId, failure: undefined, progress: undefined } as const;
  return withSentAs(withOutgoing(answered, localKey, changes), messageId, localKey);
}

/** The row of a sent message keeps its key from the outbox, so that React keeps its element, with focus and pointer. */
export function withSentAs<S extends OutboxState>(state: S, messageId: number, localKey: string): S {
  return { ...state, sentAs: new Map([...state.sentAs, [messageId, localKey] as const].slice(-mostSentAs)) };
}

export function discarded<S extends OutboxState>(state: S, localKey: string): S {
  return { ...state, outbox: remove(state.outbox, localKey) };
}

function withOutgoing<S extends OutboxState>(state: S, localKey: string, changes: Partial<Outgoing>): S {
  return { ...state, outbox: change(state.outbox, localKey, changes) };
}
