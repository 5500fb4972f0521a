import { logToConsole, systemClock, type Clock, type Fetch } from '@engawa/client';
import type { OutboxDisk } from './outbox/outboxDisk.ts';
import { tabStorage, type UnsentStorage } from './browserStorage.ts';
import { uploadByXHR, type Upload } from './outbox/upload.ts';

/** The environment of the model, so that tests can replace it. */
export interface Environment {
  /** The origin that serves the product and, below /api/v1, the chat API. */
  readonly site: string;
  readonly fetch: Fetch;
  readonly upload: Upload;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** Absent on insecure origins: then every tab polls for itself. */
  readonly locks: LockManager | undefined;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** Stores unsent texts through a reload; undefined if the browser forbids storage. */
  readonly storage: UnsentStorage | undefined;
  /** Opens the outbox database of a member; rejects if the browser cannot store it. Undefined: nothing is stored. */
  readonly openOutbox: ((userId: number) => Promise<OutboxDisk>) | undefined;
  /** Calls back when a retry is worthwhile at once; returns how to unsubscribe. */
  readonly onWake: (wake: () => void) => () => void;
  /** Calls back when the page is left; returns how to unsubscribe. */
  readonly onLeave: (leave: () => void) => () => void;
  /** Calls back once the current state is drawn; soon if nothing is drawn. */
  readonly onceDrawn: (then: () => void) => void;
  /** Logs failures that need no action by the member. */
  readonly log: (message: string, error: unknown) => void;
}

export function browserEnvironment(): Environment {
  return {
    site: location.origin,
    fetch: (input, init) => fetch(input, init),
    upload: uploadByXHR,
    clock: systemClock,
    random: Math.random,
    locks: 'locks' in navigator ? navigator.locks : undefined,
    openChannel: (name) => new BroadcastChannel(name),
    storage: tabStorage(),
    openOutbox: async (userId) => (await import('./outbox/storedOutbox.ts')).openDisk(indexedDB, userId),
    onWake,
    onLeave,
    onceDrawn,
    log: logToConsole,
  };
}

/** The network is back, or the page is visible or restored again, perhaps after the machine slept. */
function onWake(wake: () => void): () => void {
  const stop = new AbortController();
  const wakeIfVisible = () => {
    if (document.visibilityState === 'visible') wake();
  };
  const wakeIfKept = ({ persisted }: PageTransitionEvent) => {
    if (persisted) wake();
  };
  window.addEventListener('online', wake, { signal: stop.signal });
  window.addEventListener('pageshow', wakeIfKept, { signal: stop.signal });
  document.addEventListener('visibilitychange', wakeIfVisible, { signal: stop.signal });
  return () => stop.abort();
}

function onLeave(leave: () => void): () => void {
  window.addEventListener('pagehide', leave);
  return () => window.removeEventListener('pagehide', leave);
}

/** Milliseconds. A background tab draws no frame. */
const soon = 500;

function onceDrawn(then: () => void): void {
  let waits = true;
  const go = () => {
    if (waits) then();
    waits = false;
  };
  // A frame is drawn after its callbacks.
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, soon);
}
