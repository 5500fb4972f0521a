import { z } from 'zod/mini';
import { endpoint, json, segment, text } from '../endpoint.ts';
import { botCreation } from '../bots.ts';
import { readReceiptsShown, realmEmojiMap } from '../entities.ts';
import { profileField } from '../profileField.ts';
import { maxEmojiNameLength, maxLinkifiers, maxProfileFields } from '../limits.ts';
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

const rule = { pattern: text(z.string()), url_template: text(z.string(), { aliases: ['url_format_string'] }) };

/** https://zulip.com/api/add-linkifier: by administrators, like all changes of linkifiers, playgrounds and profile fields. */
export const addLinkifier = endpoint('POST', '/realm/filters', { parameters: rule, answer: z.object({ id: z.int() }) });

/** https://zulip.com/api/update-linkifier */
export const updateLinkifier = endpoint('PATCH', '/realm/filters/{filter_id}', { parameters: rule });

/** https://zulip.com/api/remove-linkifier */
export const removeLinkifier = endpoint('DELETE', '/realm/filters/{filter_id}');

/** https://zulip.com/api/reorder-linkifiers: the first has precedence. */
export const reorderLinkifiers = endpoint('PATCH', '/realm/linkifiers', {
  parameters: { ordered_linkifier_ids: json(z.array(z.int()).check(z.maxLength(maxLinkifiers))) },
});

/** https://zulip.com/api/add-code-playground */
export const addPlayground = endpoint('POST', '/realm/playgrounds', {
  parameters: { name: text(z.string()), pygments_language: text(z.string()), url_template: text(z.string()) },
  answer: z.object({ id: z.int() }),
});

/** https://zulip.com/api/remove-code-playground */
export const removePlayground = endpoint('DELETE', '/realm/playgrounds/{playground_id}');

/** https://zulip.com/api/get-custom-profile-fields */
export const getProfileFields = endpoint('GET', '/realm/profile_fields', {
  answer: z.object({ custom_fields: z.array(profileField) }),
});

const choices = z.record(z.string(), z.object({ text: z.string(), order: z.string() }));
const fieldProperties = {
  name: text(z.optional(z.string())),
  hint: text(z.optional(z.string())),
  field_data: json(z.optional(choices)),
  display_in_profile_summary: json(z.optional(z.boolean())),
};

/** https://zulip.com/api/create-custom-profile-field */
export const createProfileField = endpoint('POST', '/realm/profile_fields', {
  parameters: { ...fieldProperties, field_type: json(z.int()) },
  answer: z.object({ id: z.int() }),
});

export const updateProfileField = endpoint('PATCH', '/realm/profile_fields/{field_id}', { parameters: fieldProperties });

export const deleteProfileField = endpoint('DELETE', '/realm/profile_fields/{field_id}');

/** https://zulip.com/api/reorder-custom-profile-fields */
export const reorderProfileFields = endpoint('PATCH', '/realm/profile_fields', {
  parameters: { order: json(z.array(z.int()).check(z.maxLength(maxProfileFields))) },
});

/** Linkifiers before Zulip 4.0: pattern, address with `%(name)s`, id. */
export const getRealmFilters = endpoint('GET', '/realm/filters', {
  answer: z.object({ filters: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
});
