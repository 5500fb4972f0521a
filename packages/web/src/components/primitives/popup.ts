/** Placing and closing of everything that opens over the page: menus, the emoji picker and member cards. */
import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Places a popup before it is painted, and again when the window changes.
 * @param at The popup is placed again when this changes, and not at all while it is undefined.
 */
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

/**
 * Calls `onOutside` when the member presses outside, before the pressed element handles it.
 * @param withFocus Also when the focus moves outside.
 */
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
