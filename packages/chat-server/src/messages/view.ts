import type { Message } from '@engawa/protocol';
import { renderHtml } from './html.ts';
import type { MessageRow } from './store.ts';

/** A message as the chat API shows it, the same to everyone who may read it; flags are the reader's own. */
export function messageView(row: MessageRow, applyMarkdown: boolean): Omit<Message, 'flags'> {
  return {
    id: row.id,
    type: 'stream',
    sender_id: row.sender_id,
    sender_email: row.email,
    sender_full_name: row.full_name,
    sender_realm_str: '',
    avatar_url: row.avatar_url,
    client: row.client,
    timestamp: row.timestamp,
    content: applyMarkdown ? renderHtml(row.content) : row.content,
    content_type: applyMarkdown ? 'text/html' : 'text/x-markdown',
    is_me_message: row.content.startsWith('/me '),
    recipient_id: row.conversation_id,
    display_recipient: row.stream_name,
    stream_id: row.conversation_id,
    subject: row.topic,
    topic_links: [],
    reactions: [],
    submessages: [],
    ...(row.last_edit_timestamp === null ? {} : { last_edit_timestamp: row.last_edit_timestamp }),
    ...(row.deleted === null ? {} : { deleted: true }),
  };
}
