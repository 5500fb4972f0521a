/**
 * Which tab tells of what has come: the one that polls, and none beside it. The others keep in mind what they have heard until
 * that one says that it has told of it: it may be closed in between, and then whoever polls next tells.
 */
import { z } from 'zod';
import type { Arrival } from '../../model/view.ts';

/** Milliseconds. */
const lookEvery = 1000;
/** What nobody has told of by then is no news any more. */
const mostLooks = 30;

const word = z.object({ told: z.array(z.int()) });

export interface TellingOptions {
  /** Whether it is this tab that polls. */
  readonly polls: () => boolean;
  readonly announce: (arrivals: readonly Arrival[]) => Promise<void>;
  /** To the member's other tabs. */
  readonly channel: BroadcastChannel;
  /** Calls back after so many milliseconds; returns how to call that off. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

export interface Telling {
  hear(arrival: Arrival): void;
  stop(): void;
}

export function createTelling({ polls, announce, channel, after }: TellingOptions): Telling {
  const post = channel.postMessage.bind(channel);
  let stopped = false;
  let come: Arrival[] = [];
  /** What another tab is to tell of, by message. */
  const kept = new Map<number, { readonly arrival: Arrival; looks: number }>();
  let stopLooking: (() => void) | undefined;

  async function tell(arrivals: readonly Arrival[]): Promise<void> {
    await announce(arrivals);
    if (!stopped) post({ told: arrivals.map(({ messageId }) => messageId) } satisfies z.input<typeof word>);
  }

  function look(): void {
    stopLooking = undefined;
    if (polls() && kept.size > 0) {
      const left = [...kept.values()];
      kept.clear();
      void tell(left.map(({ arrival }) => arrival));
    }
    for (const [messageId, each] of kept) {
      each.looks += 1;
      if (each.looks === mostLooks) kept.delete(messageId);
    }
    lookLater();
  }

  function lookLater(): void {
    if (kept.size > 0) stopLooking ??= after(lookEvery, look);
  }

  const onWord = ({ data }: MessageEvent) => word.safeParse(data).data?.told.forEach((messageId) => kept.delete(messageId));
  channel.addEventListener('message', onWord);

  return {
    hear(arrival) {
      if (!polls()) {
        kept.set(arrival.messageId, { arrival, looks: 0 });
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
