import { memo, useEffect, useRef, useState, type ComponentProps, type KeyboardEvent, type PointerEvent } from 'react';
import { moveFocus } from '../../components/primitives/focus.ts';
import { ListLink, ListRow } from '../../components/primitives/ListRow.tsx';
import { classes } from '../../components/classes.ts';
import { ConversationPicture } from '../../components/ConversationPicture.tsx';
import { AtSign, ChevronRight, Icon } from '../../components/icons.ts';
import { EmptyState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { Panel } from '../../components/primitives/Panel.tsx';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { MentionCount, UnreadCount } from '../../components/UnreadCount.tsx';
import { useMatches } from '../../hooks/matching.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useNoticeText } from '../../hooks/notices.ts';
import { usePresenceText } from '../../hooks/presence.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import {
  type Preview,
  selectArchivedIds,
  selectConversation,
  selectStream,
  selectStreamIds,
  selectTotalMentions,
} from '../../model/conversations/selectors.ts';
import { CreateGroup } from './CreateGroup.tsx';
import { DirectsSwitch } from './DirectsSwitch.tsx';
import styles from './Streams.module.css';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { selectHasDraft } from '../../model/drafts/state.ts';
import { selectMayCreateStreams } from '../../model/streams/state.ts';
import { selectIsCurrent } from '../../model/timeline/state.ts';
import type { MessageText } from '../../model/timeline/messageText.ts';

/** R2.6: the member's streams. Each row is a link, so it can be copied and opened in another tab (R2.2). */
export const Streams = memo(function Streams({
  addressOf,
  directsAddress,
  mentionsAddress,
  plainText,
  onOpen,
}: {
  readonly addressOf: (streamId: number) => string;
  readonly directsAddress: string;
  readonly mentionsAddress: string;
  readonly plainText: (message: MessageText) => string;
  readonly onOpen: (streamId: number) => void;
}) {
  const words = useWords();
  const model = useCommands();
  const streams = useModel(selectStreamIds);
  const mayCreate = useModel(selectMayCreateStreams);
  const [query, setQuery] = useState('');
  const matches = useMatches(query);
  const archived = new Set(useModel(selectArchivedIds));
  const found = streams?.filter((streamId) => matches(selectStream(model.state(), streamId)?.name ?? ''));
  const shown = found?.filter((streamId) => !archived.has(streamId));
  const shownArchived = found?.filter((streamId) => archived.has(streamId)) ?? [];
  const rows = { addressOf, plainText };

  return (
    <Panel
      heading={words.streams.heading}
      action={mayCreate && <CreateGroup onOpen={onOpen} />}
      top={
        <>
          <DirectsSwitch shown="streams" address={directsAddress} />
          <SearchField label={words.streams.search} onQuery={setQuery} />
          <MentionsLink address={mentionsAddress} />
        </>
      }
    >
      {!streams && <Skeleton rows={8} label={words.loading} />}
      {streams?.length === 0 && (
        <EmptyState heading={words.noRooms}>{mayCreate ? words.streams.noneAdvice : words.streams.onlyAdded}</EmptyState>
      )}
      {streams && streams.length > 0 && found?.length === 0 && (
        <EmptyState heading={words.noneFound}>{words.streams.noneFoundAdvice}</EmptyState>
      )}
      {shown && shown.length > 0 && <ConversationList label={words.streams.list} conversations={shown} {...rows} />}
      {shownArchived.length > 0 && <ArchivedStreams conversations={shownArchived} sought={query !== ''} {...rows} />}
    </Panel>
  );
});

interface ConversationListProps<Key extends ConversationKey> {
  readonly label: string;
  readonly conversations: readonly Key[];
  readonly addressOf: (conversation: Key) => string;
  readonly plainText: (message: MessageText) => string;
}

export function ConversationList<Key extends ConversationKey>({
  label,
  conversations,
  addressOf,
  plainText,
}: ConversationListProps<Key>) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {conversations.map((conversation) => (
        <li key={conversation}>
          <ConversationRow conversation={conversation} address={addressOf(conversation)} plainText={plainText} />
        </li>
      ))}
    </ul>
  );
}

/** R2.11.3: the archived streams, folded at the end of the list. A search includes them. */
type ArchivedStreamsProps = Omit<ConversationListProps<number>, 'label'> & { readonly sought: boolean };

