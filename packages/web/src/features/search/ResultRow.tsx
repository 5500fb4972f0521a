import { useMemo, type MouseEvent, type ReactNode } from 'react';
import { ListLink, ListRow } from '../../components/primitives/ListRow.tsx';
import { Avatar } from '../../components/Avatar.tsx';
import { Clock, FileText, Icon, UsersRound } from '../../components/icons.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSearchWords } from '../../i18n/search.ts';
import { topic as topicOfScreens } from '../../model/constants.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import type { Hit } from '../../model/timeline/search.ts';
import { excerptOf, textOf } from './excerpt.ts';
import styles from './ResultRow.module.css';
import type { MemberWithDepartments, Row } from './sections.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';
import { selectAvatarUrl } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';
import { usePlainTextOf } from '../../hooks/zulipMarkup.ts';

// HTML has no list that leaves the focus in a text field, hence the ARIA roles.
const option = (active: boolean) => ({ role: 'option', 'aria-selected': active, tabIndex: -1 }) as const;

interface ResultRowProps {
  readonly id: string;
  readonly row: Row;
  readonly words: readonly string[];
  readonly active: boolean;
  readonly addressOf: (conversation: ConversationKey, messageId?: number) => string;
  readonly onTake: () => void;
}

/** A row of the search panel. A stream or a message is a link, so it can be copied and opened in another tab (R2.2). */
export function ResultRow({ id, row, words, active, addressOf, onTake }: ResultRowProps) {
  const take = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onTake();
  };
  const props = { id, ...option(active), active, className: styles['row'], onClick: take };

  switch (row.kind) {
    case 'hit':
      return (
        <ListLink href={addressOf(row.hit.conversation, row.hit.messageId)} {...props}>
          <HitText hit={row.hit} words={words} />
        </ListLink>
      );
    case 'stream':
      return (
        <ListLink href={addressOf(row.stream.streamId)} {...props}>
          <Avatar id={row.stream.streamId} name={row.stream.name} picture={row.stream.profile} size="message" />
          <span className={styles['name']}>{row.stream.name}</span>
        </ListLink>
      );
    case 'member':
      return <ListRow {...props}>{row.member ? <MemberText member={row.member} isWayOn={row.isWayOn} /> : <Everyone />}</ListRow>;
    case 'recent':
      return (
        <ListRow {...props}>
          <span className={styles['icon']}>
            <Icon of={Clock} size={18} strokeWidth={1.75} />
          </span>
          <span className={styles['name']}>{row.query}</span>
        </ListRow>
      );
  }
}

function Everyone() {
  const words = useSearchWords();
  return (
    <>
      <span className={styles['icon']}>
        <Icon of={UsersRound} size={18} strokeWidth={1.75} />
      </span>
      <span className={styles['name']}>{words.everyone}</span>
    </>
  );
}

interface MemberTextProps {
  readonly member: MemberWithDepartments;
  readonly isWayOn: boolean;
}

function MemberText({ member: { userId, fullName, reading, avatarUrl, departments }, isWayOn }: MemberTextProps) {
  const words = useSearchWords();
  return (
    <>
      <Avatar id={userId} name={fullName} picture={avatarUrl} size="message" />
      <span className={styles['who']}>
        <span className={styles['name']}>{fullName}</span>
        <span className={styles['aside']}>{[reading, ...departments].filter((part) => part !== '').join('\u3000')}</span>
      </span>
      {isWayOn && <span className={styles['leads']}>{words.messagesOf(fullName)}</span>}
    </>
  );
}

function HitText({ hit, words }: { readonly hit: Hit; readonly words: readonly string[] }) {
  const all = useWords();
  const times = useTimes();
  const stream = useModel(selectConversation, hit.conversation);
  const { senderId, senderFullName, avatarUrl, timestamp, topic, file } = hit;
  const face = useModel(selectAvatarUrl, senderId, avatarUrl);
  const plainTextOf = usePlainTextOf();
  const shown = useMemo(() => excerptOf(textOf(hit, plainTextOf), words), [hit, words, plainTextOf]);
  const underTopic = topic !== topicOfScreens && topic !== '';

  return (
    <>
      <Avatar id={senderId} name={senderFullName} picture={face} size="message" />
      <span className={styles['message']}>
        <span className={styles['about']}>
          <span className={styles['name']}>{senderFullName}</span>
          <span className={styles['place']}>{stream?.name}</span>
          <time dateTime={new Date(timestamp * 1000).toISOString()} title={times.full(timestamp)}>
            {times.recent(timestamp)}
          </time>
        </span>
        {underTopic && <Marked className={styles['topic']} parts={excerptOf(all.chat.topic(topic), words)} />}
        <Marked className={styles['text']} parts={shown}>
          {file && <Icon of={FileText} size={15} strokeWidth={1.75} />}
        </Marked>
      </span>
    </>
  );
}

interface MarkedProps {
  readonly className: string | undefined;
  readonly parts: ReturnType<typeof excerptOf>;
  readonly children?: ReactNode;
}

function Marked({ className, parts, children }: MarkedProps) {
  return (
    <span className={className}>
      {children}
      {parts.map(({ at, text, found }) => (found ? <mark key={at}>{text}</mark> : text))}
    </span>
  );
}
