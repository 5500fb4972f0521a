import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { serverEvent } from '../events.ts';

/** https://zulip.com/api/get-events: waits for an event unless `dont_block`. */
export const getEvents = endpoint('GET', '/events', {
  counted: false,
  parameters: {
    queue_id: text(z.string()),
    last_event_id: json(z.int()),
    dont_block: json(z._default(z.boolean(), false)),
  },
  answer: z.object({ events: z.array(serverEvent), queue_id: z.optional(z.string()) }),
});
