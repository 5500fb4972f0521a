import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { scrollAfterLoad, scrollAfterMessage } from '../../model/constants.ts';
import type { MessageKey } from '../../model/view.ts';
import { isAtEnd, wentUp, type Scrolled } from './scrolling.ts';

/**
 * R4.10: at its end the list stays at its end, whatever grows. It scrolls there at once and once more a little later,
 * when what has arrived has its final height. Once the reader has scrolled up it does not move, except to show the
 * reader's own new message.
 */
export function useStickToEnd(
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
  keys: readonly MessageKey[],
) {
  const stuck = useRef(true);
  const last = useRef<Scrolled>({ scrollOffset: 0, scrollSize: 0, viewportSize: 0 });
  const newestBefore = useRef<MessageKey>(undefined);
  const [atEnd, setAtEnd] = useState(true);

  const scroll = useCallback(() => {
    if (stuck.current) list.current?.scrollToIndex(keys.length - 1, { align: 'end' });
  }, [list, keys]);

  useLayoutEffect(() => {
    const newest = keys.at(-1);
    const isLoad = newestBefore.current === undefined;
    const isMine = typeof newest === 'string' && newest !== newestBefore.current;
    newestBefore.current = newest;
    if (isMine) stuck.current = true;
    scroll();
    const timer = setTimeout(scroll, isLoad ? scrollAfterLoad : scrollAfterMessage);
    return () => clearTimeout(timer);
  }, [keys, scroll]);

  /**
   * Follows the reader. Only going up leaves the end: while heights are still being measured the end itself moves away,
   * and that is nobody's wish to read further up. Nor is it when the list has become shorter, as it does when it is
   * loaded anew after the server was away, or the window higher, as it does when a notice above it goes. The list's own
   * figures are those of its last measuring, so the element is asked.
   */
  const follow = () => {
    if (!scroller.current) return;
    const { scrollTop: scrollOffset, scrollHeight: scrollSize, clientHeight: viewportSize } = scroller.current;
    const now = { scrollOffset, scrollSize, viewportSize };
    if (isAtEnd(now)) stuck.current = true;
    else if (wentUp(last.current, now)) stuck.current = false;
    last.current = now;
    setAtEnd(stuck.current);
  };

  const toEnd = () => {
    stuck.current = true;
    scroll();
  };

  return { atEnd, follow, toEnd, keepAtEnd: scroll };
}
