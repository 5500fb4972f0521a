import type { Clock, Fetch } from '@engawa/client';
import type { UnsentStorage } from './browserStorage.ts';

export interface Environment {
  /** The origin that serves the product and, below /api/v1, the chat API. */
  readonly site: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  /** Absent on insecure origins: then every tab polls for itself. */
  readonly locks: LockManager | undefined;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** Stores unsent texts through a reload; undefined if the browser forbids storage. */
  readonly storage: UnsentStorage | undefined;
  /** Calls back when a retry is worthwhile at once; returns how to unsubscribe. */
  readonly onWake: (wake: () => void) => () => void;
  readonly onLeave: (leave: () => void) => () => void;
  /** Calls back once the current state is drawn; soon if nothing is drawn. */
  readonly onceDrawn: (then: () => void) => void;
  readonly log: (message: string, error: unknown) => void;
}
