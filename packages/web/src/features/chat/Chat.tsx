import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { EmptyState } from '../../components/primitives/EmptyState.tsx';
import { Icon, Paperclip } from '../../components/icons.ts';
import { lazyComponent, lazyInBackground } from '../../components/lazyComponent.tsx';
import { useModel } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { selectCall } from '../../model/calls/state.ts';
import { selectSettled } from '../../model/connection/state.ts';
import { addressOfMessage } from '../../model/streams/address.ts';
import { joinNames, type ConversationKey } from '../../model/streams/conversation.ts';
import type { MessageView } from '../../model/timeline/message.ts';
import styles from './Chat.module.css';
import { ChatHeader } from './ChatHeader.tsx';
import type { ComposerHandle, EmojiPickerSlot } from './composer/Composer.tsx';
import type { Drafts } from '../../model/drafts/drafts.ts';
import type { PlaceRef } from './list/Reader.tsx';
import { MessageLists } from './list/MessageLists.tsx';
import type { MessageActions } from './message/MessageTools.tsx';
import { quoteOf, withQuote } from './composer/quote.ts';
import type { SearchSlot } from './stream/streamTool.ts';
import { useConversationState } from './useConversationState.ts';
import { useEditing } from './useEditing.ts';
import { useFileDrop } from './useFileDrop.ts';
import { TypingMembers } from './composer/TypingMembers.tsx';
import { selectConversation, selectStreamIds } from '../../model/conversations/selectors.ts';
import { selectCurrent } from '../../model/timeline/state.ts';

const Composer = lazyComponent(async () => (await import('./composer/Composer.tsx')).Composer);
const CallBanner = lazyInBackground(async () => (await import('./calls/JoinCall.tsx')).CallBanner, 30_000);
const EditComposer = lazyComponent(
  async () => (await import('./composer/EditComposer.tsx')).EditComposer,
  (words) => words.messageTools.toolFailed,
);

interface ChatProps {
  readonly drafts: Drafts;
  readonly emojiPicker: EmojiPickerSlot;
  readonly search: SearchSlot;
  readonly onBack: (() => void) | undefined;
  readonly placeRef: PlaceRef;
  /** A new object for each navigation to a conversation; undefined if the address names a message or a list. */
  readonly visit: object | undefined;
  /** Whether the address names the conversation, so that a narrow window shows it instead of the list. */
  readonly isInFront: boolean;
  /** Shown where nothing has been written, to lead on while the member is alone. */
  readonly nextStep: ReactNode;
}

/** The chat pane of the open conversation (R2.8, R2.12). */
export const Chat = memo(function Chat(props: ChatProps) {
  const words = useWords().chat;
  const current = useModel(selectCurrent);
  const streams = useModel(selectStreamIds);
  if (current !== undefined) return <ConversationChat conversation={current} {...props} />;
  if (!streams) return null;
  return (
    <div className={styles['none']}>
      <EmptyState heading={words.noStream}>{words.noStreamAdvice}</EmptyState>
      {props.nextStep}
    </div>
  );
});

