import { type ParametersOut, sendMessage } from '@engawa/protocol';
import { z } from 'zod';
import { type Clock, seconds } from '../clock.ts';
import { visibleStream } from '../conversations/access.ts';
import { type StreamRow, conversations } from '../conversations/store.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../http/errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { ownedRange } from '../reading/flags.ts';
import { add } from '../reading/ranges.ts';
import { readStates } from '../reading/store.ts';
import type { Member } from '../users/member.ts';
import { cleanContent, cleanTopic } from './content.ts';
import { messages } from './store.ts';

type Sending = ParametersOut<typeof sendMessage>;

export function sendRoute(database: Database, log: EventLog, clock: Clock): Route {
  return memberRoute(sendMessage, async (sending, { member, client }) => {
    const id = await database.write((tx) => {
      const earlier = sentBefore(tx, member, sending.client_message_id);
      if (earlier !== undefined) return earlier;
      const destination = destinationOf(tx, member, sending);
      return send(tx, log, member, destination, sending, client, seconds(clock));
    });
    return { id };
  });
}

/** Sending twice is sending once: the id that a client gave an earlier send of its own. */
function sentBefore(reader: Reader, member: Member, clientMessageId: string | undefined): number | undefined {
  return clientMessageId === undefined ? undefined : messages.byClientId(reader, member.id, clientMessageId);
}

function destinationOf(reader: Reader, member: Member, { type, to, topic }: Sending): { stream: StreamRow; topic: string } {
  if (type === 'direct' || type === 'private') {
    throw refused.because('Direct messages are disabled in this organization.');
  }
  if (type !== 'stream' && type !== 'channel') throw refused.because('Invalid type');
  return { stream: streamAddressed(reader, member, to), topic: cleanTopic(topic) };
}

const streamReference = z.union([z.string(), z.int(), z.tuple([z.union([z.string(), z.int()])]).transform(([only]) => only)]);

/** `to` is a name as it is, or as JSON a name or an id, alone or in a list of one. */
function streamAddressed(reader: Reader, member: Member, to: string): StreamRow {
  const named = referenceIn(to);
  if (named === '') throw refused.because('Missing stream');
  const stream = visibleStream(reader, member.id, named);
  if (!stream) throw typeof named === 'number' ? refused.noSuchStreamId(named) : refused.noSuchStream(named);
  return stream;
}

function referenceIn(to: string): string | number {
  let json: unknown;
  try {
    json = JSON.parse(to);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return to.trim();
  }
  const reference = streamReference.safeParse(json);
  if (!reference.success) throw refused.because('Invalid data type for stream');
  return typeof reference.data === 'string' ? reference.data.trim() : reference.data;
}

/** Writes a message down with its event. The work does not grow with the audience. */
export function send(
  tx: Transaction,
  log: EventLog,
  sender: { readonly id: number },
  { stream, topic }: { readonly stream: StreamRow; readonly topic: string },
  sending: Pick<Sending, 'content' | 'queue_id' | 'local_id' | 'read_by_sender' | 'client_message_id'>,
  client: string,
  now: number,
): number {
  const conversationId = stream.conversation_id;
  const id = messages.insert(tx, {
    conversation_id: conversationId,
    sender_id: sender.id,
    topic,
    content: cleanContent(sending.content),
    client,
    timestamp: now,
  });
  conversations.noteFirstMessage(tx, conversationId, id);
  if (sending.client_message_id !== undefined) {
    const client_message_id = sending.client_message_id;
    messages.rememberClientId(tx, { sender_id: sender.id, client_message_id, message_id: id, sent: now });
  }
  if (sending.read_by_sender) {
    const read = add(readStates.ranges(tx, sender.id, conversationId), ownedRange(tx, conversationId, id));
    readStates.put(tx, sender.id, conversationId, read);
  }
  log.append(tx, {
    type: 'message',
    reach: 'members',
    reachId: conversationId,
    messageId: id,
    payload: { queue_id: sending.queue_id, local_id: sending.local_id },
  });
  return id;
}
