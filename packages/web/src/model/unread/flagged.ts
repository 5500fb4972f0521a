/** Which messages are gathered for the member, by the flags that their content or the member gives them. Pure. */
import type { ServerEvent } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import { unreadIn, type Unread } from './unread.ts';

/** Ids of messages that may be unread, and some that are read by now. */
export interface Flagged {
  /** Those that call the member: by name, by a department or with all. */
  readonly mentioned: ReadonlySet<number>;
  /** Those that hold one of the member's alert words. */
  readonly alerted: ReadonlySet<number>;
  /** How often what bears a star may have become otherwise since it began. */
  readonly starChanges: number;
}

export const noneFlagged: Flagged = { mentioned: new Set(), alerted: new Set(), starChanges: 0 };

type Flags = readonly string[];

export const isMention = (flags: Flags): boolean => flags.includes('mentioned') || flags.includes('wildcard_mentioned');
export const isAlerted = (flags: Flags): boolean => flags.includes('has_alert_word');

/** THE rule of what counts as a mention: what is unread, is not just being marked as read, and calls the member. */
export function countMentions(
  { mentioned }: Flagged,
  unread: Unread,
  reading: ReadonlySet<number>,
  conversation: ConversationKey,
): number {
  return mentioned.size === 0 ? 0 : unreadIn(unread, conversation).intersection(mentioned).difference(reading).size;
}

export function flaggedAfter(flagged: Flagged, event: ServerEvent): Flagged {
  switch (event.type) {
    case 'message':
      return withFlags(flagged, event.message.id, event.flags);
    case 'update_message':
      // A change of the topic alone changes nobody's flags.
      return event.content === undefined ? flagged : withFlags(flagged, event.message_id, event.flags);
    case 'delete_message': {
      const ids = event.message_ids ?? [event.message_id ?? 0];
      return starsChanged(ids.reduce((rest, id) => withFlags(rest, id, []), flagged));
    }
    case 'update_message_flags': {
      if (event.flag === 'starred') return starsChanged(flagged);
      const details = Object.entries(event.message_details ?? {});
      const again = details.filter(([, { mentioned }]) => mentioned).map(([id]) => Number(id));
      return again.length === 0 ? flagged : { ...flagged, mentioned: flagged.mentioned.union(new Set(again)) };
    }
    default:
      return flagged;
  }
}

/** The same object where nothing is otherwise. */
function withFlags(flagged: Flagged, id: number, flags: Flags): Flagged {
  const mentioned = toggled(flagged.mentioned, id, isMention(flags));
  const alerted = toggled(flagged.alerted, id, isAlerted(flags));
  const isSame = mentioned === flagged.mentioned && alerted === flagged.alerted;
  return isSame ? flagged : { ...flagged, mentioned, alerted };
}

function starsChanged(flagged: Flagged): Flagged {
  return { ...flagged, starChanges: flagged.starChanges + 1 };
}

function toggled(ids: ReadonlySet<number>, id: number, is: boolean): ReadonlySet<number> {
  if (ids.has(id) === is) return ids;
  return is ? ids.union(new Set([id])) : ids.difference(new Set([id]));
}
