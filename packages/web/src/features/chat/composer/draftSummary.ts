import { isBlank } from '../../../model/outbox/blank.ts';
import { excessOf } from '../../../model/outbox/excess.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Drafts } from '../../../model/drafts/drafts.ts';

export interface DraftSummary {
  readonly files: readonly File[];
  readonly lostFiles: readonly string[];
  readonly hasText: boolean;
  /** Length of a text that is too long to send, else undefined. The server would cut it silently. */
  readonly tooLong: number | undefined;
}

export function summarizeDraft(drafts: Drafts, conversation: ConversationKey): DraftSummary {
  const { text, files } = drafts.get(conversation);
  const trimmed = isBlank(text) ? '' : text.trim();
  return { files, lostFiles: drafts.lostFiles(conversation), hasText: trimmed !== '', tooLong: excessOf(trimmed) };
}
