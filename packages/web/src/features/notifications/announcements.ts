/**
 * Which tab tells of what has come: the one that polls, and none beside it. The others keep in mind what they have heard until
 * that one says that it stands on the screen: it may be closed in between, and then whoever polls next tells.
 */
import type { Clock } from '@engawa/client';
import { z } from 'zod';
import type { Arrival } from '../../model/unread/arrivals.ts';

/** Milliseconds. */
const lookEvery = 1000;
/** Milliseconds after which it is no news any more. */
const newsFor = 30_000;

const word = z.object({ told: z.array(z.string()) });

export interface AnnouncementsOptions {
  /** Whether it is this tab that polls. */
  readonly polls: () => boolean;
  /** Resolves when the member has been told. */
  readonly announce: (arrivals: readonly Arrival[]) => Promise<void>;
  /** To the member's other tabs. */
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
  /** What another tab is to tell of. */
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
    if (kept.size > 0) stopLooking ??= clock.after(lookEvery, look);
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

/** A message that is corrected may be told of again. */
function keyOf({ messageId, corrected }: Arrival): string {
  return corrected ? `${messageId} corrected` : String(messageId);
}
