import type { Database, Reader } from '@engawa/chat-server/database';
import { ApiError, type Connection, getMessages } from '@engawa/client';
import { type Message, parseFileMessage } from '@engawa/protocol';
import type { SentMessage } from '../chat/forward.ts';
import type { Speaker } from '../chat/speaker.ts';
import type { Member } from '../sessions/member.ts';
import { originalName } from './originalName.ts';
import { type FileMessageRow, type FileRow, files } from './store.ts';

/** Most messages of one file that are asked about, the newest of them. */
const mostAsked = 20;

export interface FileAccess {
  mayDownload(member: Member, file: FileRow, messageHint: number | undefined): Promise<boolean>;
  /** Remembers where a file was sent. A hint for later: who may read that message is asked anew each time. */
  noteSend(sent: SentMessage): Promise<void>;
}

export function createFileAccess(database: Database, speak: Speaker): FileAccess {
  const bind = (file: FileRow, message: Message) =>
    database.write((tx) => {
      const { id: message_id, stream_id = null } = message;
      files.insertMessage(tx, { stored_name: file.stored_name, message_id, stream_id });
    });

  return {
    /**
     * THE rule of who may have a file (R3.3.2): its uploader until it is sent, then those who may read a message it
     * was sent in. A message counts when it is its uploader's and names this file with its size, so that writing the
     * name of another's file into a message gives nothing.
     */
    async mayDownload(member, file, messageHint) {
      const bound = files.messages(database.reader, file.stored_name, mostAsked);
      for (const place of placesToAsk(bound, messageHint)) {
        const message = await readAs(speak, member.authorization, place);
        if (!message || !carries(message, file)) continue;
        if (!bound.some(({ message_id }) => message_id === message.id)) await bind(file, message);
        return true;
      }
      return bound.length === 0 && member.id === file.uploader_id;
    },

    async noteSend({ authorization, content, messageId }) {
      const file = namedIn(content, database.reader);
      if (!file) return;
      const message = await readAs(speak, authorization, { message_id: messageId, stream_id: null });
      if (message && carries(message, file)) await bind(file, message);
    },
  };
}

type Place = Pick<FileMessageRow, 'message_id' | 'stream_id'>;

/** What the asker names first, then what is known. */
function placesToAsk(bound: readonly Place[], hint: number | undefined): readonly Place[] {
  if (hint === undefined) return bound;
  const known = bound.find(({ message_id }) => message_id === hint);
  const first = known ?? { message_id: hint, stream_id: null };
  return [first, ...bound.filter((place) => place !== known)].slice(0, mostAsked);
}

function namedIn(content: string, reader: Reader): FileRow | undefined {
  const named = parseFileMessage(content);
  const file = named && files.find(reader, named.storedName);
  return file?.size === named?.size ? file : undefined;
}

function carries({ sender_id, content }: Message, file: FileRow): boolean {
  const named = parseFileMessage(content);
  return (
    sender_id === file.uploader_id
    && named?.storedName === file.stored_name
    && named.size === file.size
    // What a card is called is what is saved.
    && originalName(named.name) === file.name
  );
}

/**
 * A message as the member may read it. The chat API answers what was sent before a member joined only when the stream
 * is named; when the message was moved since, or is a direct one, it is found without.
 */
async function readAs(
  speak: Speaker,
  authorization: string,
  { message_id, stream_id }: Place,
): Promise<Message | undefined> {
  const connection = speak(authorization);
  const inStream = stream_id === null ? undefined : await lookUp(connection, message_id, stream_id);
  return inStream ?? lookUp(connection, message_id);
}

async function lookUp(connection: Connection, id: number, streamId?: number): Promise<Message | undefined> {
  try {
    const { messages } = await getMessages(connection, {
      anchor: String(id),
      num_before: 0,
      num_after: 0,
      apply_markdown: false,
      narrow: streamId === undefined ? [] : [{ operator: 'stream', operand: streamId }],
    });
    return messages.find((message) => message.id === id);
  } catch (error) {
    // A stream that the member may not read, or that is gone.
    if (error instanceof ApiError && error.code === 'BAD_NARROW') return undefined;
    throw error;
  }
}
