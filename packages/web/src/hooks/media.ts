import { useCallback, useSyncExternalStore } from 'react';
import { breakpoint } from '../model/constants.ts';

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** R2.21. The style sheets say the same as `@media (width < 900px)`. */
export function useNarrow(): boolean {
  return useMedia(`(width < ${breakpoint}px)`);
}

/** R4.7.1: where a finger types, Enter is a new line. */
export function useCoarsePointer(): boolean {
  return useMedia('(pointer: coarse)');
}
