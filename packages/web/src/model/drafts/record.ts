import { z } from 'zod/mini';
import { isBlank } from '../outbox/blank.ts';
import type { ConversationKey } from '../streams/conversation.ts';
import type { Drafts } from './drafts.ts';

const draftRecord = z.object({
  /** The draft on the server that the text of this device continues, at that revision. */
  id: z.optional(z.int()),
  revision: z._default(z.int(), 0),
  /** The text that the server has, as far as this device knows. The text of this device is unsaved if it differs. */
  content: z._default(z.string(), ''),
  /** The text of the last call without an answer: the server may have it. */
  tried: z.optional(z.string()),
  /** The last draft that was deleted from here: it may still be in events that were sent before. */
  gone: z.optional(z.int()),
});
export type DraftRecord = z.output<typeof draftRecord>;

const none: DraftRecord = { revision: 0, content: '' };

export function recordOf(drafts: Drafts, conversation: ConversationKey): DraftRecord {
  try {
    return draftRecord.parse(JSON.parse(drafts.record(conversation) || '{}'));
  } catch {
    // Nothing is lost without a readable record, because the text then counts as unsaved.
    return none;
  }
}

export function keepRecord(drafts: Drafts, conversation: ConversationKey, record: z.input<typeof draftRecord>): void {
  const isEmpty = Object.values(record).every((value) => value === undefined);
  drafts.keepRecord(conversation, isEmpty ? '' : JSON.stringify(record));
}

/** The conversations with a text that is only on this device, or with chosen files, which always are. */
export function unsavedDrafts(drafts: Drafts): readonly ConversationKey[] {
  return [...drafts.conversations()].filter((conversation) => {
    const { text, files } = drafts.get(conversation);
    return files.length > 0 || (!isBlank(text) && text !== recordOf(drafts, conversation).content);
  });
}