function ConversationChat(props: ChatProps & { readonly conversation: ConversationKey }) {
  const { conversation, drafts, emojiPicker, search, onBack, placeRef, visit, isInFront, nextStep } = props;
  const words = useWords();
  const view = useModel(selectConversation, conversation);
  const call = useModel(selectCall, conversation);
  const settled = useModel(selectSettled);
  const composer = useRef<ComposerHandle>(null);
  const [firstVisit] = useState(visit);
  const isVisited = visit !== undefined && visit !== firstVisit;
  // Read when the conversation opens, because the composer may load later.
  const [opener] = useConversationState(conversation, () => document.activeElement);
  const hasTurnedAway = useTurnedAway(conversation, visit);
  // The focus stays where it is after a page load, and in the list when a wider window shows the chat again.
  const takesFocus = () =>
    !hasTurnedAway() && (isVisited || (opener !== document.body && (isInFront || !opener?.checkVisibility())));
  const quoteIntoDraft = useQuote(conversation, drafts);
  const { editing, edit, editLast, stopEditing } = useEditing(conversation, drafts, composer);
  const { dropping, dropHandlers } = useFileDrop(composer);
  useEffect(() => {
    if (!settled) return;
    // Also while a message is edited: the field has the focus as soon as the edit ends.
    Composer.preload();
    EditComposer.preload();
  }, [settled]);
  if (!view) return null;

  /** A quote belongs to a new message, so the edit closes. Its text stays stored. */
  const quote = (message: MessageView, part?: string) => {
    quoteIntoDraft(message, part);
    stopEditing();
  };

  return (
    <div className={styles['chat']} {...dropHandlers}>
      <ChatHeader view={view} search={search} onBack={onBack} />
      {call && <CallBanner conversation={conversation} />}
      <MessageLists
        conversation={conversation}
        acts={{ edit, quote, addressOf: (messageId) => wholeAddress(addressOfMessage(conversation, messageId)) }}
        emojiPicker={emojiPicker}
        placeRef={placeRef}
        nextStep={nextStep}
      />
      <TypingMembers conversation={conversation} />
      {view.kind === 'direct' && view.gone.length > 0 ? (
        <p className={styles['gone']}>{words.direct.gone(joinNames(view.gone.map(({ fullName }) => fullName)))}</p>
      ) : !settled || editing === undefined ? (
        <div className={styles['composer']}>
          {settled && (
            <Composer
              ref={composer}
              conversation={conversation}
              streamName={view.name}
              drafts={drafts}
              emojiPicker={emojiPicker}
              onEditLast={editLast}
              visit={isVisited ? visit : undefined}
              takesFocus={takesFocus}
            />
          )}
        </div>
      ) : (
        <EditComposer
          key={`${editing.messageId} ${editing.turn}`}
          conversation={conversation}
          messageId={editing.messageId}
          drafts={drafts}
          onClose={stopEditing}
          onAgain={(again) => edit(again.messageId, again)}
          onLoadFailure={stopEditing}
        />
      )}
      {dropping && (
        <div className={styles['drop']}>
          <Icon of={Paperclip} size={22} />
          {words.drop}
        </div>
      )}
    </div>
  );
}

/**
 * Whether the member has gone on to a control, a menu, a dialog or the list since the conversation was opened. The message field appears
 * once its code is loaded, which is after the first messages. A field that appears with its conversation asks before anything is stored.
 */
function useTurnedAway(conversation: ConversationKey, visit: object | undefined): () => boolean {
  const arrival = useRef<{ conversation: ConversationKey; visit: object | undefined; focused: Element | null }>(undefined);
  useLayoutEffect(() => {
    arrival.current = { conversation, visit, focused: document.activeElement };
  }, [conversation, visit]);
  return () => {
    const { activeElement } = document;
    const isLate = arrival.current?.conversation === conversation && arrival.current.visit === visit;
    if (!isLate || activeElement === arrival.current?.focused) return false;
    // A click focuses a message, but only keys go to the list itself, to scroll it.
    return (
      activeElement?.role === 'log' || Boolean(activeElement?.closest('a, button, input, select, textarea, dialog, [role=menu]'))
    );
  };
}

function useQuote(conversation: ConversationKey, drafts: Drafts): MessageActions['quote'] {
  const words = useWords().messageTools;
  const times = useTimes();
  return ({ key, senderFullName, timestamp, file, content }, part) => {
    if (typeof key === 'string') return;
    const link = wholeAddress(addressOfMessage(conversation, key));
    const about = words.quoted(senderFullName, times.full(timestamp), link);
    drafts.rewrite(conversation, withQuote(drafts.get(conversation).text, quoteOf(about, part ?? file?.name ?? content)));
  };
}

function wholeAddress(hash: string): string {
  return new URL(hash, location.href).href;
}
