import { memo } from 'react';
import type { MessageNotice } from '@engawa/protocol';
import { BotMark } from '../../../components/BotMark.tsx';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import { Button, PlainButton } from '../../../components/primitives/Button.tsx';
import { classes } from '../../../components/classes.ts';
import { Face } from '../../../components/Face.tsx';
import { Ban, CircleAlert, Icon, Star } from '../../../components/icons.ts';
import { lazyInBackground } from '../../../components/lazyComponent.tsx';
import { MemberButton } from '../../../components/MemberButton.tsx';
import { unsentText } from '../../../hooks/failures.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useNoticeText } from '../../../hooks/notices.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { topic as topicOfScreens } from '../../../model/constants.ts';
import { showsReaders } from '../../../model/unread/state.ts';
import type { MessageKey, MessageView } from '../../../model/timeline/message.ts';
import { FileCard } from './FileCard.tsx';
import { Markup } from './Markup.tsx';
import { Reactions } from './Reactions.tsx';
import styles from './MessageRow.module.css';
import { Receipt } from './Receipt.tsx';
import { selectContinues, selectMessage, selectTimestamp } from '../../../model/outbox/selectors.ts';
import { selectReceiptsShown } from '../../../model/unread/state.ts';
import { selectName } from '../../../model/people/selectors.ts';

const CallMessage = lazyInBackground(async () => (await import('../calls/CallMessage.tsx')).CallMessage, 30_000);
/** Until the cards of a hook are loaded, its message is text. */
const Cards = lazyInBackground(
  async () => (await import('./Cards.tsx')).Cards,
  30_000,
  ({ children }) => children,
);

interface RowActions {
  readonly onTakeBack: (message: MessageView) => void;
  readonly onHistory: (messageId: number) => void;
}

interface MessageRowProps extends RowActions {
  readonly messageKey: MessageKey;
  readonly previousKey: MessageKey | undefined;
  readonly isStart: boolean;
  readonly isFirstUnread: boolean;
  readonly isMarked: boolean;
  readonly isCompact: boolean;
}

/** A message and the dividers above it, which belong to the row because each row is positioned separately. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { messageKey, previousKey, isStart, isFirstUnread, isMarked, isCompact, ...actions } = props;
  const words = useWords();
  const times = useTimes();
  const message = useModel(selectMessage, messageKey);
  const previous = useModel(selectTimestamp, previousKey ?? messageKey);
  const continues = useModel(selectContinues, messageKey, isCompact ? previousKey : undefined);
  if (!message) return null;
  const opensDay =
    previousKey === undefined || (previous !== undefined && times.dayOf(previous) !== times.dayOf(message.timestamp));

  const isGrouped = continues && !opensDay && !isStart && !isFirstUnread;

  return (
    <div
      className={styles['row']}
      data-marked={isMarked || undefined}
      data-compact={isCompact || undefined}
      data-grouped={isGrouped || undefined}
    >
      {isStart && <Divider text={words.conversationStartedOn(times.day(message.timestamp))} />}
      {opensDay && !isStart && <Divider text={times.day(message.timestamp)} />}
      {isFirstUnread && <Divider text={words.newMessages} isNew />}
      {message.notice ? (
        <Notice message={message} notice={message.notice} />
      ) : (
        <Message message={message} isGrouped={isGrouped} {...actions} />
      )}
    </div>
  );
});

function Divider({ text, isNew = false }: { readonly text: string; readonly isNew?: boolean }) {
  return (
    <div className={classes(styles['divider'], isNew && styles['new'])}>
      <hr aria-label={text} />
      <span aria-hidden>{text}</span>
    </div>
  );
}

function Notice({ message, notice }: { readonly message: MessageView; readonly notice: MessageNotice }) {
  const times = useTimes();
  const noticeText = useNoticeText();
  const { senderFullName, timestamp } = message;
  return (
    <p className={styles['notice']}>
      {noticeText(senderFullName, notice)}
      <time dateTime={new Date(timestamp * 1000).toISOString()} title={times.full(timestamp)}>
        {times.clock(timestamp)}
      </time>
    </p>
  );
}

type MessageProps = RowActions & { readonly message: MessageView; readonly isGrouped: boolean };

function Message({ message, isGrouped, onTakeBack, onHistory }: MessageProps) {
  const words = useWords().chat;
  const times = useTimes();
  const receiptsShown = useModel(selectReceiptsShown);
  const { key, senderId, senderFullName, avatarUrl, align, state, timestamp, topic, deleted, starred, called } = message;
  const counted = typeof key === 'number' && showsReaders(message, receiptsShown) ? key : undefined;
  const edited = message.edited && !deleted && typeof key === 'number' ? key : undefined;

  return (
    <article
      className={styles['message']}
      data-align={align}
      data-state={state}
      data-called={called}
      data-key={key}
      tabIndex={-1}
    >
      {!isGrouped && (
        <MemberButton userId={senderId} name={senderFullName} className={styles['face']} isFace>
          <Face id={senderId} name={senderFullName} picture={avatarUrl} size="message" />
        </MemberButton>
      )}
      <div className={styles['body']}>
        {isGrouped ? (
          <VisuallyHidden>{senderFullName}</VisuallyHidden>
        ) : (
          <p className={styles['sender']}>
            <MemberButton userId={senderId} name={senderFullName} isAside>
              {senderFullName}
            </MemberButton>
            <BotMark userId={senderId} />
            {called && <span className={styles['called']}>{called === 'mention' ? words.callsYou : words.alertsYou}</span>}
            {topic !== topicOfScreens && topic !== '' && <span className={styles['topic']}>{words.topic(topic)}</span>}
          </p>
        )}
        <div className={styles['line']}>
          <Content message={message} />
          <span className={styles['foot']}>
            {(starred || edited !== undefined) && (
              <span className={styles['marks']}>
                {starred && (
                  <span className={styles['star']}>
                    <Icon of={Star} size={13} />
                    <VisuallyHidden>{words.starred}</VisuallyHidden>
                  </span>
                )}
                {edited !== undefined && (
                  <PlainButton className={styles['edited']} onClick={() => onHistory(edited)}>
                    {words.edited}
                  </PlainButton>
                )}
              </span>
            )}
            <span className={styles['sent']}>
              {counted !== undefined && <Receipt messageId={counted} />}
              {state === 'sending' || state === 'held' ? (
                <span>{words[state]}</span>
              ) : (
                <time dateTime={new Date(timestamp * 1000).toISOString()} title={times.full(timestamp)}>
                  {times.clock(timestamp)}
                </time>
              )}
            </span>
          </span>
          {/* The slot of the tools, which are a portal so that they render no row. */}
          <span className={styles['tools']} data-tools />
        </div>
        {message.reactions.length > 0 && <Reactions message={message} />}
        {state !== 'sent' && state !== 'sending' && <NotSent message={message} onTakeBack={onTakeBack} />}
      </div>
    </article>
  );
}

