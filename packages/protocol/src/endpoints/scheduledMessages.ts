import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { scheduledMessage } from '../scheduledMessage.ts';
import { maxDirectParticipants } from '../limits.ts';

const type = z.enum(['direct', 'private', 'stream', 'channel']);
const to = z.union([z.int(), z.array(z.int()).check(z.minLength(1), z.maxLength(maxDirectParticipants))]);

/** https://zulip.com/api/get-scheduled-messages: those of the member that are not sent, in the order of their times. */
export const getScheduledMessages = endpoint('GET', '/scheduled_messages', {
  answer: z.object({ scheduled_messages: z.array(scheduledMessage) }),
});

/** https://zulip.com/api/create-scheduled-message */
export const createScheduledMessage = endpoint('POST', '/scheduled_messages', {
  parameters: {
    type: text(type),
    to: json(to),
    content: text(z.string()),
    topic: text(z.optional(z.string())),
    /** Unix seconds. */
    scheduled_delivery_timestamp: json(z.int()),
  },
  answer: z.object({ scheduled_message_id: z.int() }),
});

/** https://zulip.com/api/update-scheduled-message: a changed type needs `to`, and a failed message a new time. */
export const updateScheduledMessage = endpoint('PATCH', '/scheduled_messages/{scheduled_message_id}', {
  parameters: {
    type: text(z.optional(type)),
    to: json(z.optional(to)),
    content: text(z.optional(z.string())),
    topic: text(z.optional(z.string())),
    scheduled_delivery_timestamp: json(z.optional(z.int())),
  },
});

/** https://zulip.com/api/delete-scheduled-message */
export const deleteScheduledMessage = endpoint('DELETE', '/scheduled_messages/{scheduled_message_id}');
