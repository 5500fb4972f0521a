/** Outgoing messages that the server has not confirmed. Pure functions; `outbox.ts` sends them. */
import { composeFileMessage, isStoredAs, sanitizeFileName, type FileMessage, type Message } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import { isRetried, type Failure } from '../connection/failure.ts';
import { generateKey } from './generate.ts';
import { find } from '../timeline/timeline.ts';

export interface Outgoing {
  /** A UUID: the row's key, the `local_id` of the send, and the `client_message_id` that makes repeats idempotent. */
  readonly localKey: string;
  readonly conversation: ConversationKey;
  readonly text: string;
  readonly file: File | undefined;
  readonly fileMessage: FileMessage | undefined;
  readonly timestamp: number;
  /** `sent`: the server has answered, but the message has not arrived yet. */
  readonly state: 'waiting' | 'sending' | 'failed' | 'sent';
  readonly progress: number | undefined;
  readonly failure: Failure | undefined;
  /** The highest known message id before the first attempt. The sent message gets a higher one. */
  readonly afterId: number | undefined;
  /** The id that the server has returned, or that of an arrived message with the same text while the answer is lost. */
  readonly messageId: number | undefined;
  /** Whether the message is on the disk; undefined until that is known. */
  readonly isStored: boolean | undefined;
}

type Outbox = readonly Outgoing[];

/** @param now Unix milliseconds. */
export function outgoing(conversation: ConversationKey, content: string | File, now: number): Outgoing {
  return {
    localKey: generateKey(now),
    conversation,
    text: typeof content === 'string' ? content : '',
    file: typeof content === 'string' ? undefined : content,
    fileMessage: undefined,
    timestamp: Math.floor(now / 1000),
    state: 'waiting',
    progress: undefined,
    failure: undefined,
    afterId: undefined,
    messageId: undefined,
    isStored: undefined,
  };
}

export function contentOf({ fileMessage, text }: Outgoing): string {
  return fileMessage ? composeFileMessage(fileMessage) : text;
}

export function nameOf(file: File): string {
  return sanitizeFileName(file.name) || '_';
}

export function change(outbox: Outbox, localKey: string, changes: Partial<Outgoing>): Outbox {
  return outbox.map((outgoing) => (outgoing.localKey === localKey ? { ...outgoing, ...changes } : outgoing));
}

export function remove(outbox: Outbox, localKey: string): Outbox {
  return outbox.filter((outgoing) => outgoing.localKey !== localKey);
}

export function take(outbox: Outbox, localKey: string): Outgoing | undefined {
  return outbox.find((outgoing) => outgoing.localKey === localKey);
}

export function isBeforeUpload({ file, fileMessage }: Outgoing): boolean {
  return file !== undefined && !fileMessage;
}

export function isUnsent({ state, messageId }: Outgoing): boolean {
  return state !== 'sent' && messageId === undefined;
}

/** Whether the message is sent without the member's action, because it was not refused. */
export function isToSend({ state, failure }: Outgoing): boolean {
  return state === 'failed' ? failure !== undefined && isRetried(failure) : state !== 'sent';
}

export function firstToSend(outbox: Outbox, conversation: ConversationKey): Outgoing | undefined {
  return outbox.find((outgoing) => outgoing.conversation === conversation && isToSend(outgoing));
}

/** The failure if the server refused the message itself. Other failures end with a retry or the next sign-in. */
export function refusalOf(failure: Failure | undefined): Failure | undefined {
  return failure && !isRetried(failure) && failure.kind !== 'signed-out' ? failure : undefined;
}

export function isHeld(outbox: Outbox, { state, conversation }: Outgoing): boolean {
  const holds = (other: Outgoing) => other.conversation === conversation && (other.state === 'failed' || isRetrying(other));
  return state === 'waiting' && outbox.some(holds);
}

/** Whether the message is being sent again after a failure, which is still shown: most retries without a network fail at once. */
export function isRetrying({ state, failure }: Outgoing): boolean {
  return state === 'sending' && failure !== undefined;
}

/**
 * The outbox after messages have arrived. Confirmed ones among them are removed. An unconfirmed one is matched by its text, so
 * that it is not shown twice while its answer is lost; the next attempt decides.
 */
export function settled(
  outbox: Outbox,
  memberId: number | undefined,
  conversation: ConversationKey,
  messages: readonly Message[],
): Outbox {
  if (!outbox.some((outgoing) => outgoing.conversation === conversation)) return outbox;
  const taken = new Set(outbox.map(({ messageId }) => messageId));
  const mine = messages.filter(({ sender_id }) => sender_id === memberId);

  return outbox.flatMap((outgoing) => {
    if (outgoing.conversation !== conversation) return [outgoing];
    const { state, messageId } = outgoing;
    if (state === 'sent' && messageId !== undefined && find(messages, messageId)) return [];
    if (messageId !== undefined) return [outgoing];
    const seeming = mine.find((message) => !taken.has(message.id) && mayBe(outgoing, message));
    taken.add(seeming?.id);
    return [seeming ? { ...outgoing, messageId: seeming.id } : outgoing];
  });
}

/** Whether a message may be the result of an attempt whose answer was lost. */
export function mayBe(outgoing: Outgoing, message: Message): boolean {
  if (outgoing.afterId === undefined || message.id <= outgoing.afterId) return false;
  const content = contentOf(outgoing);
  return content.trim() !== '' && isStoredAs(content, message.content);
}
