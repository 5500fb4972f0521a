import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';
import { draft } from '../entities.ts';
import { maxDrafts } from '../limits.ts';

/** A draft as a client writes it. Unknown keys are refused. `timestamp`: when it was written; default: now. */
const writtenDraft = z.strictObject({
  ...z.pick(draft, { type: true, to: true, topic: true, content: true }).shape,
  timestamp: z.optional(z.number().check(z.gte(0))),
});
/** Ours: refuses with EXPECTATION_MISMATCH if the draft has another revision, so that no device overwrites another one. */
const revision = json(z.optional(z.int()));

/** https://zulip.com/api/get-drafts: the member's own drafts, the one with the oldest edit first. */
export const getDrafts = endpoint('GET', '/drafts', {
  bots: 'none',
  answer: z.object({ count: z.int(), drafts: z.array(draft) }),
});

/** https://zulip.com/api/create-drafts: answers the new ids in the order of `drafts`. */
export const createDrafts = endpoint('POST', '/drafts', {
  bots: 'none',
  parameters: { drafts: json(z.array(writtenDraft).check(z.maxLength(maxDrafts))) },
  answer: z.object({ ids: z.array(z.int()) }),
});

/** https://zulip.com/api/edit-draft: replaces a draft. */
export const editDraft = endpoint('PATCH', '/drafts/{draft_id}', {
  bots: 'none',
  parameters: { draft: json(writtenDraft), revision },
});

/** https://zulip.com/api/delete-draft */
export const deleteDraft = endpoint('DELETE', '/drafts/{draft_id}', { bots: 'none', parameters: { revision } });
