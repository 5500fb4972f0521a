import { z } from 'zod';
import { count, endpoint, json, path, text } from '../endpoint.ts';
import { historyEntry, message } from '../entities.ts';
import { narrow } from '../narrow.ts';

/** https://zulip.com/api/get-messages */
export const getMessages = endpoint({
  method: 'GET',
  path: '/messages',
  parameters: {
    /** `newest`, `oldest`, `first_unread`, `date` or a message id. */
    anchor: text(z.string().optional()),
    /** For the anchor `date`: a day or a time by ISO 8601, of UTC where it names no zone. */
    anchor_date: text(z.string().max(100).optional()),
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
    /**
     * Ours, where the oldest was not found: all that the narrow holds from this id up to the anchor is in the answer, so
     * that the next call goes on before it.
     */
    oldest_examined: z.int().optional(),
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
    to: text(z.string().default('')),
    topic: text(z.string().optional(), { aliases: ['subject'] }),
    content: text(z.string()),
    queue_id: text(z.string().max(100).optional()),
    local_id: text(z.string().max(100).optional()),
    read_by_sender: json(z.boolean().default(true)),
    /** The program that sends, as the message will name it. A page in a browser cannot say it in the User-Agent. */
    client: text(z.string().optional()),
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
  answer: z.object({
    messages: z.array(z.int()),
    /** Streams whose messages did not become unread, because the member is not subscribed to them. */
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
});

/** https://zulip.com/api/get-message */
export const getMessage = endpoint({
  method: 'GET',
  path: '/messages/{message_id}',
  parameters: { message_id: path(), apply_markdown: json(z.boolean().default(true)) },
  /** `raw_content` is the text as it was typed, also where `message` is HTML. */
  answer: z.object({ message, raw_content: z.string() }),
});

/** https://zulip.com/api/update-message */
export const editMessage = endpoint({
  method: 'PATCH',
  path: '/messages/{message_id}',
  parameters: {
    message_id: path(),
    content: text(z.string().optional()),
    /** Of what is to be replaced: where the message says something else, nothing changes. Before feature level 379 it means nothing. */
    prev_content_sha256: text(z.string().optional()),
    topic: text(z.string().optional(), { aliases: ['subject'] }),
    /** Whose topic changes: that of this message, of those after it as well, or of all under the topic. */
    propagate_mode: text(z.enum(['change_one', 'change_later', 'change_all']).default('change_one')),
    stream_id: json(z.int().optional()),
    send_notification_to_old_thread: json(z.boolean().default(false)),
    send_notification_to_new_thread: json(z.boolean().default(true)),
  },
  answer: z.object({}),
});

/** https://zulip.com/api/delete-message */
export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}',
  parameters: { message_id: path() },
  answer: z.object({}),
});

/** https://zulip.com/api/get-message-history: the oldest first. */
export const getMessageHistory = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/history',
  parameters: { message_id: path() },
  answer: z.object({ message_history: z.array(historyEntry) }),
});

/**
 * https://zulip.com/api/get-read-receipts: who of those that a message was sent to has read it, without its author and
 * without those who do not say what they read.
 */
export const getReadReceipts = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  parameters: { message_id: path() },
  answer: z.object({
    user_ids: z.array(z.int()),
    /** Ours: the others that it was sent to. */
    unread_user_ids: z.array(z.int()).optional(),
    /** Ours: those who do not say what they read, whether they have read it or not. */
    withheld_user_ids: z.array(z.int()).optional(),
  }),
});

/** Ours: how many have read each of some messages of one conversation. Those that one may not know of are left out. */
export const countReadReceipts = endpoint({
  method: 'GET',
  path: '/read_receipts',
  parameters: { messages: json(z.array(z.int())) },
  answer: z.object({ read_counts: z.array(z.object({ message_id: z.int(), count: z.int() })) }),
});

/** https://zulip.com/api/render-message: the text as HTML. */
export const renderMessage = endpoint({
  method: 'POST',
  path: '/messages/render',
  parameters: { content: text(z.string()) },
  answer: z.object({ rendered: z.string() }),
});

/** https://zulip.com/api/add-reaction. What is not said is looked up from the name. */
export const addReaction = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  parameters: {
    message_id: path(),
    emoji_name: text(z.string().max(100)),
    emoji_code: text(z.string().max(100).optional()),
    reaction_type: text(z.string().max(100).optional()),
  },
  answer: z.object({}),
});

/** https://zulip.com/api/remove-reaction: by name or by code. */
export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  parameters: {
    message_id: path(),
    emoji_name: text(z.string().max(100).optional()),
    emoji_code: text(z.string().max(100).optional()),
    reaction_type: text(z.string().max(100).default('unicode_emoji')),
  },
  answer: z.object({}),
});
