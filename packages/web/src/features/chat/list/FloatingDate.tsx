import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useCommands } from '../../../hooks/model.ts';
import { useTimes } from '../../../hooks/times.ts';
import type { MessageKey } from '../../../model/timeline/message.ts';
import type { LongList } from './longList.ts';
import styles from './MessageList.module.css';
import { selectMessage } from '../../../model/outbox/selectors.ts';

/** Pixels below the upper edge that the date covers. It shows the day of the message below it. */
const covers = 44;
const restMs = 1200;

/** Shows the day of the visible messages during scrolling. Hidden from screen readers, which read the divider. */
export function FloatingDate({
  list,
  scroller,
  atEnd,
}: {
  readonly list: LongList;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly atEnd: boolean;
}) {
  const times = useTimes();
  const model = useCommands();
  const [day, setDay] = useState('');
  const [moving, setMoving] = useState(false);
  const below = useRef<MessageKey>(undefined);

  const showDay = useEffectEvent(() => {
    // The divider above the first message says the day.
    if (list.above() < covers) {
      below.current = undefined;
      setMoving(false);
      return;
    }
    const key = list.messageAt(covers);
    if (key === below.current) return;
    below.current = key;
    const message = key === undefined ? undefined : selectMessage(model.state(), key);
    if (message) setDay(times.day(message.timestamp));
    setMoving(true);
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout>;
    const onScroll = () => {
      showDay();
      clearTimeout(timer);
      timer = setTimeout(() => setMoving(false), restMs);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);

  return (
    <span className={styles['date']} data-shown={(moving && !atEnd) || undefined} aria-hidden>
      {day}
    </span>
  );
}
