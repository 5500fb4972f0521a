/** Messages that mention the member, contain an alert word or have a star. Pure functions. */
import type { ServerEvent } from '@engawa/protocol';
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

type Flags = readonly string[];

export const isMention = (flags: Flags): boolean => flags.includes('mentioned') || flags.includes('wildcard_mentioned');
export const isAlerted = (flags: Flags): boolean => flags.includes('has_alert_word');

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
      // If only the topic has changed, the event has no flags.
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
