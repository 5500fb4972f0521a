import { useEffectEvent, useLayoutEffect } from 'react';

/** Places a popup before it is painted, when `at` changes, and when the window changes; not while `at` is undefined. */
export function usePlacement<At>(place: (at: At) => void, at: At | undefined): void {
  const placeAt = useEffectEvent(place);
  useLayoutEffect(() => {
    if (at === undefined) return undefined;
    const onResize = () => placeAt(at);
    onResize();
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, [at]);
}

/** Calls `onOutside` for a press outside, before the pressed element handles it, and `withFocus` for a focus outside. */
export function useOutside(
  isInside: (node: Node | null) => boolean | undefined,
  onOutside: (target: Node | null) => void,
  withFocus = false,
): void {
  const look = useEffectEvent(({ target }: Event) => {
    const node = target instanceof Node ? target : null;
    if (!isInside(node)) onOutside(node);
  });
  // A layout effect, so that the listener is gone before a dialog that replaces the popup takes the focus.
  useLayoutEffect(() => {
    const onEvent = (event: Event) => look(event);
    const events = withFocus ? ['pointerdown', 'focusin'] : ['pointerdown'];
    for (const each of events) document.addEventListener(each, onEvent, true);
    return () => {
      for (const each of events) document.removeEventListener(each, onEvent, true);
    };
  }, [withFocus]);
}
