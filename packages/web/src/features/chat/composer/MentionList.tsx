import { useEffect, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { stepOf } from '../../../components/primitives/focus.ts';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import { ListRow } from '../../../components/primitives/ListRow.tsx';
import { Avatar } from '../../../components/Avatar.tsx';
import { BotMark } from '../../../components/BotMark.tsx';
import { Icon, UsersRound } from '../../../components/icons.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useMentionsWords } from '../../../i18n/mentions.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { selectConversation } from '../../../model/conversations/selectors.ts';
import { selectDepartments, selectMe } from '../../../model/people/selectors.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';
import { selectMadeGroups } from '../../../model/people/mentions.ts';
import { mentionIndex, type MentionCandidate } from './mentionCandidates.ts';
import styles from './MentionList.module.css';
import type { MentionQuery } from './mentionQuery.ts';
import { useCapability, useModel } from '../../../hooks/model.ts';

export interface MentionListHandle {
  /** Whether the list handled the key. `typed`: the current text of the field, which may be newer than the list. */
  takeKey(event: KeyboardEvent, typed: MentionQuery): boolean;
}

export interface MentionListProps {
  readonly id: string;
  readonly conversation: ConversationKey;
  readonly typed: MentionQuery;
  readonly onChoose: (typed: MentionQuery, text: string) => void;
  readonly onClose: () => void;
  readonly onActive: (id: string | undefined) => void;
  readonly ref: Ref<MentionListHandle>;
}

// HTML has no list for a text field that keeps the focus, hence the ARIA roles.
const listbox = { role: 'listbox' } as const;
const option = (active: boolean) => ({ role: 'option', 'aria-selected': active }) as const;

export function MentionList({ id, conversation, typed, onChoose, onClose, onActive, ref }: MentionListProps) {
  const words = useMentionsWords();
  const list = useRef<HTMLDivElement>(null);
  const index = useIndex(conversation);
  const found = index.find(typed.query);
  const [reached, setReached] = useState<{ readonly typed: MentionQuery; readonly key: string }>();
  const active = found.find(({ key }) => reached?.typed === typed && key === reached.key) ?? found[0];
  const idOf = ({ key }: MentionCandidate) => `${id}-${key}`;
  const activeId = active && idOf(active);

  useEffect(() => {
    onActive(activeId);
    if (activeId !== undefined) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId, onActive]);
  useEffect(() => () => onActive(undefined), [onActive]);

  const takeKey = (event: KeyboardEvent, now: MentionQuery): boolean => {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const isShown = now.from === typed.from && now.query === typed.query;
    const listed = isShown ? found : index.find(now.query);
    const meant = isShown ? active : listed[0];
    if (!meant) return false;
    const at = listed.findIndex(({ key }) => key === meant.key);
    const next = listed[stepOf(event.key, at, listed.length, { wraps: true, ends: false }) ?? -1];
    if (next) {
      setReached({ typed, key: next.key });
      return true;
    }
    const act = {
      Enter: () => onChoose(now, meant.text),
      Tab: () => onChoose(now, meant.text),
      Escape: onClose,
    }[event.key];
    act?.();
    return act !== undefined;
  };
  useImperativeHandle(ref, () => ({ takeKey }));

  return (
    <>
      {found.length > 0 && (
        <div
          ref={list}
          id={id}
          {...listbox}
          aria-label={words.list}
          className={styles['list']}
          onPointerDown={(event) => event.preventDefault()}
        >
          {found.map((candidate) => (
            <ListRow
              key={candidate.key}
              id={idOf(candidate)}
              {...option(candidate === active)}
              tabIndex={-1}
              active={candidate === active}
              className={styles['row']}
              onClick={() => onChoose(typed, candidate.text)}
            >
              <Row candidate={candidate} />
            </ListRow>
          ))}
        </div>
      )}
      <VisuallyHidden live>{words.found(found.length)}</VisuallyHidden>
    </>
  );
}

function useIndex(conversation: ConversationKey) {
  const { all } = useWords().mention;
  const { everyone } = useMentionsWords();
  const me = useModel(selectMe)?.userId;
  const people = useModel(selectPeople);
  const { kind, subscribers } = useModel(selectConversation, conversation) ?? {};
  const departments = useModel(selectDepartments);
  const groups = useModel(selectMadeGroups);
  const notifiesDepartments = useCapability('department_mentions');
  return useMemo(
    () =>
      mentionIndex({
        me,
        // Only participants receive a mention in a direct message.
        members: kind === 'direct' ? people.filter(({ userId }) => subscribers?.includes(userId)) : people,
        departments: kind === 'direct' || !notifiesDepartments ? [] : (departments ?? []),
        groups: kind === 'direct' ? [] : groups,
        subscribers: subscribers ?? [],
        allNames: [all, ...everyone],
      }),
    [me, people, kind, subscribers, departments, groups, notifiesDepartments, all, everyone],
  );
}

function Row({ candidate }: { readonly candidate: MentionCandidate }) {
  const { all } = useWords().mention;
  const words = useMentionsWords();
  if (candidate.kind === 'member') {
    const { userId, fullName, reading, avatarUrl } = candidate.member;
    return (
      <>
        <Avatar id={userId} name={fullName} picture={avatarUrl} size="message" />
        <span className={styles['name']}>{fullName}</span>
        <BotMark userId={userId} />
        <span className={styles['aside']}>{candidate.joined ? reading : words.outside}</span>
      </>
    );
  }
  return (
    <>
      <span className={styles['group']}>
        <Icon of={UsersRound} size={16} strokeWidth={1.75} />
      </span>
      <span className={styles['name']}>{candidate.kind === 'all' ? all : candidate.name}</span>
      <span className={styles['aside']}>{words.inStream(candidate.count)}</span>
    </>
  );
}
