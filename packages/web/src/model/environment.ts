import type { Clock, Fetch } from '@engawa/client';
import type { UnsentStorage } from './browserStorage.ts';

export interface Environment {
  /** The origin that serves the product and, below /api/v1, the chat API. */
  readonly site: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  /** Undefined on insecure origins, where every tab polls for itself. */
  readonly locks: LockManager | undefined;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** Keeps unsent texts through a reload; undefined if the browser forbids storage. */
  readonly storage: UnsentStorage | undefined;
  /** Is shared by all tabs of the browser and outlives them. */
  readonly sharedStorage: UnsentStorage | undefined;
  /** Calls the listener with each name of the shared storage that another tab changes. Returns how to unsubscribe. */
  readonly onOtherTab: (listener: (name: string) => void) => () => void;
  /** Calls `wake` when a retry may succeed, for example when the network is back. Returns how to unsubscribe. */
  readonly onWake: (wake: () => void) => () => void;
  readonly onLeave: (leave: () => void) => () => void;
  /** Calls `then` once the browser has drawn the current state; after a short time if it draws nothing. */
  readonly onceDrawn: (then: () => void) => void;
  readonly log: (message: string, error: unknown) => void;
}
