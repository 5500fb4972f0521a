import { useEffect, useEffectEvent, type RefObject } from 'react';
import { rowOf } from './toolRow.ts';

/** Milliseconds of a long press, and pixels that the finger may move. */
const longPress = 500;
const trembling = 10;

/** Detects a long press on a message, also before the code of the tools is loaded. */
export function useLongPress(scroller: RefObject<HTMLElement | null>, onPress: (messageId: number) => void): void {
  const press = useEffectEvent(onPress);

  useEffect(() => {
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
        const row = byTouch && event.isPrimary ? rowOf(event.target) : undefined;
        if (!row) return;
        start = { x: event.clientX, y: event.clientY };
        timer = setTimeout(() => press(row.messageId), longPress);
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
    list.addEventListener('contextmenu', (event) => byTouch && rowOf(event.target) && event.preventDefault(), { signal });
    return () => {
      cancel();
      stop.abort();
    };
  }, [scroller]);
}
