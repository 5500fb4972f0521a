import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import { readReceiptsShown, realmEmojiMap } from '../entities.ts';
import { linkifier } from '../linkifier.ts';

/** What the organisation has chosen for all, of which these are the server's: by administrators. */
export const updateRealm = endpoint({
  method: 'PATCH',
  path: '/realm',
  parameters: {
    enable_read_receipts: json(z.boolean().optional()),
    /** Ours: of which messages a member sees who has read them. */
    read_receipts: text(readReceiptsShown.optional()),
  },
  answer: z.object({}),
});

/** https://zulip.com/api/get-custom-emoji: those that were taken away, too, since messages may still show them. */
export const getRealmEmoji = endpoint({
  method: 'GET',
  path: '/realm/emoji',
  parameters: {},
  answer: z.object({ emoji: realmEmojiMap }),
});

/** https://zulip.com/api/get-linkifiers */
export const getLinkifiers = endpoint({
  method: 'GET',
  path: '/realm/linkifiers',
  parameters: {},
  answer: z.object({ linkifiers: z.array(linkifier) }),
});

/** The same as Zulip before 4.0 had it: pattern, address with `%(name)s`, id. */
export const getRealmFilters = endpoint({
  method: 'GET',
  path: '/realm/filters',
  parameters: {},
  answer: z.object({ filters: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
});
