import { useEffectEvent, useLayoutEffect, type RefObject } from 'react';

/** Milliseconds of a long press, and pixels that the finger may move. */
const longPress = 500;
const trembling = 10;

export function useLongPress(scroller: RefObject<HTMLElement | null>, onPress: (messageId: number) => void): void {
  const press = useEffectEvent(onPress);

  // A layout effect, so that a press on the first messages counts.
  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let start = { x: 0, y: 0 };
    let byTouch = false;
    const cancel = () => clearTimeout(timer);

    list.addEventListener(
      'pointerdown',
      (event) => {
        cancel();
        byTouch = event.pointerType === 'touch';
        const messageId = byTouch && event.isPrimary ? sentMessageOf(event.target) : undefined;
        if (messageId === undefined) return;
        start = { x: event.clientX, y: event.clientY };
        timer = setTimeout(() => press(messageId), longPress);
      },
      { signal },
    );
    list.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        if (Math.hypot(clientX - start.x, clientY - start.y) > trembling) cancel();
      },
      { signal },
    );
    for (const end of ['pointerup', 'pointercancel', 'scroll'] as const) list.addEventListener(end, cancel, { signal });
    // The browser's own menu would cover the sheet.
    list.addEventListener(
      'contextmenu',
      (event) => byTouch && sentMessageOf(event.target) !== undefined && event.preventDefault(),
      { signal },
    );
    return () => {
      cancel();
      stop.abort();
    };
  }, [scroller]);
}

/** The message whose row contains an event target; undefined for a message that is not sent yet. */
export function sentMessageOf(target: EventTarget | null): number | undefined {
  const article = target instanceof Element ? target.closest('article') : null;
  const messageId = Number(article?.dataset['key'] ?? NaN);
  return Number.isSafeInteger(messageId) ? messageId : undefined;
}
