import { useSyncExternalStore } from 'react';
import { breakpoint } from '../model/constants.ts';
import { isMobileDevice, NoUserAgentError } from '../model/mobileDetector.ts';

const onMobileDevice = detectMobileDevice();

/** R8.3: without a user agent the desktop screens are shown. */
function detectMobileDevice(): boolean {
  try {
    return isMobileDevice(navigator.userAgent);
  } catch (error) {
    if (error instanceof NoUserAgentError) return false;
    throw error;
  }
}

/** One shared query list per query, because creating a list forces a layout of the page. */
function media(query: string): () => boolean {
  const list = matchMedia(query);
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

/** Whether the window is narrow (R2.21). The style sheets use the same width: `@media (width < 900px)`. */
export const useNarrow = media(`(width < ${breakpoint}px)`);

/** Whether the member uses a finger. R4.7.1: Enter then inserts a line break instead of sending. */
export const useCoarsePointer = media('(pointer: coarse)');

export const useReducedMotion = media('(prefers-reduced-motion: reduce)');

/** Whether focusing a field opens a screen keyboard. Decided by the user agent: a telephone with a pen has a fine pointer. */
export function useScreenKeyboard(): boolean {
  return useCoarsePointer() || onMobileDevice;
}
