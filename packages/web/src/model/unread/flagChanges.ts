import type { ServerEvent } from '@engawa/protocol';
import { isAlerted, isMention, type Flagged, type Flags } from './flagged.ts';

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
