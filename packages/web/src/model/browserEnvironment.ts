import { logToConsole, NetworkError, systemClock } from '@engawa/client';
import { browserStorage, onOtherTab, tabStorage } from './browserStorage.ts';
import type { OutboxEnvironment } from './outbox/environment.ts';
import type { Upload } from './outbox/upload.ts';

export function browserEnvironment(): OutboxEnvironment {
  return {
    site: location.origin,
    fetch: (input, init) => fetch(input, init),
    upload,
    clock: systemClock,
    random: Math.random,
    locks: 'locks' in navigator ? navigator.locks : undefined,
    openChannel: (name) => new BroadcastChannel(name),
    storage: tabStorage(),
    sharedStorage: browserStorage(),
    onOtherTab,
    openOutbox: async (userId) => (await import('./outbox/storedOutbox.ts')).openDisk(indexedDB, userId),
    onWake,
    onLeave,
    onceDrawn,
    log: logToConsole,
  };
}

/** The code is loaded at the first upload. If that fails, the network is away, and the outbox tries again. */
const upload: Upload = async (request) => {
  const loading = import('./outbox/uploadByXHR.ts').catch((error: unknown) => {
    throw new NetworkError('POST upload', error);
  });
  const { uploadByXHR } = await loading;
  request.signal.throwIfAborted();
  return uploadByXHR(request);
};

/** Calls `wake` when the network is back, or when the page is visible or restored again, perhaps after the machine slept. */
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

/** Milliseconds to wait instead of a frame, because a background tab draws none. */
const soon = 500;

function onceDrawn(then: () => void): void {
  let waits = true;
  const go = () => {
    if (waits) then();
    waits = false;
  };
  // The callback runs before the frame is drawn; a timer set in it runs afterwards.
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, soon);
}