function ArchivedStreams({ sought, ...rows }: ArchivedStreamsProps) {
  const words = useWords();
  const [unfolded, setUnfolded] = useState(false);
  const open = unfolded || sought;
  return (
    <section className={styles['away']}>
      <ListRow aria-expanded={open} onClick={() => setUnfolded(!open)}>
        <Icon of={ChevronRight} size={16} />
        {words.streams.away} {words.inParentheses(rows.conversations.length)}
      </ListRow>
      {open && <ConversationList label={words.streams.away} {...rows} />}
    </section>
  );
}

function MentionsLink({ address }: { readonly address: string }) {
  const words = useWords().mention;
  const count = useModel(selectTotalMentions);
  return (
    <ListLink href={address} className={styles['mentions']}>
      <Icon of={AtSign} size={18} strokeWidth={1.75} />
      <span>{words.heading}</span>
      <MentionCount count={count} />
    </ListLink>
  );
}

/** A row renders only for changes of its conversation. A message elsewhere may move the row but does not render it. */
const ConversationRow = memo(function ConversationRow({
  conversation,
  address,
  plainText,
}: {
  readonly conversation: ConversationKey;
  readonly address: string;
  readonly plainText: (message: MessageText) => string;
}) {
  const words = useWords();
  const times = useTimes();
  const view = useModel(selectConversation, conversation);
  const presence = usePresenceText(view?.kind === 'direct' ? view.partnerId : undefined);
  const hasDraft = useModel(selectHasDraft, conversation);

  if (!view) return null;
  const { name, status, message, time, unReadCount, mentionCount } = view;
  const isDirect = view.kind === 'direct';
  const isOthers = isDirect && message?.senderFullName === name;
  const unread = unReadCount > 0;

  return (
    <RowLink
      conversation={conversation}
      href={address}
      title={presence}
      className={classes(styles['row'], unread && styles['unread'], status === 'muted' && styles['muted'])}
      onKeyDown={onKeyDown}
    >
      <ConversationPicture of={view} size="list" />
      <span className={styles['name']}>{isDirect && view.isToSelf ? words.direct.toSelf(name) : name}</span>
      {time !== undefined && (
        <time className={styles['time']} dateTime={new Date(time * 1000).toISOString()} title={times.full(time)}>
          {times.recent(time)}
        </time>
      )}
      <span className={styles['preview']}>
        {hasDraft && <span className={styles['draft']}>{words.streams.draft}</span>}
        {message && <PreviewText preview={message} isNamed={!isOthers} plainText={plainText} />}
      </span>
      {unread && (
        <span className={styles['count']}>
          {!isDirect && <MentionCount count={mentionCount} />}
          <UnreadCount count={unReadCount} muted={status === 'muted' || (!isDirect && view.isArchived)} />
        </span>
      )}
    </RowLink>
  );
});

/** Only this part of a row renders when its conversation is opened or left. */
function RowLink({ conversation, ...props }: ComponentProps<'a'> & { readonly conversation: ConversationKey }) {
  const current = useModel(selectIsCurrent, conversation);
  const row = useRef<HTMLAnchorElement>(null);

  // The row of a stream that was opened elsewhere or just created may be outside the visible part.
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  return <ListLink ref={row} aria-current={current ? 'true' : undefined} onPointerDown={keepFocus} {...props} />;
}

/**
 * A press leaves the focus in an empty message field. It would take the focus back after the click, and to move it twice is slow. The row
 * cannot be dragged meanwhile.
 */
function keepFocus(event: PointerEvent) {
  const { activeElement } = document;
  const isInField = activeElement instanceof HTMLTextAreaElement && activeElement.value === '';
  if (isInField && event.pointerType === 'mouse') event.preventDefault();
}

/** Moves the focus between the links by arrow keys. Tab reaches each link too. */
function onKeyDown(event: KeyboardEvent) {
  if (isForInputMethod(event)) return;
  moveFocus(event, event.currentTarget.closest('ul')?.querySelectorAll('a') ?? []);
}

interface PreviewTextProps {
  readonly preview: Preview;
  readonly isNamed: boolean;
  readonly plainText: (message: MessageText) => string;
}

function PreviewText({ preview, isNamed, plainText }: PreviewTextProps) {
  const words = useWords();
  const noticeText = useNoticeText();
  if (preview.kind === 'deleted') return words.messageDeleted;
  if (preview.kind === 'file') return preview.text;
  if (preview.notice) return noticeText(preview.senderFullName, preview.notice);
  const text = plainText({ content: preview.text, dialect: preview.dialect });
  return isNamed ? words.streams.preview(preview.senderFullName, text) : text;
}
