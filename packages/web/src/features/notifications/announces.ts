import { isAlerted, isMention } from '../../model/unread/flagged.ts';
import type { NotificationLevel } from '../../model/streams/notifying.ts';
import type { Arrival } from '../../model/unread/arrivals.ts';

export interface Situation {
  readonly memberId: number;
  readonly wanted: boolean;
  readonly level: NotificationLevel | undefined;
  readonly isBeingRead: boolean;
}

/**
 * The one rule for notifications: direct messages, mentions, alert words, all messages of streams with the level `all`, and
 * notices that the member was added to a stream (the server marks them as read for others).
 * Own messages, read messages, visible conversations and muted streams never notify. An edited message notifies only if it
 * mentions the member or contains an alert word, and was not announced before.
 */
export function announces(
  { senderId, flags, corrected, notice }: Pick<Arrival, 'senderId' | 'flags' | 'corrected' | 'notice'>,
  { memberId, wanted, level, isBeingRead }: Situation,
): boolean {
  if (!wanted || isBeingRead || senderId === memberId || flags.includes('read')) return false;
  if (level === undefined || level === 'all') return !corrected;
  return level === 'mentions' && (isMention(flags) || isAlerted(flags) || notice !== undefined);
}
