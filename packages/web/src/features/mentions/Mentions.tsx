import { useState } from 'react';
import { findAlertWords } from '@engawa/folding';
import { TextButton, TextLink } from '../../components/primitives/Button.tsx';
import { Avatar } from '../../components/Avatar.tsx';
import { Choice } from '../../components/primitives/Choice.tsx';
import { MarkedText } from '../../components/MarkedText.tsx';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import { EmptyState, FailureState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { ListLink } from '../../components/primitives/ListRow.tsx';
import { BackLink } from '../../components/primitives/BackLink.tsx';
import { Panel } from '../../components/primitives/Panel.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useMentionsWords } from '../../i18n/mentions.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import type { Flag, FoundMessage } from '../../model/unread/flaggedMessages.ts';
import styles from './Mentions.module.css';
import { useFlaggedMessages } from './useFlaggedMessages.ts';
import { selectUnreadMark } from '../../model/conversations/unreadMark.ts';
import { selectAlertWords } from '../../model/unread/state.ts';
import { selectAvatarUrl } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';
import type { MessageText } from '../../model/timeline/messageText.ts';

export interface MentionsProps {
  readonly addressOf: (conversation: ConversationKey, messageId: number) => string;
  readonly backAddress: string;
  readonly settingsAddress: string;
  readonly plainText: (message: MessageText) => string;
}

const flags = ['mentioned', 'alerted', 'starred'] as const;

/** Mentions, alert words and stars of all conversations. Each row links to its message. */
export function Mentions({ backAddress, ...props }: MentionsProps) {
  const { mention, streams } = useWords();
  const words = useMentionsWords();
  const [flag, setFlag] = useState<Flag>('mentioned');
  return (
    <Panel
      heading={mention.heading}
      action={<BackLink href={backAddress}>{streams.heading}</BackLink>}
      top={
        <Choice
          label={words.show}
          labelled={false}
          options={flags.map((value) => ({ value, label: words[value] }))}
          chosen={flag}
          onChoose={setFlag}
        />
      }
    >
      <FoundList key={flag} flag={flag} {...props} />
    </Panel>
  );
}

type FoundListProps = Omit<MentionsProps, 'backAddress'> & { readonly flag: Flag };

function FoundList({ flag, addressOf, settingsAddress, plainText }: FoundListProps) {
  const words = useWords();
  const mentions = useMentionsWords();
  const failureText = useFailureText();
  const alertWords = useModel(selectAlertWords);
  const { messages, isAll, failure, loading, more } = useFlaggedMessages(flag);

  if (!messages) {
    if (!failure) return <Skeleton rows={6} label={words.loading} />;
    return <FailureState text={failureText(failure)} again={words.again} onAgain={more} />;
  }
  if (messages.length === 0) {
    if (flag === 'mentioned') return <EmptyState heading={mentions.none}>{mentions.noneAdvice}</EmptyState>;
    if (flag === 'starred') return <EmptyState heading={mentions.noneStarred}>{mentions.noneStarredAdvice}</EmptyState>;
    return (
      <>
        <EmptyState heading={words.noneFound}>{mentions.noneAlertedAdvice}</EmptyState>
        <TextLink href={settingsAddress} className={styles['more']}>
          {mentions.toSettings}
        </TextLink>
      </>
    );
  }
  return (
    <>
      <ul className={styles['list']} aria-label={mentions[flag]}>
        {messages.map((message) => (
          <li key={message.messageId}>
            <Row
              message={message}
              address={addressOf(message.conversation, message.messageId)}
              text={plainText(message)}
              alertWords={flag === 'alerted' ? alertWords : []}
            />
          </li>
        ))}
      </ul>
      {failure && <FailureState text={failureText(failure)} again={words.again} onAgain={more} />}
      {!failure && !isAll && (
        <TextButton className={styles['more']} aria-disabled={loading} onClick={() => loading || more()}>
          {loading ? words.loading : mentions.more}
        </TextButton>
      )}
    </>
  );
}

function Row({
  message: { messageId, conversation, senderId, senderFullName, avatarUrl, conversationName, timestamp },
  address,
  text,
  alertWords,
}: {
  readonly message: FoundMessage;
  readonly address: string;
  readonly text: string;
  readonly alertWords: readonly string[];
}) {
  const times = useTimes();
  const face = useModel(selectAvatarUrl, senderId, avatarUrl);
  const unread = useModel(selectUnreadMark, conversation, messageId);
  const words = useMentionsWords();
  return (
    <ListLink href={address} className={styles['row']} data-unread={unread}>
      <Avatar id={senderId} name={senderFullName} picture={face} size="message" />
      <span className={styles['name']}>{senderFullName}</span>
      <time className={styles['time']} dateTime={new Date(timestamp * 1000).toISOString()} title={times.full(timestamp)}>
        {times.recent(timestamp)}
      </time>
      <span className={styles['stream']}>{conversationName}</span>
      <span className={styles['text']}>
        <MarkedText text={text} ranges={findAlertWords(text, alertWords)} />
      </span>
      {unread && <VisuallyHidden>{words.unread}</VisuallyHidden>}
    </ListLink>
  );
}
