/** Changes the member's own status (R2.24.1). It is shown at once and reverted if it is refused. */
import { updateStatus } from '@engawa/client';
import { busyEmoji } from '@engawa/protocol';
import type { Status } from './presence.ts';
import { ownStatusSet } from './changes.ts';
import type { ModelContext } from '../context.ts';
import type { Failure } from '../connection/failure.ts';
import type { PeopleState } from './state.ts';

const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: '' } as const;

export interface OwnStatus {
  /** Shown at once and reverted if it is refused. Statuses are sent one after the other, so that the last one wins. */
  setStatus(status: Status): Promise<Failure | undefined>;
}

export function createOwnStatus({ connection, store, judge, stop }: ModelContext<PeopleState>): OwnStatus {
  let last: Promise<unknown> = Promise.resolve();
  const own = () => {
    const { memberId, statuses } = store.state();
    return memberId === undefined ? undefined : statuses.get(memberId);
  };
  /** The server's value while a change is being sent. */
  let stored = own();
  let underWay = 0;

  async function send(status: Status): Promise<Failure | undefined> {
    try {
      await updateStatus(
        connection,
        {
          status_text: status.text,
          ...(status.busy ? busyEmoji : noEmoji),
          scheduled_end_time: status.until ?? null,
        },
        { signal: stop },
      );
      stored = status;
      return undefined;
    } catch (error) {
      if (stop.aborted) return undefined;
      // Unless the status was changed again meanwhile.
      if (own() === status) store.update((state) => ownStatusSet(state, stored));
      return judge(error);
    }
  }

  return {
    async setStatus(status) {
      if (underWay === 0) stored = own();
      underWay += 1;
      store.update((state) => ownStatusSet(state, status));
      const sending = last.then(() => send(status));
      last = sending;
      const failure = await sending;
      underWay -= 1;
      return failure;
    },
  };
}
