import { useEffect, useEffectEvent, type RefObject } from 'react';
import { rowOf } from './toolRow.ts';

/** Milliseconds that a finger rests on a message to ask for its tools, and pixels that it may move meanwhile. */
const longPress = 500;
const trembling = 10;

/** A finger that rests on a message. It is heard from the first message on, also while what it asks for is still fetched. */
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
    // The browser's own menu would lie over ours.
    list.addEventListener('contextmenu', (event) => byTouch && rowOf(event.target) && event.preventDefault(), { signal });
    return () => {
      cancel();
      stop.abort();
    };
  }, [scroller]);
}
