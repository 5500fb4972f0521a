import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { realmEmojiMap } from '../entities.ts';
import { linkifier } from '../linkifier.ts';

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
