import { isAlerted, isMention } from '../../model/unread/flagged.ts';
import type { NotificationLevel } from '../../model/streams/notifying.ts';
import type { Arrival } from '../../model/unread/arrivals.ts';

/** The settings that decide whether a message is announced. */
export interface Situation {
  readonly memberId: number;
  /** The member wants notifications, on all their devices. */
  readonly wanted: boolean;
  /** The notification level of the stream; undefined for a direct conversation. */
  readonly level: NotificationLevel | undefined;
  /** Somebody looks at its conversation now, in whichever tab of this browser. */
  readonly isBeingRead: boolean;
}

/**
 * THE rule of which messages a notification tells of: direct messages, what calls the member or holds a word of theirs,
 * and all of the streams for which they chose so. Never of their own, of what they have read or are just reading, or of a
 * muted stream; and of a correction only where it calls the member and the message was not told of when it came.
 */
export function announces(
  { senderId, flags, corrected }: Pick<Arrival, 'senderId' | 'flags' | 'corrected'>,
  { memberId, wanted, level, isBeingRead }: Situation,
): boolean {
  if (!wanted || isBeingRead || senderId === memberId || flags.includes('read')) return false;
  if (level === undefined || level === 'all') return !corrected;
  return level === 'mentions' && (isMention(flags) || isAlerted(flags));
}
