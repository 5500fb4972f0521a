import { useSyncExternalStore } from 'react';
import { breakpoint } from '../model/constants.ts';
import { isMobileDevice, NoUserAgentError } from '../model/mobileDetector.ts';

const onMobileDevice = detectMobileDevice();

/** R8.3: a browser that does not say what it is shows the screens all the same. */
function detectMobileDevice(): boolean {
  try {
    return isMobileDevice(navigator.userAgent);
  } catch (error) {
    if (error instanceof NoUserAgentError) return false;
    throw error;
  }
}

/** Each list is asked for once: it tells by itself when it comes to match, and asking anew looks at the whole page. */
function media(query: string): () => boolean {
  const list = matchMedia(query);
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

/** R2.21. The style sheets say the same as `@media (width < 900px)`. */
export const useNarrow = media(`(width < ${breakpoint}px)`);

/** R4.7.1: where a finger types, Enter is a new line. */
export const useCoarsePointer = media('(pointer: coarse)');

export const useReducedMotion = media('(prefers-reduced-motion: reduce)');

/**
 * Whether a field that takes the focus brings up a keyboard that covers half of the screen. A pen is a fine pointer, so
 * on a telephone that has one only the browser's name tells.
 */
export function useScreenKeyboard(): boolean {
  return useCoarsePointer() || onMobileDevice;
}
