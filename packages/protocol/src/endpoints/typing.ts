import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';

/** https://zulip.com/api/set-typing-status */
export const setTypingStatus = endpoint('POST', '/typing', {
  parameters: {
    op: text(z.string()),
    type: text(z._default(z.string(), 'direct')),
    /** For a direct message: see `addressDirect`. */
    to: text(z.optional(z.string().check(z.maxLength(20_000)))),
    stream_id: json(z.optional(z.int())),
    topic: text(z.optional(z.string().check(z.maxLength(10_000)))),
  },
});
