import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import type { Destination } from '../../../model/timeline/timeline.ts';
import type { Timeline } from '../../../model/outbox/selectors.ts';
import { createLongList, type Where } from './longList.ts';
import { rangeAfter } from './scrolling.ts';

/** @param readsOn Start at the first unread message instead of at the end. */
export function useLongList({ keys, foundNewest, destination, firstUnread }: Timeline, readsOn: boolean) {
  const [list] = useState(() => {
    const at = messageOf(destination) ?? (readsOn ? firstUnread : undefined);
    return at !== undefined && keys.includes(at) ? createLongList(keys, at, placeOf(destination)) : createLongList(keys);
  });
  const atEnd = useSyncExternalStore(list.subscribe, list.atEnd);
  const wanted = useSyncExternalStore(list.subscribe, list.wanted);
  const { from, to } = rangeAfter(wanted, keys);

  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const ledTo = useRef(destination);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current || !rows.current) return undefined;
    return list.attach({ scroller: scroller.current, content: content.current, rows: rows.current });
  }, [list]);

  useLayoutEffect(() => {
    list.mounted({ keys, from, to }, foundNewest);
  }, [list, keys, from, to, foundNewest]);

  // Runs after the effect above, because the destination may have arrived with the rows.
  useLayoutEffect(() => {
    if (ledTo.current === destination) return;
    ledTo.current = destination;
    const key = messageOf(destination);
    if (key !== undefined) list.toMessage(key, placeOf(destination));
    else if (destination?.state === 'found') list.toEnd();
  }, [list, destination]);

  useLayoutEffect(() => scrollableByKeyboard(scroller.current), []);

  return { list, atEnd: atEnd && foundNewest, from, to, scroller, content, rows };
}

/** The first unread message is at the top, a searched message in the middle, and a returning reader at the previous position. */
function placeOf(destination: Destination | undefined): Where {
  return destination?.top ?? (!destination || destination.readsOn ? 'top' : 'middle');
}

export function messageOf(destination: Destination | undefined): number | undefined {
  return destination?.state === 'found' && destination.to !== 'newest' ? destination.to : undefined;
}
