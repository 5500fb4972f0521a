/**
 * Lets only the polling tab announce new messages. The other tabs remember a message until the polling tab reports that it
 * has announced it. If that tab is closed first, the next polling tab announces the message.
 */
import type { Clock } from '@engawa/client';
import { z } from 'zod/mini';
import type { Arrival } from '../../model/unread/arrivals.ts';

const checkMilliseconds = 1000;
/** Milliseconds after which a message is no longer announced. */
const newsFor = 30_000;

const word = z.object({ told: z.array(z.string()) });

export interface AnnouncementsOptions {
  readonly polls: () => boolean;
  readonly announce: (arrivals: readonly Arrival[]) => Promise<void>;
  readonly channel: BroadcastChannel;
  readonly clock: Clock;
}

export interface Announcements {
  hear(arrival: Arrival): void;
  stop(): void;
}

export function createAnnouncements({ polls, announce, channel, clock }: AnnouncementsOptions): Announcements {
  const post = channel.postMessage.bind(channel);
  let stopped = false;
  let come: Arrival[] = [];
  const kept = new Map<string, { readonly arrival: Arrival; readonly since: number }>();
  let stopLooking: (() => void) | undefined;

  async function tell(arrivals: readonly Arrival[]): Promise<void> {
    await announce(arrivals);
    if (!stopped) post({ told: arrivals.map(keyOf) } satisfies z.input<typeof word>);
  }

  function look(): void {
    stopLooking = undefined;
    for (const [key, { since }] of kept) if (clock.now() - since >= newsFor) kept.delete(key);
    if (polls() && kept.size > 0) {
      const left = [...kept.values()];
      kept.clear();
      void tell(left.map(({ arrival }) => arrival));
    }
    lookLater();
  }

  function lookLater(): void {
    if (kept.size > 0) stopLooking ??= clock.after(checkMilliseconds, look);
  }

  const onWord = ({ data }: MessageEvent) => word.safeParse(data).data?.told.forEach((key) => kept.delete(key));
  channel.addEventListener('message', onWord);

  return {
    hear(arrival) {
      if (!polls()) {
        kept.set(keyOf(arrival), { arrival, since: clock.now() });
        lookLater();
        return;
      }
      come.push(arrival);
      if (come.length > 1) return;
      queueMicrotask(() => {
        const together = come;
        come = [];
        void tell(together);
      });
    },
    stop() {
      stopped = true;
      stopLooking?.();
      channel.removeEventListener('message', onWord);
    },
  };
}

/** An edited message may be announced again. */
function keyOf({ messageId, corrected }: Arrival): string {
  return corrected ? `${messageId} corrected` : String(messageId);
}
