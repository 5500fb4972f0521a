import { z } from 'zod';
import { count, endpoint, json, text } from '../endpoint.ts';
import { message } from '../entities.ts';
import { narrow } from '../narrow.ts';

/** https://zulip.com/api/get-messages */
export const getMessages = endpoint({
  method: 'GET',
  path: '/messages',
  parameters: {
    /** `newest`, `oldest`, `first_unread` or a message id. */
    anchor: text(z.string().optional()),
    num_before: count(z.int()),
    num_after: count(z.int()),
    include_anchor: json(z.boolean().default(true)),
    narrow: json(narrow.default([]), { strict: true }),
    apply_markdown: json(z.boolean().default(true)),
    client_gravatar: json(z.boolean().default(true)),
    use_first_unread_anchor: json(z.boolean().default(false)),
    /** Ours: deleted messages keep their place, without content. */
    include_deleted: json(z.boolean().default(false)),
  },
  answer: z.object({
    /** A message id, or `newestAnchor`, which lies beyond the safe integers. */
    anchor: z.number(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean().optional(),
    messages: z.array(message),
  }),
});

/** https://zulip.com/api/send-message */
export const sendMessage = endpoint({
  method: 'POST',
  path: '/messages',
  parameters: {
    type: text(z.string()),
    /** For a stream its name (see `addressStream`), or as JSON its name or id; for a direct message ids or emails. */
    to: text(z.string()),
    topic: text(z.string().optional(), { aliases: ['subject'] }),
    content: text(z.string()),
    queue_id: text(z.string().optional()),
    local_id: text(z.string().max(100).optional()),
    read_by_sender: json(z.boolean().default(true)),
    /** Ours: a repeated send with the same id answers the first message and makes no second one. */
    client_message_id: text(z.uuid().toLowerCase().optional()),
  },
  answer: z.object({ id: z.int() }),
});

/** https://zulip.com/api/update-message-flags */
export const updateMessageFlags = endpoint({
  method: 'POST',
  path: '/messages/flags',
  parameters: { messages: json(z.array(z.int())), op: text(z.string()), flag: text(z.string()) },
  answer: z.object({ messages: z.array(z.int()) }),
});
