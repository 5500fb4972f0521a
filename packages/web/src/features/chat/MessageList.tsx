import { useEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { ArrowDown, RotateCw } from '../../components/icons.ts';
import { scrollableByKeyboard } from '../../components/scrollable.ts';
import { useFailureText } from '../../hooks/failures.ts';
import { useModel, useTimeline } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { MessageKey, MessageView, Timeline } from '../../model/view.ts';
import { plainText } from './markup.ts';
import styles from './MessageList.module.css';
import { MessageRow } from './MessageRow.tsx';
import { arrivals, isPrepended } from './scrolling.ts';
import { useStickToEnd } from './stickToEnd.ts';

/** So near to the start, older messages are fetched, so that they are there before the reader is. */
const olderWithin = 600;

export function MessageList({
  streamId,
  streamName,
  onTakeBack,
}: {
  readonly streamId: number;
  readonly streamName: string;
  readonly onTakeBack: (message: MessageView) => void;
}) {
  const words = useWords();
  const model = useModel();
  const failureText = useFailureText();
  const timeline = useTimeline(streamId);

  if (timeline?.status === 'failed') {
    return (
      <div className={styles['middle']} role="alert">
        <p>{timeline.failure && failureText(timeline.failure)}</p>
        <button type="button" className={styles['again']} onClick={() => model.reload(streamId)}>
          <RotateCw aria-hidden size={16} />
          {words.again}
        </button>
      </div>
    );
  }
  if (!timeline || (timeline.status === 'loading' && timeline.keys.length === 0)) return <Loading />;
  if (timeline.keys.length === 0) {
    return (
      <div className={styles['middle']} role="log" aria-label={words.chat.log(streamName)}>
        <p>{words.noMessages}</p>
        <p className={styles['advice']}>{words.chat.noMessagesAdvice}</p>
      </div>
    );
  }
  return <Log streamId={streamId} streamName={streamName} onTakeBack={onTakeBack} timeline={timeline} />;
}

function Loading() {
  const words = useWords();
  return (
    <output className={styles['loading']} aria-label={words.loading}>
      {[62, 44, 70, 38, 56].map((width) => (
        <span key={width} className={styles[`w${width}`]} />
      ))}
    </output>
  );
}

function Log({
  streamId,
  streamName,
  onTakeBack,
  timeline,
}: {
  readonly streamId: number;
  readonly streamName: string;
  readonly onTakeBack: (message: MessageView) => void;
  readonly timeline: Timeline;
}) {
  const words = useWords().chat;
  const model = useModel();
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { keys, firstUnread, foundOldest, loadingOlder, failure } = timeline;
  const { atEnd, follow, toEnd, keepAtEnd } = useStickToEnd(list, scroller, keys);
  useMarkRead(streamId, atEnd);

  const [shown, setShown] = useState<Shown>({ keys, shift: false, unseen: 0, announcement: '' });
  if (shown.keys !== keys) setShown(afterChange(shown, keys, (key) => model.message(key), words.arrived));
  if (atEnd && shown.unseen > 0) setShown({ ...shown, unseen: 0 });

  const loadOlderWithin = (distance: number) => {
    const offset = list.current?.scrollOffset ?? Infinity;
    if (offset <= distance && !foundOldest && !loadingOlder && !failure) model.loadOlder(streamId);
  };

  const onScroll = () => {
    follow();
    loadOlderWithin(olderWithin);
  };

  const onResize = () => {
    keepAtEnd();
    // A first page that does not fill the window leaves nothing to scroll, so the next one is asked for at once.
    const { scrollSize = 1, viewportSize = 0 } = list.current ?? {};
    if (scrollSize <= viewportSize) loadOlderWithin(0);
  };

  return (
    <div className={styles['pane']}>
      {/* Rows come and go as the reader scrolls; only arrivals are announced, by the line below. */}
      <div
        ref={(element) => {
          scroller.current = element;
          scrollableByKeyboard(element);
        }}
        className={styles['scroller']}
        role="log"
        aria-live="off"
        aria-label={words.log(streamName)}
      >
        <div className={styles['spacer']} />
        <Virtualizer ref={list} data={keys} shift={shown.shift} onScroll={onScroll} onResize={onResize}>
          {(key: MessageKey, index: number) => (
            <MessageRow
              key={key}
              messageKey={key}
              previousKey={keys[index - 1]}
              isStart={index === 0 && foundOldest}
              isFirstUnread={key === firstUnread}
              onTakeBack={onTakeBack}
            />
          )}
        </Virtualizer>
      </div>
      <output className={styles['announcer']}>{shown.announcement}</output>
      {(loadingOlder || failure) && <Older failed={failure !== undefined} onAgain={() => model.reload(streamId)} />}
      {!atEnd && <ToNewest unseen={shown.unseen} onClick={toEnd} />}
    </div>
  );
}

/** What the list knows beside its messages, as of the last change of them. */
interface Shown {
  readonly keys: readonly MessageKey[];
  /** Only for the commit that prepends: kept longer, the list would hold on to the wrong end. */
  readonly shift: boolean;
  /** How many of others have arrived below what the reader sees. */
  readonly unseen: number;
  /** The newest of them, for who listens. */
  readonly announcement: string;
}

function afterChange(
  before: Shown,
  keys: readonly MessageKey[],
  messageOf: (key: MessageKey) => MessageView | undefined,
  say: (sender: string, text: string) => string,
): Shown {
  const ofOthers = arrivals(before.keys, keys)
    .map(messageOf)
    .filter((message) => message?.align === 'left');
  const newest = ofOthers.at(-1);
  return {
    keys,
    shift: isPrepended(before.keys, keys),
    unseen: before.unseen + ofOthers.length,
    announcement: newest
      ? say(newest.senderFullName, newest.file?.name ?? plainText(newest.content))
      : before.announcement,
  };
}

function Older({ failed, onAgain }: { readonly failed: boolean; readonly onAgain: () => void }) {
  const words = useWords();
  return (
    <output className={styles['older']}>
      {failed ? words.chat.olderFailed : words.chat.loadingOlder}
      {failed && (
        <button type="button" onClick={onAgain}>
          {words.again}
        </button>
      )}
    </output>
  );
}

function ToNewest({ unseen, onClick }: { readonly unseen: number; readonly onClick: () => void }) {
  const words = useWords().chat;
  const count = unseen > 0 ? words.toNewestWith(unseen) : '';
  return (
    <button
      type="button"
      className={styles['newest']}
      aria-label={[words.toNewest, count].join(' ').trim()}
      onClick={onClick}
    >
      <ArrowDown aria-hidden size={18} strokeWidth={1.9} />
      {count !== '' && <span>{count}</span>}
    </button>
  );
}

/** R4.6: what is shown at the end of the list counts as read while somebody is looking. */
function useMarkRead(streamId: number, atEnd: boolean) {
  const model = useModel();
  useEffect(() => {
    if (!atEnd) return;
    const mark = () => {
      if (document.visibilityState === 'visible' && document.hasFocus()) model.markRead(streamId);
    };
    mark();
    const stopListening = model.subscribe(`timeline:${streamId}`, mark);
    window.addEventListener('focus', mark);
    document.addEventListener('visibilitychange', mark);
    return () => {
      stopListening();
      window.removeEventListener('focus', mark);
      document.removeEventListener('visibilitychange', mark);
    };
  }, [model, streamId, atEnd]);
}