function Content({ message }: { readonly message: MessageView }) {
  const words = useWords();
  if (message.deleted) {
    return (
      <p className={classes(styles['bubble'], styles['deleted'])}>
        <Icon of={Ban} size={15} strokeWidth={1.75} />
        {words.messageDeleted}
      </p>
    );
  }
  if (message.call) return <CallMessage call={message.call} />;
  if (message.msgType === 'file' && message.file) return <FileCard message={message} file={message.file} />;
  const text = (
    <Markup
      source={message.content}
      dialect={message.dialect}
      alerted={message.called !== undefined}
      callsMe={message.called === 'mention'}
    />
  );
  return (
    <div className={styles['bubble']}>
      {message.cards ? (
        <Cards cards={message.cards} alerted={message.called !== undefined}>
          {text}
        </Cards>
      ) : (
        text
      )}
    </div>
  );
}

/** R4.8.2: why the message was not sent, with buttons to retry or take it back. A held message waits for the one before it. */
function NotSent({ message, onTakeBack }: Omit<RowActions, 'onHistory'> & { readonly message: MessageView }) {
  const all = useWords();
  const words = all.chat;
  const model = useCommands();
  const { key, state, failure } = message;
  if (typeof key !== 'string') return null;

  const isRetrying = state === 'retrying';
  const takeBack = (
    <Button size="small" aria-disabled={isRetrying} onClick={() => onTakeBack(message)}>
      {words.takeBack}
    </Button>
  );
  if (state === 'held') {
    return (
      <div className={styles['failed']}>
        <p>{words.heldWhy}</p>
        {takeBack}
      </div>
    );
  }
  return (
    <div className={styles['failed']} role="alert">
      <p>
        <Icon of={CircleAlert} size={14} />
        <span>{failure ? unsentText(all, failure, (userId) => selectName(model.state(), userId)) : words.notSent}</span>
      </p>
      <Button size="small" aria-disabled={isRetrying} onClick={() => model.retry(key)}>
        {words.sendAgain}
      </Button>
      {takeBack}
    </div>
  );
}
