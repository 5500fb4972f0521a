import { z } from 'zod/mini';
import { count, endpoint, json, text } from '../endpoint.ts';
import { message } from '../entities.ts';
import { narrow } from '../narrow.ts';

/** https://zulip.com/api/get-messages */
export const getMessages = endpoint('GET', '/messages', {
  parameters: {
    /** `newest`, `oldest`, `first_unread`, `date` or a message id. */
    anchor: text(z.optional(z.string())),
    /** For the anchor `date`: an ISO 8601 day or time, in UTC unless it has a zone. */
    anchor_date: text(z.optional(z.string().check(z.maxLength(100)))),
    num_before: count(),
    num_after: count(),
    /** Instead of an anchor and the two counts, which are required without it: exactly these messages, of those that are readable. */
    message_ids: json(z.optional(z.array(z.int()))),
    include_anchor: json(z._default(z.boolean(), true)),
    narrow: json(z._default(narrow, []), { strict: true }),
    apply_markdown: json(z._default(z.boolean(), true)),
    client_gravatar: json(z._default(z.boolean(), true)),
    use_first_unread_anchor: json(z._default(z.boolean(), false)),
    /** Ours: include deleted messages, without content. */
    include_deleted: json(z._default(z.boolean(), false)),
  },
  answer: z.object({
    /** A message id or `newestAnchor`, which is not a safe integer. With `message_ids` the lowest of them. */
    anchor: z.number(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.optional(z.boolean()),
    /** Ours, absent with `found_oldest`: the answer has every match from this id to the anchor. The next page ends before it. */
    oldest_examined: z.optional(z.int()),
    messages: z.array(message),
  }),
});

/** https://zulip.com/api/check-messages-match-narrow: those that the member may read and that match, by id. */
export const checkMessagesMatchNarrow = endpoint('GET', '/messages/matches_narrow', {
  parameters: { msg_ids: json(z.array(z.int())), narrow: json(narrow, { strict: true }) },
  answer: z.object({ messages: z.record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() })) }),
});

/** https://zulip.com/api/send-message */
export const sendMessage = endpoint('POST', '/messages', {
  bots: 'all',
  parameters: {
    type: text(z.string()),
    /** A stream's name (see `addressStream`), or its name or id as JSON; for a direct message ids or emails. */
    to: text(z._default(z.string(), '')),
    topic: text(z.optional(z.string()), { aliases: ['subject'] }),
    content: text(z.string()),
    queue_id: text(z.optional(z.string().check(z.maxLength(100)))),
    local_id: text(z.optional(z.string().check(z.maxLength(100)))),
    read_by_sender: json(z._default(z.boolean(), true)),
    /** The name of the client. Other programs send it in the User-Agent, which a browser page cannot set. */
    client: text(z.optional(z.string())),
    /** Ours: a client's own id of the message. A repeated send with the same id creates nothing and answers the first message. */
    client_message_id: text(z.optional(z.uuid().check(z.toLowerCase()))),
  },
  answer: z.object({ id: z.int() }),
});

/** https://zulip.com/api/update-message-flags */
export const updateMessageFlags = endpoint('POST', '/messages/flags', {
  parameters: { messages: json(z.array(z.int())), op: text(z.string()), flag: text(z.string()) },
  answer: z.object({
    messages: z.array(z.int()),
    /** Streams whose messages stayed read, because the member is not subscribed. */
    ignored_because_not_subscribed_channels: z.optional(z.array(z.int())),
  }),
});

/** https://zulip.com/api/update-message-flags-for-narrow: of at most `maxMessagesPerFlagCall` messages around the anchor. */
export const updateMessageFlagsForNarrow = endpoint('POST', '/messages/flags/narrow', {
  parameters: {
    /** Like that of `getMessages`. */
    anchor: text(z.string()),
    num_before: count(),
    num_after: count(),
    include_anchor: json(z._default(z.boolean(), true)),
    narrow: json(narrow, { strict: true }),
    op: text(z.string()),
    flag: text(z.string()),
  },
  answer: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.nullable(z.int()),
    last_processed_id: z.nullable(z.int()),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    /** As in `updateMessageFlags`. */
    ignored_because_not_subscribed_channels: z.optional(z.array(z.int())),
  }),
});

/** https://zulip.com/api/mark-all-as-read: the newest unread messages. `complete` is false if older ones are left. */
export const markAllAsRead = endpoint('POST', '/mark_all_as_read', { answer: z.object({ complete: z.boolean() }) });

/** https://zulip.com/api/mark-stream-as-read */
export const markStreamAsRead = endpoint('POST', '/mark_stream_as_read', { parameters: { stream_id: json(z.int()) } });

/** https://zulip.com/api/mark-topic-as-read */
export const markTopicAsRead = endpoint('POST', '/mark_topic_as_read', {
  parameters: { stream_id: json(z.int()), topic_name: text(z.string()) },
});
