import { type MessageCall, type MessageCard, type ParametersOut, maxMutersPerMessage, sendMessage } from '@engawa/protocol';
import { z } from 'zod';
import { seconds } from '../clock.ts';
import { type Viewer, isMember, visibleStream } from '../conversations/access.ts';
import { restorePutAway } from '../streams/properties.ts';
import { directConversation, requireDirectConsent } from '../conversations/direct.ts';
import { recipientsIn, valueIn } from '../conversations/recipients.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { flagByContent } from './contentFlags.ts';
import { ownedRange } from '../reading/flags.ts';
import { mutedUsers } from '../reading/mutedUsers.ts';
import { readStates } from '../reading/store.ts';
import type { Member } from '../identity/member.ts';
import { bots } from '../identity/bots.ts';
import { memberNow } from '../identity/currentMember.ts';
import { cleanContent, cleanTopic } from './content.ts';
import { fileLinks } from './fileLinks.ts';
import { featuresOf } from './features.ts';
import type { MessageDependencies, WriteDependencies } from './dependencies.ts';
import { writtenCall, writtenCards } from './notice.ts';
import { messages } from './store.ts';

type AddressDependencies = Pick<WriteDependencies, 'log' | 'groups'>;
type Sending = ParametersOut<typeof sendMessage>;

/** A member who sends, as they are in the transaction of the send. */
interface Sender {
  readonly member: Member;
  /** The members who have muted the sender. */
  readonly muters: readonly number[];
  /** The streams to which the sender has sent and may send, by the parameter `to`. */
  readonly streams: Map<string, StreamRow>;
}

const mostSenders = 5000;
const mostStreamsOfSender = 20;
/** Longer texts than names of streams are not remembered. */
const longestName = 100;
/** All tables that decide about a sender and their streams. */
const tablesOfSenders = ['user', 'api_key', 'membership', 'conversation', 'stream', 'muted_user'];

export function sendRoute({ database, clock, ...dependencies }: MessageDependencies): Route {
  const senderOf = database.untilChange(tablesOfSenders, mostSenders, (reader, keyId: number): Sender => {
    const member = memberNow(reader, { keyId });
    return { member, muters: mutedUsers.mutersOf(reader, member.id, maxMutersPerMessage), streams: new Map() };
  });
  return memberRoute(sendMessage, async (sending, { member: { keyId }, client }) => {
    const change = (tx: Transaction) => {
      const sender = senderOf(keyId, tx);
      const { member, muters } = sender;
      const earlier = sentBefore(tx, member, sending.client_message_id);
      if (earlier !== undefined) return earlier;
      const destination = destinationOf(tx, dependencies, member, addressed(tx, member, sending), sender.streams);
      return send(tx, dependencies, { id: member.id, muters }, destination, sending, client, seconds(clock));
    };
    return { id: await database.write(change, { mayRunAgain: true }) };
  });
}

/** Finds the message that the member already sent with this client id, so that a repeated call stores no second message. */
function sentBefore(reader: Reader, member: Member, clientMessageId: string | undefined): number | undefined {
  return clientMessageId === undefined ? undefined : messages.byClientId(reader, member.id, clientMessageId);
}

/** A bot may leave out the recipient of a message to its default stream. */
function addressed(reader: Reader, { id, ownerId }: Member, sending: Sending): Sending {
  const stream = ownerId !== null && sending.to === '' ? bots.byId(reader, id)?.default_sending_stream : undefined;
  return typeof stream === 'number' ? { ...sending, to: String(stream) } : sending;
}

/** The conversation and topic to which a message is sent. A direct message has no topic. */
export interface Destination {
  readonly conversationId: number;
  readonly topic: string;
  /** Whether it is known that the stream has had a message. */
  readonly isBegun?: boolean;
}

