import { z } from 'zod/mini';
import { endpoint, text } from '../endpoint.ts';

/** https://zulip.com/api/add-reaction. The server derives absent fields from the name. */
export const addReaction = endpoint('POST', '/messages/{message_id}/reactions', {
  parameters: {
    emoji_name: text(z.string().check(z.maxLength(100))),
    emoji_code: text(z.optional(z.string().check(z.maxLength(100)))),
    reaction_type: text(z.optional(z.string().check(z.maxLength(100)))),
  },
});

/** https://zulip.com/api/remove-reaction: by name or by code. */
export const removeReaction = endpoint('DELETE', '/messages/{message_id}/reactions', {
  parameters: {
    emoji_name: text(z.optional(z.string().check(z.maxLength(100)))),
    emoji_code: text(z.optional(z.string().check(z.maxLength(100)))),
    reaction_type: text(z._default(z.string().check(z.maxLength(100)), 'unicode_emoji')),
  },
});
