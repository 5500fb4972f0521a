/** What the member has sent and nobody has confirmed yet. Pure; the sending itself is in sender.ts. */
import { composeFileMessage, sanitizeFileName, type FileMessage, type Message } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import { goesOn, type Failure } from '../connection/failure.ts';
import { generateKey } from './generate.ts';
import { find } from '../timeline/timeline.ts';

export interface Outgoing {
  /** A UUID: the row's key, the `local_id` of the send, and the `client_message_id` that makes repeats harmless. */
  readonly localKey: string;
  readonly conversation: ConversationKey;
  /** Empty when it is a file. */
  readonly text: string;
  readonly file: File | undefined;
  /** What the file's message says, as soon as the bytes are on the server. */
  readonly fileMessage: FileMessage | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  /** `sent` when the server has answered and the message itself has not come yet. */
  readonly state: 'waiting' | 'sending' | 'failed' | 'sent';
  readonly progress: number | undefined;
  readonly failure: Failure | undefined;
  /** The highest message id when it was first tried: it can be none of the older messages. */
  readonly afterId: number | undefined;
  /** The message that it has become, or seems to have become while the answer is lost. */
  readonly messageId: number | undefined;
  /** Whether it outlives the page; undefined while nobody knows. */
  readonly kept: boolean | undefined;
}

type Outbox = readonly Outgoing[];

/**
 * What has just been sent.
 * @param now Unix milliseconds.
 */
export function outgoing(conversation: ConversationKey, content: string | File, now: number): Outgoing {
  return {
    localKey: generateKey(),
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
    kept: undefined,
  };
}

export function contentOf({ fileMessage, text }: Outgoing): string {
  return fileMessage ? composeFileMessage(fileMessage) : text;
}

/** The file's name as its message carries it; there is no file message without one. */
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

/** Whether its file is not on the server yet: then nobody else can have heard of it. */
export function isBeforeUpload({ file, fileMessage }: Outgoing): boolean {
  return file !== undefined && !fileMessage;
}

/** Whether something in it that is no message yet lives only as long as the page. */
export function holdsUnkept(outbox: Outbox): boolean {
  return outbox.some((outgoing) => !outgoing.kept && isUnsent(outgoing));
}

export function unsent(outbox: Outbox): number {
  return outbox.filter(isUnsent).length;
}

function isUnsent({ state, messageId }: Outgoing): boolean {
  return state !== 'sent' && messageId === undefined;
}

/** Whether it goes on by itself: nothing was said against it. */
export function isToSend({ state, failure }: Outgoing): boolean {
  return state === 'failed' ? failure !== undefined && goesOn(failure) : state !== 'sent';
}

/** Whether a message waits for an earlier one of its conversation that could not be sent. */
export function isHeld(outbox: Outbox, { state, conversation }: Outgoing): boolean {
  return state === 'waiting' && outbox.some((other) => other.conversation === conversation && other.state === 'failed');
}

/**
 * The outbox after messages of a conversation became known. What the server has confirmed goes when its message is there.
 * What is still in doubt is recognised by its text, so that its row does not stand beside the message while the answer
 * is lost; whether that was right the next try will say.
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

/** Whether a message may be what a try, whose answer is lost, has made. Servers trim what they are given. */
export function mayBe(outgoing: Outgoing, message: Message): boolean {
  if (outgoing.afterId === undefined || message.id <= outgoing.afterId) return false;
  const content = contentOf(outgoing).trim();
  return content !== '' && message.content.trim() === content;
}
