import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { message } from '../entities.ts';

/** https://zulip.com/api/get-message */
export const getMessage = endpoint('GET', '/messages/{message_id}', {
  parameters: { apply_markdown: json(z._default(z.boolean(), true)) },
  /** `raw_content` is the source text, even if `message` has HTML. */
  answer: z.object({ message, raw_content: z.string() }),
});

/** https://zulip.com/api/update-message */
export const editMessage = endpoint('PATCH', '/messages/{message_id}', {
  parameters: {
    content: text(z.optional(z.string())),
    /** The hash of the content before the edit: EXPECTATION_MISMATCH if the content has changed. Ignored before level 379. */
    prev_content_sha256: text(z.optional(z.string())),
    topic: text(z.optional(z.string()), { aliases: ['subject'] }),
    /** Whether the topic changes for this message only, for it and later ones, or for all in the topic. */
    propagate_mode: text(z._default(z.enum(['change_one', 'change_later', 'change_all']), 'change_one')),
    stream_id: json(z.optional(z.int())),
    send_notification_to_old_thread: json(z._default(z.boolean(), false)),
    send_notification_to_new_thread: json(z._default(z.boolean(), true)),
  },
});

/** https://zulip.com/api/delete-message */
export const deleteMessage = endpoint('DELETE', '/messages/{message_id}');

/** A message after one edit; the first entry is the message as sent. */
export const historyEntry = z.object({
  user_id: z.nullable(z.int()),
  timestamp: z.int(),
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  prev_content: z.optional(z.string()),
  prev_rendered_content: z.optional(z.string()),
  prev_topic: z.optional(z.string()),
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** https://zulip.com/api/get-message-history: oldest first. */
export const getMessageHistory = endpoint('GET', '/messages/{message_id}/history', {
  answer: z.object({ message_history: z.array(historyEntry) }),
});

/** https://zulip.com/api/render-message */
export const renderMessage = endpoint('POST', '/messages/render', {
  parameters: { content: text(z.string()) },
  answer: z.object({ rendered: z.string() }),
});