export function destinationOf(
  tx: Transaction,
  dependencies: AddressDependencies,
  member: Viewer,
  { type, to, topic }: Pick<Sending, 'type' | 'to' | 'topic'>,
  known: Sender['streams'] = new Map(),
): Destination {
  switch (type) {
    case 'direct':
    case 'private':
      return { conversationId: directAddressed(tx, dependencies, member, to), topic: '' };
    case 'stream':
    case 'channel': {
      const stream = known.get(to) ?? streamAddressed(tx, member, to);
      if (to.length <= longestName && known.size < mostStreamsOfSender) known.set(to, stream);
      return { conversationId: stream.conversation_id, topic: cleanTopic(topic), isBegun: stream.first_message_id !== null };
    }
    default:
      throw refused.because('Invalid type');
  }
}

function directAddressed(tx: Transaction, { log, groups }: AddressDependencies, member: Viewer, to: string): number {
  const participants = recipientsIn(tx, member, to).map((user) => user.id);
  if (participants.length === 0) throw refused.because('Message must have recipients');
  requireDirectConsent(tx, groups, member, participants);
  return directConversation(tx, log, participants);
}

const nameOrId = z.union([z.string(), z.int()]);
const streamReference = z.union([nameOrId, z.tuple([nameOrId]).transform(([only]) => only)]);

/** @param to a stream name, or JSON with a name or an id, alone or as the only element of a list. */
function streamAddressed(reader: Reader, member: Viewer, to: string): StreamRow {
  const named = referenceIn(to);
  if (named === '') throw refused.because('Missing stream');
  const stream = visibleStream(reader, member, named);
  if (!stream) throw typeof named === 'number' ? refused.noSuchStreamId(named) : refused.noSuchStream(named);
  return stream;
}

function referenceIn(to: string): string | number {
  const reference = streamReference.safeParse(valueIn(to));
  if (!reference.success) throw refused.because('Invalid data type for stream');
  return typeof reference.data === 'string' ? reference.data.trim() : reference.data;
}

type SentText = Pick<Sending, 'content' | 'queue_id' | 'local_id' | 'read_by_sender' | 'client_message_id'> & {
  /** The call that the message announces. */
  readonly call?: MessageCall;
  /** The cards of a message from a hook. */
  readonly cards?: readonly MessageCard[];
};

function noticeOf({ call, cards }: Pick<SentText, 'call' | 'cards'>): string | null {
  if (cards !== undefined) return writtenCards(cards);
  return call === undefined ? null : writtenCall(call);
}

/** Stores a message and its event. The work does not grow with the number of recipients. */
export function send(
  tx: Transaction,
  { log, ...dependencies }: WriteDependencies,
  sender: { readonly id: number; readonly muters?: readonly number[] },
  { conversationId, topic, isBegun = false }: Destination,
  sending: SentText,
  client: string,
  now: number,
): number {
  const text = { content: cleanContent(sending.content), client };
  const id = messages.insert(tx, {
    ...text,
    conversation_id: conversationId,
    sender_id: sender.id,
    topic,
    features: featuresOf(text),
    read_by_sender: Number(sending.read_by_sender),
    timestamp: now,
    notice: noticeOf(sending),
  });
  fileLinks.put(tx, { id, sender_id: sender.id, content: text.content });
  if (!isBegun) streams.noteFirstMessage(tx, conversationId, id);
  if (sending.client_message_id !== undefined) {
    const client_message_id = sending.client_message_id;
    messages.insertClientId(tx, { sender_id: sender.id, client_message_id, message_id: id, sent: now });
  }
  const { muters = mutedUsers.mutersOf(tx, sender.id, maxMutersPerMessage) } = sender;
  readByMuters(tx, muters, conversationId, id);
  const mentioned = flagByContent(tx, dependencies, {
    ...text,
    id,
    conversation_id: conversationId,
    sender_id: sender.id,
  });
  restorePutAway(tx, log, conversationId, sender.id, mentioned);
  log.append(tx, {
    type: 'message',
    reach: 'members',
    reachId: conversationId,
    messageId: id,
    payload: { queue_id: sending.queue_id, local_id: sending.local_id },
  });
  return id;
}

/** A message is read at once for the members who have muted its sender. The work grows with their number. */
function readByMuters(tx: Transaction, muters: readonly number[], conversationId: number, id: number): void {
  if (muters.length === 0) return;
  const range = ownedRange(tx, conversationId, id);
  for (const userId of muters) if (isMember(tx, conversationId, userId)) readStates.add(tx, userId, conversationId, [range]);
}
