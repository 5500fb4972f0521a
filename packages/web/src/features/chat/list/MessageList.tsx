import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import { EmptyState, FailureState } from '../../../components/primitives/EmptyState.tsx';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { ArrowDown, ArrowUp, Icon } from '../../../components/icons.ts';
import { lazyComponent, lazyInBackground } from '../../../components/lazyComponent.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Destination } from '../../../model/timeline/timeline.ts';
import { type Loading, type Timeline, selectMessage, selectTimeline } from '../../../model/outbox/selectors.ts';
import type { MessageKey, MessageView } from '../../../model/timeline/message.ts';
import type { EmojiPickerSlot } from '../composer/Composer.tsx';
import type { LongList } from './longList.ts';
import { useLongPress } from '../message/longPress.ts';
import styles from './MessageList.module.css';
import { MessageRow } from '../message/MessageRow.tsx';
import type { MessageActions, OpenTool } from '../message/MessageTools.tsx';
import { PictureOpener } from '../pictures/PictureOpener.tsx';
import { arrivals } from './scrolling.ts';
import type { PlaceRef } from './Reader.tsx';
import { messageOf, useLongList } from './useLongList.ts';
import { useOpened } from './useOpened.ts';
import { useTakeBack } from './useTakeBack.ts';
import { selectConversation } from '../../../model/conversations/selectors.ts';
import { selectSettings } from '../../../model/people/selectors.ts';
import { selectSettled } from '../../../model/connection/state.ts';
import { plainTextOf } from '../../../model/timeline/messageText.ts';

const MessageTools = lazyComponent(
  async () => (await import('../message/MessageTools.tsx')).MessageTools,
  (words) => words.chat.toolsFailed,
);

/** Milliseconds until code is loaded again after a failure. */
const retryAfter = 5000;
const FloatingDate = lazyInBackground(async () => (await import('./FloatingDate.tsx')).FloatingDate, retryAfter);
const Reader = lazyInBackground(async () => (await import('./Reader.tsx')).Reader, retryAfter);

const markMs = 2500;

export interface MessageListProps {
  readonly conversation: ConversationKey;
  readonly isShown: boolean;
  readonly acts: MessageActions;
  readonly emojiPicker: EmojiPickerSlot;
  readonly placeRef: PlaceRef;
  readonly nextStep: ReactNode;
}

export function MessageList(props: MessageListProps) {
  const { conversation, isShown } = props;
  const words = useWords();
  const model = useCommands();
  const failureText = useFailureText();
  const timeline = useModel(selectTimeline, conversation);
  const readsOn = useReadingOn(conversation, timeline, isShown);
  const label = words.chat.log(useModel(selectConversation, conversation)?.name ?? '');
  useGoneNotice(timeline?.destination);

  if (timeline?.status === 'failed') {
    return (
      <FailureState
        filling
        text={timeline.failure && failureText(timeline.failure)}
        again={words.again}
        onAgain={() => model.reload(conversation)}
      />
    );
  }
  const isLoading = !timeline || (timeline.status === 'loading' && timeline.keys.length === 0);
  if (isLoading || readsOn === 'loading') return <Loading />;
  if (timeline.keys.length === 0) {
    return (
      <div className={styles['middle']} role="log" aria-label={label}>
        <EmptyState heading={words.noMessages}>{words.chat.noMessagesAdvice}</EmptyState>
        {props.nextStep}
      </div>
    );
  }
  return (
    <PictureOpener conversation={conversation}>
      <Log {...props} label={label} timeline={timeline} readsOn={readsOn} />
    </PictureOpener>
  );
}

