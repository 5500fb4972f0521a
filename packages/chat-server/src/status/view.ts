import type { UserStatus } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { type Status, statuses } from './store.ts';

export const noStatus = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '', ends: null } as const;

/** A status for answers. Empty properties are left out, as Zulip does; events have them. */
export function statusView(row: Status = noStatus): UserStatus {
  const { status_text, emoji_name, emoji_code, reaction_type, ends } = row;
  return {
    ...(status_text === '' ? {} : { status_text }),
    ...(emoji_name === '' ? {} : { emoji_name, emoji_code, reaction_type }),
    ...(ends === null ? {} : { scheduled_end_time: ends }),
  };
}

export function statusesFor(reader: Reader, visibility: Visibility, viewer: Viewer): Record<string, UserStatus> {
  const shown = statuses.all(reader).filter(({ user_id }) => visibility.canSee('status_audience', user_id, viewer));
  return Object.fromEntries(shown.map((row) => [row.user_id, statusView(row)]));
}
