import { useEffect, useImperativeHandle, type Ref } from 'react';
import { attention, onAttention } from '../../../hooks/attention.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { type Timeline, selectMessage, selectTimeline } from '../../../model/outbox/selectors.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { MessageKey } from '../../../model/timeline/message.ts';
import type { ReadingPlace } from '../../../model/timeline/state.ts';
import { bounds } from '../../../model/timeline/timeline.ts';
import { selectReceiptsShown, showsReaders } from '../../../model/unread/state.ts';
import { createDwellTracker } from './dwellTracker.ts';
import type { LongList } from './longList.ts';

/** The next page loads when the reader is this many pixels from an end, so that it arrives in time. */
const fetchWithin = 1500;

export type PlaceRef = Ref<() => ReadingPlace | undefined>;

interface ReaderProps {
  readonly list: LongList;
  readonly conversation: ConversationKey;
  readonly timeline: Timeline;
  readonly atEnd: boolean;
  /** Whether the list still goes to its destination. */
  readonly isOnTheWay: boolean;
  readonly placeRef: PlaceRef;
}

/** Marks messages as read, asks who has read them, loads further pages and drops distant ones. Mounted while its list is shown. */
export function Reader({ list, conversation, timeline, atEnd, isOnTheWay, placeRef }: ReaderProps) {
  useReading(list, conversation, atEnd, isOnTheWay);
  useReaders(list);
  useLoadMore(list, conversation, timeline);
  useTrimming(list, conversation, timeline.keys);
  useImperativeHandle(
    placeRef,
    () => () => {
      const { key, top } = (isOnTheWay ? undefined : list.place()) ?? {};
      return typeof key === 'number' && top !== undefined ? { conversation, messageId: key, top } : undefined;
    },
    [list, conversation, isOnTheWay],
  );
  return null;
}

/** R4.6: marks messages as read that stayed visible to an active member. Rows passed on the way to a destination do not count. */
function useReading(list: LongList, conversation: ConversationKey, atEnd: boolean, isOnTheWay: boolean) {
  const model = useCommands();
  useEffect(() => {
    if (isOnTheWay) return undefined;
    const isThere = () => attention() === 'active';
    const dwelling = createDwellTracker<number | 'end'>(isThere, (stayed) => {
      if (stayed.includes('end')) model.resumeReading(conversation);
      else
        model.markShown(
          conversation,
          stayed.filter((key) => key !== 'end'),
        );
    });
    const look = () => {
      if (!isThere()) dwelling.see([]);
      else dwelling.see(atEnd ? ['end'] : list.shown().filter((key) => typeof key === 'number'));
    };
    const stops = [
      list.subscribe(look),
      onAttention(look),
      model.watch(
        (state) => selectTimeline(state, conversation),
        () => {
          if (isThere() && dwelling.hasStayed('end')) model.markRead(conversation);
        },
      ),
      dwelling.stop,
    ];
    look();
    return () => stops.forEach((stop) => stop());
  }, [model, list, conversation, atEnd, isOnTheWay]);
}

function useReaders(list: LongList) {
  const model = useCommands();
  const receiptsShown = useModel(selectReceiptsShown);
  useEffect(() => {
    let asked = '';
    const look = () => {
      const shown = attention() === 'away' ? [] : list.shown();
      const counted = shown
        .filter((key) => typeof key === 'number')
        .filter((key) => {
          const message = selectMessage(model.state(), key);
          return message && showsReaders(message, receiptsShown);
        });
      if (counted.join() === asked) return;
      asked = counted.join();
      model.watchReaders(counted);
    };
    look();
    const stops = [list.subscribe(look), onAttention(look)];
    return () => {
      stops.forEach((stop) => stop());
      model.watchReaders([]);
    };
  }, [model, list, receiptsShown]);
}

/** R9.2: loads the next page when the reader comes close to an end, or when a page does not fill the window. */
function useLoadMore(list: LongList, conversation: ConversationKey, { foundOldest, foundNewest, loading, failure }: Timeline) {
  const model = useCommands();
  const cannot = (foundOldest && foundNewest) || loading !== undefined || failure !== undefined;
  useEffect(() => {
    if (cannot) return undefined;
    const look = () => {
      if (!foundOldest && list.above() <= (list.atEnd() ? 0 : fetchWithin)) model.loadOlder(conversation);
      else if (!foundNewest && list.below() <= fetchWithin) model.loadNewer(conversation);
    };
    look();
    return list.subscribe(look);
  }, [model, list, conversation, cannot, foundOldest, foundNewest]);
}

/** Bounds the loaded messages, because a stream may stay open for weeks. Dropped ones load again when the reader comes close. */
function useTrimming(list: LongList, conversation: ConversationKey, keys: readonly MessageKey[]) {
  const model = useCommands();
  useEffect(() => {
    if (keys.length <= bounds.open.most) return;
    const seen = list.shown().find((key) => typeof key === 'number');
    if (seen !== undefined || list.atEnd()) model.trimAround(conversation, list.atEnd() ? undefined : seen);
  }, [model, list, conversation, keys]);
}