function Loading() {
  const words = useWords();
  return (
    <output className={styles['loading']} aria-label={words.loading}>
      {[62, 44, 70, 38, 56].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </output>
  );
}

interface LogProps extends MessageListProps {
  readonly label: string;
  readonly timeline: Timeline;
  readonly readsOn: boolean;
}

function Log(props: LogProps) {
  const { conversation, isShown, label, acts, emojiPicker, timeline, readsOn } = props;
  const words = useWords().chat;
  const model = useCommands();
  const { keys, sentAs, firstUnread, foundOldest, foundNewest, loading, failed, failure, destination } = timeline;
  const { list, atEnd, from, to, scroller, content, rows } = useLongList(timeline, readsOn);
  const isOnTheWay = destination?.state === 'sought';
  const onTakeBack = useTakeBack(conversation);
  const opensAtEnd = useEffectEvent(() => destination === undefined && !readsOn);
  useLayoutEffect(() => {
    // A list that is shown again may have been left elsewhere.
    if (isShown && opensAtEnd() && !list.atEnd()) list.toEnd();
  }, [list, isShown]);

  const [shown, setShown] = useState<Shown>({ keys, foundNewest, announcement: '' });
  if (shown.keys !== keys) setShown(afterChange(shown, timeline, (key) => selectMessage(model.state(), key), words.arrived));

  // A list that is shown again announces nothing.
  if (!isShown && shown.announcement !== '') setShown({ ...shown, announcement: '' });

  const isLookedFor = !destination?.readsOn && destination?.top === undefined;
  const marked = useMarked(isLookedFor ? destination : undefined, (key) => {
    const message = selectMessage(model.state(), key);
    if (message) setShown({ ...shown, announcement: words.ledTo(message.senderFullName, saidIn(message)) });
  });

  const { compact_messages: isCompact = false } = useModel(selectSettings);
  const settled = useModel(selectSettled);
  const [open, setOpen] = useOpened<OpenTool>();
  const onHistory = useCallback((messageId: number) => setOpen({ kind: 'history', messageId }), [setOpen]);
  useLongPress(scroller, (messageId) => setOpen({ kind: 'sheet', messageId }));

  const more = (loading || failure) && (
    <More of={loading ?? failed} failed={failure !== undefined} onAgain={() => model.reload(conversation)} />
  );

  return (
    <div className={styles['pane']}>
      {/* Rows mount and unmount during scrolling, so the log is silent. The line below announces arrivals. */}
      <div ref={scroller} className={styles['scroller']} role="log" aria-live="off" aria-label={label}>
        <div ref={content} className={styles['content']}>
          <div ref={rows} className={styles['rows']}>
            {keys.slice(from, to).map((key, index) => (
              <div key={sentAs.get(key) ?? key}>
                <MessageRow
                  messageKey={key}
                  previousKey={keys[from + index - 1]}
                  isStart={from + index === 0 && foundOldest}
                  isFirstUnread={key === firstUnread}
                  isMarked={key === marked}
                  isCompact={isCompact}
                  onTakeBack={onTakeBack}
                  onHistory={onHistory}
                />
              </div>
            ))}
          </div>
        </div>
      </div>
      <VisuallyHidden live>{shown.announcement}</VisuallyHidden>
      <div className={styles['above']}>
        {settled && <FloatingDate list={list} scroller={scroller} atEnd={atEnd} />}
        {loading !== 'newer' && failed !== 'newer' && more}
        <ToFirstUnread list={list} conversation={conversation} firstUnread={firstUnread} />
      </div>
      <div className={styles['below']}>{(loading === 'newer' || failed === 'newer') && more}</div>
      {isShown && settled && <Reader {...props} list={list} atEnd={atEnd} isOnTheWay={isOnTheWay} />}
      {isShown && (settled || open !== undefined) && (
        <MessageTools
          conversation={conversation}
          scroller={scroller}
          acts={acts}
          emojiPicker={emojiPicker}
          open={open}
          onOpen={setOpen}
        />
      )}
      {!atEnd && <ToNewest conversation={conversation} onClick={() => model.toNewest(conversation)} />}
    </div>
  );
}

interface Shown {
  readonly keys: readonly MessageKey[];
  readonly foundNewest: boolean;
  readonly announcement: string;
}

function afterChange(
  before: Shown,
  { keys, foundNewest }: Timeline,
  messageOf: (key: MessageKey) => MessageView | undefined,
  say: (sender: string, text: string) => string,
): Shown {
  // Messages of a loaded page are not announced, because they did not arrive just now.
  if (!before.foundNewest || !foundNewest) return { ...before, keys, foundNewest };
  const ofOthers = arrivals(before.keys, keys)
    .map(messageOf)
    .filter((message) => message?.align === 'left');
  const newest = ofOthers.at(-1);
  return {
    keys,
    foundNewest,
    announcement: newest ? say(newest.senderFullName, saidIn(newest)) : before.announcement,
  };
}

function saidIn(message: MessageView): string {
  return message.file?.name ?? plainTextOf(message);
}

function More({
  of,
  failed,
  onAgain,
}: {
  readonly of: Loading | undefined;
  readonly failed: boolean;
  readonly onAgain: () => void;
}) {
  const words = useWords();
  const { loadingOlder, loadingMore, olderFailed, moreFailed } = words.chat;
  const text = of === 'older' ? { failed: olderFailed, loading: loadingOlder } : { failed: moreFailed, loading: loadingMore };
  return (
    <output className={styles['more']}>
      {failed ? text.failed : text.loading}
      {failed && <PlainButton onClick={onAgain}>{words.again}</PlainButton>}
    </output>
  );
}

function ToFirstUnread({
  list,
  conversation,
  firstUnread,
}: {
  readonly list: LongList;
  readonly conversation: ConversationKey;
  readonly firstUnread: number | undefined;
}) {
  const words = useWords();
  const model = useCommands();
  const unread = useModel(selectConversation, conversation)?.unReadCount ?? 0;
  const isAbove = useSyncExternalStore(list.subscribe, () => {
    const [oldest] = list.shown();
    return firstUnread !== undefined && typeof oldest === 'number' && firstUnread < oldest;
  });
  if (!isAbove || firstUnread === undefined || unread === 0) return null;
  return (
    <PlainButton className={styles['unread']} onClick={() => model.readOn(conversation, firstUnread)}>
      <Icon of={ArrowUp} size={16} strokeWidth={1.9} />
      {words.chat.toFirstUnread(words.unread(unread))}
    </PlainButton>
  );
}

function ToNewest({ conversation, onClick }: { readonly conversation: ConversationKey; readonly onClick: () => void }) {
  const words = useWords().chat;
  const unread = useModel(selectConversation, conversation)?.unReadCount ?? 0;
  const count = unread > 0 ? words.toNewestWith(unread) : '';
  return (
    <PlainButton className={styles['newest']} aria-label={[words.toNewest, count].join(' ').trim()} onClick={onClick}>
      <Icon of={ArrowDown} size={18} strokeWidth={1.9} />
      {count !== '' && <span>{count}</span>}
    </PlainButton>
  );
}

/** Whether the conversation opens at the first unread message; `loading` until that message is loaded. */
function useReadingOn(conversation: ConversationKey, timeline: Timeline | undefined, isShown: boolean): boolean | 'loading' {
  const model = useCommands();
  // The state when the conversation opened.
  const [begun, setBegun] = useState<{ readonly key: number | undefined; readonly destination: Destination | undefined }>();
  const { keys = [], destination } = timeline ?? {};
  const isOnTheWay = destination?.state === 'sought' && !timeline?.failure;
  if (!isShown && begun) setBegun(undefined);
  if (isShown && !begun && timeline?.status === 'ready' && !isOnTheWay) {
    const { unReadCount = 0 } = selectConversation(model.state(), conversation) ?? {};
    setBegun({ key: unReadCount > 0 ? timeline.firstUnread : undefined, destination: timeline.destination });
  }
  const key = begun?.key;
  const oldest = keys[0];
  const isAway = key !== undefined && typeof oldest === 'number' && key < oldest;
  // A conversation whose destination was deleted opens as if it had none.
  const isNowhere = destination === undefined || (destination.state === 'gone' && destination === begun?.destination);
  const isFirst = isAway && isNowhere;
  useEffect(() => {
    if (isFirst && key !== undefined) model.readOn(conversation, key);
  }, [model, conversation, isFirst, key]);
  if (isFirst || (isOnTheWay && (!begun || (isAway && destination.to === key)))) return 'loading';
  return key !== undefined;
}

function useMarked(destination: Destination | undefined, onArrive: (key: number) => void): number | undefined {
  const [mark, setMark] = useState({ destination, isOver: false });
  if (mark.destination !== destination) setMark({ destination, isOver: false });
  const key = messageOf(destination);
  const arrive = useEffectEvent(onArrive);
  useEffect(() => {
    const reached = messageOf(destination);
    if (reached === undefined) return undefined;
    arrive(reached);
    const timer = setTimeout(() => setMark({ destination, isOver: true }), markMs);
    return () => clearTimeout(timer);
  }, [destination]);
  return mark.isOver ? undefined : key;
}

function useGoneNotice(destination: Destination | undefined) {
  const words = useWords().chat;
  const toast = useToast();
  const say = useEffectEvent(() => toast({ text: words.gone, tone: 'alert' }));
  useEffect(() => {
    if (destination?.state === 'gone') say();
  }, [destination]);
}
