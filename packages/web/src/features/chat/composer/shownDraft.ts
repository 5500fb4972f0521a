import { maxMessageLength } from '@engawa/protocol';
import { isBlank } from '../../../model/outbox/blank.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Drafts } from './drafts.ts';

/** What the composer shows of a draft besides its text, which is the field's. */
export interface ShownDraft {
  readonly files: readonly File[];
  /** The names of those that are no longer there. */
  readonly lostFiles: readonly string[];
  readonly hasText: boolean;
  /** How long the text is where it is too long to be sent: the server would cut it without a word. */
  readonly tooLong: number | undefined;
}

export function shownDraft(drafts: Drafts, conversation: ConversationKey): ShownDraft {
  const { text, files } = drafts.get(conversation);
  const trimmed = isBlank(text) ? '' : text.trim();
  return { files, lostFiles: drafts.lostFiles(conversation), hasText: trimmed !== '', tooLong: excessOf(trimmed) };
}

/** Characters are code points; a text that is short in UTF-16 need not be counted. */
export function excessOf(text: string): number | undefined {
  if (text.length <= maxMessageLength) return undefined;
  const length = [...text].length;
  return length > maxMessageLength ? length : undefined;
}
