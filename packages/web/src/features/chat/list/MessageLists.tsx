import { memo, useEffect, useState } from 'react';
import { ModelProvider, useCommands, useModel } from '../../../hooks/model.ts';
import { selectConversation } from '../../../model/conversations/selectors.ts';
import { createSignal } from '../../../model/signal.ts';
import type { State } from '../../../model/state.ts';
import type { Model } from '../../../model/model.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { selectTimeline, type Timeline } from '../../../model/outbox/selectors.ts';
import { MessageList, type MessageListProps } from './MessageList.tsx';
import styles from './MessageList.module.css';
import { ListIsShown } from './useOpened.ts';

const mostKept = 3;

/** The list of the open conversation, and those of the last ones: mounting and laying out rows takes most of a switch. */
export function MessageLists(props: Omit<MessageListProps, 'isShown'>) {
  const { conversation } = props;
  const [recent, setRecent] = useState([conversation]);
  if (recent[0] !== conversation) {
    setRecent([conversation, ...recent.filter((each) => each !== conversation)].slice(0, mostKept));
  }
  return (
    <div className={styles['lists']}>
      {/* Sorted, so that no list moves in the document: the browser would lay it out again. */}
      {recent.toSorted().map((each) => (
        <KeptList key={each} {...props} conversation={each} isShown={each === conversation} />
      ))}
    </div>
  );
}

/** A hidden list is dropped when its messages change. When it is shown again, it must look like a list that was just opened. */
const KeptList = memo(
  function KeptList(props: MessageListProps) {
    const { conversation, isShown } = props;
    const model = useCommands();
    const modelWhileShown = useModelWhile(isShown);
    const keys = useModel(selectKeys, conversation);
    const [last, setLast] = useState({ isShown, keys, opened: 0 });
    if (last.isShown !== isShown) {
      const isSame = !isShown || opensAsLeft(model.state(), conversation, last.keys);
      setLast({ isShown, keys, opened: last.opened + (isSame ? 0 : 1) });
    }
    if (!isShown && last.keys !== keys) return null;
    return (
      <div className={styles['kept']} data-hidden={!isShown || undefined}>
        <ModelProvider value={modelWhileShown}>
          <ListIsShown value={isShown}>
            <MessageList key={last.opened} {...props} />
          </ListIsShown>
        </ModelProvider>
      </div>
    );
  },
  // The props belong to the open conversation, so a hidden list ignores them.
  (before, after) => !before.isShown && !after.isShown,
);

/** The model, which notifies only while the list is shown, and when it is shown again: its rows have a hundred subscriptions. */
function useModelWhile(isShown: boolean): Model {
  const model = useCommands();
  const [{ subscribe, emit }] = useState(() => createSignal());
  const [own] = useState(() => ({ ...model, subscribe }));
  useEffect(() => {
    if (!isShown) return undefined;
    emit();
    return model.subscribe(emit);
  }, [model, emit, isShown]);
  return own;
}

const selectKeys = (state: State, conversation: ConversationKey) => selectTimeline(state, conversation)?.keys;

/** Whether the conversation opens at its end, with the messages that were there when its reader left. */
function opensAsLeft(state: State, conversation: ConversationKey, left: Timeline['keys'] | undefined): boolean {
  const { keys, destination } = selectTimeline(state, conversation) ?? {};
  const { unReadCount } = selectConversation(state, conversation) ?? {};
  return keys === left && destination === undefined && unReadCount === 0;
}
