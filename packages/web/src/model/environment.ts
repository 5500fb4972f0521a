import { logToConsole, systemClock, type Clock, type Fetch } from '@engawa/client';
import type { OutboxDisk } from './outbox/outboxDisk.ts';
import { tabStorage, type UnsentStorage } from './browserStorage.ts';
import { uploadByXHR, type Upload } from './outbox/upload.ts';

/** The outside world as the model needs it, so that a test can bring its own. */
export interface Parts {
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
  /** Where what is not sent outlives a reload; undefined where nothing can be kept. */
  readonly storage: UnsentStorage | undefined;
  /** Opens a member's outbox, which outlives the page; rejects where nothing can be kept. Undefined: nobody tries. */
  readonly openOutbox: ((userId: number) => Promise<OutboxDisk>) | undefined;
  /** Calls back whenever it is worth trying at once what was waiting for the network; returns how to stop. */
  readonly onWake: (wake: () => void) => () => void;
  /** Calls back when the page is left; returns how to stop. */
  readonly onLeave: (leave: () => void) => () => void;
  /** Calls once what has changed until now is on the screen; where nothing is drawn, soon. */
  readonly onceDrawn: (then: () => void) => void;
  /** Where those failures are told that nobody needs to act on. */
  readonly log: (message: string, error: unknown) => void;
}

export function browserParts(): Parts {
  return {
    site: location.origin,
    fetch: (input, init) => fetch(input, init),
    upload: uploadByXHR,
    clock: systemClock,
    random: Math.random,
    locks: 'locks' in navigator ? navigator.locks : undefined,
    openChannel: (name) => new BroadcastChannel(name),
    storage: tabStorage(),
    openOutbox: async (userId) => (await import('./outbox/outboxKeeper.ts')).openDisk(indexedDB, userId),
    onWake,
    onLeave,
    onceDrawn,
    log: logToConsole,
  };
}

/** The network is back, or the page is looked at or gone back to again, perhaps after the machine slept. */
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

/** Milliseconds. A tab behind others draws no frame. */
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
