import type { Clock, Fetch } from '@engawa/client';
import type { UnsentStorage } from './browserStorage.ts';

/** The environment of the model, so that tests can replace it. */
export interface Environment {
  /** The origin that serves the product and, below /api/v1, the chat API. */
  readonly site: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** Absent on insecure origins: then every tab polls for itself. */
  readonly locks: LockManager | undefined;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** Stores unsent texts through a reload; undefined if the browser forbids storage. */
  readonly storage: UnsentStorage | undefined;
  /** Calls back when a retry is worthwhile at once; returns how to unsubscribe. */
  readonly onWake: (wake: () => void) => () => void;
  /** Calls back when the page is left; returns how to unsubscribe. */
  readonly onLeave: (leave: () => void) => () => void;
  /** Calls back once the current state is drawn; soon if nothing is drawn. */
  readonly onceDrawn: (then: () => void) => void;
  /** Logs failures that need no action by the member. */
  readonly log: (message: string, error: unknown) => void;
}
