import { isMobileDevice } from '../mobileDetector.ts';

/** Keeps the screen of a phone on during a call. Browsers release the lock when the page is hidden. @returns how to release it. */
export function keepAwake(log: (message: string, error: unknown) => void): () => void {
  if (!('wakeLock' in navigator) || !isMobileDevice(navigator.userAgent)) return () => undefined;
  const stop = new AbortController();
  let lock: WakeLockSentinel | undefined;
  const request = async () => {
    if (document.visibilityState !== 'visible') return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (stop.signal.aborted) await lock.release();
    } catch (error) {
      // The system refuses, for example with an empty battery.
      log('call_wake_lock_refused', error);
    }
  };
  const requestSoon = () => void request();
  document.addEventListener('visibilitychange', requestSoon, { signal: stop.signal });
  requestSoon();
  return () => {
    stop.abort();
    lock?.release().catch((error: unknown) => log('call_wake_lock_failed', error));
  };
}
