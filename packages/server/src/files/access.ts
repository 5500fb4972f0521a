import type { FileMessage, SentFileMessage, SentFiles } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { type Connection, getMessage, isApiError } from '@engawa/client';
import { type Message, parseFileMessage, sanitizeFileName, uploadsLinkedIn } from '@engawa/protocol';
import type { ConnectAs } from '../chat/connections.ts';
import type { Member } from '../sessions/member.ts';
import { type FileRow, files } from './store.ts';

const maxChecked = 20;
/** The newest messages with the name of a file, of which some may not carry it. */
const mostExamined = 1000;
/** The id of a message that was about to be sent (`SentFiles.expect`). */
const expected = 0;

export interface FileAccessDependencies {
  readonly sentFiles: Pick<SentFiles, 'messagesOfFile'>;
  readonly connectAs: ConnectAs;
}

/**
 * THE rule for downloads (R3.3.2): the uploader until the file is sent, then the readers of a message that carries it.
 * Every message is fetched with the reader's own authorization, so the rule holds on any server of the chat API.
 * @param hint the message that the reader opened the file from.
 */
export async function mayDownload(
  member: Member,
  file: FileRow,
  hint: number | undefined,
  { sentFiles, connectAs }: FileAccessDependencies,
): Promise<boolean> {
  const carrying = messagesCarrying(file, sentFiles)
    .map(({ id }) => id)
    .filter((id) => id !== expected);
  const connection = connectAs(member.authorization);
  for (const id of idsToCheck(carrying, hint)) {
    const message = await readable(connection, id);
    if (message && carries(message, file)) return true;
  }
  return carrying.length === 0 && file.sent === 0 && member.id === file.uploader_id;
}

/** The newest messages that carry the file, the newest first. @param most how many messages it examines. */
export function messagesCarrying(
  file: FileRow,
  sentFiles: Pick<SentFiles, 'messagesOfFile'>,
  most = mostExamined,
): readonly SentFileMessage[] {
  return sentFiles.messagesOfFile(file.uploader_id, file.stored_name, most).filter((message) => carries(message, file));
}

interface NoteDependencies {
  readonly database: Database;
  readonly sentFiles: Pick<SentFiles, 'note' | 'expect'>;
}

/** Keeps the file of a message that is about to be sent: the message may arrive although its answer does not. */
export async function expectSentFile(content: string, { database, sentFiles }: NoteDependencies): Promise<void> {
  const named = parseFileMessage(content);
  const file = named && files.find(database.reader, named.storedName);
  if (!file) return;
  const message = { sender_id: file.uploader_id, content };
  if (carries(message, file)) await sentFiles.expect(message, file.stored_name);
}

/** Marks the file as sent. Its uploader then reads it only through a message, and loses access with the message. */
export async function noteSentFile(message: FileMessage, { database, sentFiles }: NoteDependencies): Promise<void> {
  const named = parseFileMessage(message.content);
  for (const storedName of [...(named ? [named.storedName] : []), ...uploadsLinkedIn(message.content)]) {
    const file = files.find(database.reader, storedName);
    if (!file || !carries(message, file)) continue;
    await sentFiles.note(message, storedName);
    await database.write((tx) => files.markSent(tx, storedName));
  }
}

/** The hinted message comes first: it may be older than the newest `maxChecked`. */
function idsToCheck(carrying: readonly number[], hint: number | undefined): readonly number[] {
  const ids = hint === undefined ? carrying : [hint, ...carrying.filter((id) => id !== hint)];
  return ids.slice(0, maxChecked);
}

/**
 * The message must be by the file's uploader, with its name and size or a link to it, so that others cannot gain access by naming it.
 */
export function carries({ sender_id, content }: Pick<Message, 'sender_id' | 'content'>, file: FileRow): boolean {
  if (sender_id === file.uploader_id && uploadsLinkedIn(content).includes(file.stored_name)) return true;
  const named = parseFileMessage(content);
  return (
    sender_id === file.uploader_id &&
    named?.storedName === file.stored_name &&
    named.size === file.size &&
    // Both names are normalised, because files of older versions may have names that are not allowed now.
    sanitizeFileName(named.name) === sanitizeFileName(file.name)
  );
}

/** @returns undefined for a message that is deleted or unreadable. */
async function readable(connection: Connection, message_id: number): Promise<Message | undefined> {
  try {
    return (await getMessage(connection, { message_id, apply_markdown: false })).message;
  } catch (error) {
    if (isApiError(error, 'BAD_REQUEST')) return undefined;
    throw error;
  }
}
