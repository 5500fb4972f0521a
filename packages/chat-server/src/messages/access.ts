import { type Viewer, mayRead } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type MessageRow, messages } from './store.ts';

/** @throws ChatError the same `Invalid message(s)` for a missing, deleted or unreadable message, to reveal no difference. */
export function readableMessage(reader: Reader, viewer: Viewer, id: number): MessageRow {
  const message = messages.withSender(reader, id);
  if (!message || message.deleted !== null || !mayRead(reader, viewer, message)) throw refused.invalidMessages();
  return message;
}
