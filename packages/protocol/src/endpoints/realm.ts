import { z } from 'zod/mini';
import { endpoint, json, segment, text } from '../endpoint.ts';
import { botCreation, readReceiptsShown, realmEmojiMap } from '../entities.ts';
import { maxEmojiNameLength } from '../limits.ts';
import { linkifier } from '../linkifier.ts';

/** For administrators only. `read_receipts` and `bot_creation` are additions of ours. */
export const updateRealm = endpoint('PATCH', '/realm', {
  parameters: {
    enable_read_receipts: json(z.optional(z.boolean())),
    read_receipts: text(z.optional(readReceiptsShown)),
    /** Zulip's policies of before 10.0: 1 everyone, 3 administrators. */
    bot_creation_policy: json(z.optional(z.literal([1, 3]))),
    bot_creation: text(z.optional(botCreation)),
  },
});

/**
 * The file at `server_emoji_data_url`, which clients load without a key: the names of each Unicode emoji by its code, the usual
 * name first.
 */
export const getEmojiData = endpoint('GET', '/emoji_data', {
  authentication: 'none',
  answer: z.object({ code_to_names: z.record(z.string(), z.array(z.string())) }),
});

/** https://zulip.com/api/get-custom-emoji: also deactivated ones, since messages may still show them. */
export const getRealmEmoji = endpoint('GET', '/realm/emoji', { answer: z.object({ emoji: realmEmojiMap }) });

/**
 * https://zulip.com/api/deactivate-custom-emoji: by administrators and the member who added it. The program that embeds the chat
 * server stores pictures, so it serves POST /realm/emoji/{emoji_name}.
 */
export const deleteRealmEmoji = endpoint('DELETE', '/realm/emoji/{emoji_name}', {
  parameters: { emoji_name: segment(z.string().check(z.maxLength(maxEmojiNameLength))) },
});

/** https://zulip.com/api/get-linkifiers */
export const getLinkifiers = endpoint('GET', '/realm/linkifiers', { answer: z.object({ linkifiers: z.array(linkifier) }) });

/** Linkifiers before Zulip 4.0: pattern, address with `%(name)s`, id. */
export const getRealmFilters = endpoint('GET', '/realm/filters', {
  answer: z.object({ filters: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
});
