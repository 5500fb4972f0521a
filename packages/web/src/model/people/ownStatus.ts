/** The member's own status (R2.24.1). */
import { updateStatus } from '@engawa/client';
import { busyEmoji } from '@engawa/protocol';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { createOptimistic } from '../optimistic.ts';
import { ownStatusSet } from './changes.ts';
import type { Status } from './presence.ts';
import type { PeopleState } from './state.ts';

const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: '' } as const;

export interface OwnStatus {
  /** Shown at once and reverted if it is refused. */
  setStatus(status: Status): Promise<Failure | undefined>;
}

export function createOwnStatus(context: ModelContext<PeopleState>): OwnStatus {
  const { connection, stop: signal } = context;
  return {
    setStatus: createOptimistic<PeopleState, Status | undefined>(context, {
      select: ({ memberId, statuses }) => (memberId === undefined ? undefined : statuses.get(memberId)),
      set: ownStatusSet,
      async send(status) {
        const { text = '', busy = false, until = null } = status ?? {};
        const parameters = { status_text: text, ...(busy ? busyEmoji : noEmoji), scheduled_end_time: until };
        await updateStatus(connection, parameters, { signal });
      },
    }),
  };
}
