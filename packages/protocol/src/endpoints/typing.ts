import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';

/** https://zulip.com/api/set-typing-status */
export const setTypingStatus = endpoint('POST', '/typing', {
  parameters: {
    op: text(z.string()),
    type: text(z.string().default('direct')),
    /** For a direct message: see `addressDirect`. */
    to: text(z.string().max(20_000).optional()),
    stream_id: json(z.int().optional()),
    topic: text(z.string().max(10_000).optional()),
  },
});
