/** Messages that mention the member, contain an alert word or have a star. Pure functions. */
import type { ConversationKey } from '../streams/conversation.ts';
import { unreadIn, type Unread } from './unread.ts';

/** Message ids. Some of these messages may be read by now, so that they count only if they are unread. */
export interface Flagged {
  /** Messages that mention the member: by name, by group or with all. */
  readonly mentioned: ReadonlySet<number>;
  readonly alerted: ReadonlySet<number>;
  /** Counts changes that may concern starred messages, so that the list of stars knows when to load again. */
  readonly starChanges: number;
}

export const noneFlagged: Flagged = { mentioned: new Set(), alerted: new Set(), starChanges: 0 };

export type Flags = readonly string[];

export const isMention = (flags: Flags): boolean => flags.includes('mentioned') || flags.includes('wildcard_mentioned');
export const isAlerted = (flags: Flags): boolean => flags.includes('has_alert_word');

export function countMentions(
  { mentioned }: Flagged,
  unread: Unread,
  excluded: ReadonlySet<number>,
  conversation: ConversationKey,
): number {
  return mentioned.size === 0 ? 0 : unreadIn(unread, conversation).intersection(mentioned).difference(excluded).size;
}
