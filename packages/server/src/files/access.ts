import type { Database, Reader } from '@engawa/chat-server/database';
import { type Connection, getMessage, isApiError } from '@engawa/client';
import { type Message, parseFileMessage, sanitizeFileName } from '@engawa/protocol';
import type { SentMessage } from '../chat/forward.ts';
import type { Speaker } from '../chat/connections.ts';
import type { Member } from '../sessions/member.ts';
import { type FileRow, files } from './store.ts';

/** Most messages of one file that are asked about, the newest of them. */
const mostAsked = 20;

export interface FileAccess {
  mayDownload(member: Member, file: FileRow, messageHint: number | undefined): Promise<boolean>;
  /** Remembers where a file was sent. A hint for later: who may read that message is asked anew each time. */
  noteSend(sent: SentMessage): Promise<void>;
}

export function createFileAccess(database: Database, speak: Speaker): FileAccess {
  const bind = (file: FileRow, message_id: number) =>
    database.write((tx) => files.insertMessage(tx, { stored_name: file.stored_name, message_id }));

  return {
    /**
     * THE rule of who may have a file (R3.3.2): its uploader until it is sent, then those who may read a message it
     * was sent in. A message counts when it is its uploader's and names this file with its size, so that writing the
     * name of another's file into a message gives nothing.
     */
    async mayDownload(member, file, messageHint) {
      const bound = files.messages(database.reader, file.stored_name, mostAsked);
      const connection = speak(member.authorization);
      for (const id of idsToAsk(bound, messageHint)) {
        const message = await readable(connection, id);
        if (!message || !carries(message, file)) continue;
        if (!bound.includes(id)) await bind(file, id);
        return true;
      }
      return bound.length === 0 && member.id === file.uploader_id;
    },

    async noteSend({ authorization, content, messageId }) {
      const file = namedIn(content, database.reader);
      if (!file) return;
      const message = await readable(speak(authorization), messageId);
      if (message && carries(message, file)) await bind(file, messageId);
    },
  };
}

/** What the asker names first, then what is known. */
function idsToAsk(bound: readonly number[], hint: number | undefined): readonly number[] {
  if (hint === undefined) return bound;
  return [hint, ...bound.filter((id) => id !== hint)].slice(0, mostAsked);
}

function namedIn(content: string, reader: Reader): FileRow | undefined {
  const named = parseFileMessage(content);
  const file = named && files.find(reader, named.storedName);
  return file?.size === named?.size ? file : undefined;
}

/** Whether a file was sent in a message: the message is its uploader's and names it, with its name and size. */
export function carries({ sender_id, content }: Pick<Message, 'sender_id' | 'content'>, file: FileRow): boolean {
  const named = parseFileMessage(content);
  return (
    sender_id === file.uploader_id &&
    named?.storedName === file.stored_name &&
    named.size === file.size &&
    // What a card is called is what is saved. Both by the rule of today, which an old upload did not meet.
    sanitizeFileName(named.name) === sanitizeFileName(file.name)
  );
}

/** A message as whoever the connection speaks for may read it. */
async function readable(connection: Connection, message_id: number): Promise<Message | undefined> {
  try {
    return (await getMessage(connection, { message_id, apply_markdown: false })).message;
  } catch (error) {
    // One that is gone, or not theirs to read.
    if (isApiError(error, 'BAD_REQUEST')) return undefined;
    throw error;
  }
}
