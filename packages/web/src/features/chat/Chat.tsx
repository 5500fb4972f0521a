import { memo, useCallback, useEffect, useRef, useState, type DragEvent } from 'react';
import { flushSync } from 'react-dom';
import { EmptyState } from '../../components/primitives/EmptyState.tsx';
import { ConversationPicture } from '../../components/ConversationPicture.tsx';
import { ChevronLeft, Paperclip } from '../../components/icons.ts';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import type { Dictionary } from '../../i18n/ja.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { selectSettled } from '../../model/connection/state.ts';
import { joinNames, type ConversationKey } from '../../model/streams/conversation.ts';
import type { MessageView } from '../../model/timeline/message.ts';
import styles from './Chat.module.css';
import { mostFiles } from './composer/attachments.ts';
import { Composer, type ComposerHandle, type EmojiPickerSlot } from './composer/Composer.tsx';
import type { Correction, Drafts } from './composer/drafts.ts';
import { MessageList, type PlaceRef } from './list/MessageList.tsx';
import { quoteOf, withQuote } from './composer/quote.ts';
import type { SearchSlot } from './stream/streamTool.ts';
import { StreamTools } from './stream/StreamTools.tsx';
import { useConversationState } from './useConversationState.ts';
import { TypingMembers } from './composer/TypingMembers.tsx';
import { selectConversation, selectStreamIds } from '../../model/conversations/selectors.ts';
import { selectCurrent } from '../../model/timeline/state.ts';
import { selectTimeline } from '../../model/outbox/selectors.ts';

const failed = (words: Dictionary) => words.messageTools.toolFailed;
const DirectTools = lazyComponent(async () => (await import('./stream/DirectTools.tsx')).DirectTools, failed);
const EditComposer = lazyComponent(async () => (await import('./composer/EditComposer.tsx')).EditComposer, failed);

interface ChatProps {
  readonly drafts: Drafts;
  readonly emojiPicker: EmojiPickerSlot;
  readonly search: SearchSlot;
  /** The address of a message, starting with the hash. */
  readonly addressOfMessage: (conversation: ConversationKey, messageId: number) => string;
  /** Returns to the list in a layout with one pane. */
  readonly onBack: (() => void) | undefined;
  readonly placeRef: PlaceRef;
}

/** The chat pane of the open conversation (R2.8, R2.12). */
export const Chat = memo(function Chat(props: ChatProps) {
  const words = useWords().chat;
  const current = useModel(selectCurrent);
  const streams = useModel(selectStreamIds);
  if (current !== undefined) return <ConversationChat conversation={current} {...props} />;
  // The list of streams shows its own loading state.
  if (!streams) return null;
  return (
    <EmptyState filling heading={words.noStream}>
      {words.noStreamAdvice}
    </EmptyState>
  );
});

/** A drop on a dialog is not for the chat behind it. */
function isInDialog({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}

function ConversationChat({
  conversation,
  drafts,
  emojiPicker,
  search,
  addressOfMessage,
  onBack,
  placeRef,
}: ChatProps & { readonly conversation: ConversationKey }) {
  const words = useWords();
  const view = useModel(selectConversation, conversation);
  const composer = useRef<ComposerHandle>(null);
  const [dropping, setDropping] = useState(false);
  const takeBack = useTakeBack(conversation, drafts);
  const quoteIntoDraft = useQuote(conversation, drafts, addressOfMessage);
  const [editing, setEditing] = useConversationState(conversation, () => begunIn(drafts, conversation));
  const model = useCommands();
  const toast = useToast();
  const settled = useModel(selectSettled);
  useEffect(() => {
    if (settled) EditComposer.preload();
  }, [settled]);
  if (!view) return null;

  /**
   * Starts an edit. An edit of another message is discarded with an offer to resume it.
   * @param again The edit to resume; by default the stored text, or the current message.
   */
  const edit = (messageId: number, again?: Correction) => {
    const begun = drafts.correction(conversation);
    const goesOn = begun?.messageId === messageId && (!again || begun.text === again.text);
    const other = goesOn ? undefined : begun;
    if (again) drafts.keepCorrection(conversation, again);
    else if (other) drafts.keepCorrection(conversation, undefined);
    setEditing({ messageId, turn: (editing?.turn ?? 0) + 1 });
    if (!other) return;
    const back = () => edit(other.messageId, other);
    toast({ text: words.messageTools.editCancelled, tone: 'note', action: { label: words.composer.undo, run: back } });
  };
  /** A quote belongs to a new message, so the edit closes. Its text stays stored. */
  const quote = (message: MessageView) => {
    quoteIntoDraft(message);
    stopEditing();
  };
  /** Renders the composer at once, because the member continues to type. */
  const stopEditing = () => {
    flushSync(() => setEditing(undefined));
    composer.current?.focus();
  };
  /** Edits the last own message that may be edited. A message that is still being sent cannot be edited yet. */
  const editLast = () => {
    const keys = selectTimeline(model.state(), conversation)?.keys ?? [];
    const last = keys.findLast((key) => typeof key === 'string' || model.rights(key).edit);
    if (typeof last !== 'number') return false;
    edit(last);
    return true;
  };

  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files') || isInDialog(event) || editing !== undefined) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setDropping(true);
  };
  const onDragLeave = (event: DragEvent) => {
    const to = event.relatedTarget;
    if (!(to instanceof Node && event.currentTarget.contains(to))) setDropping(false);
  };
  const onDrop = (event: DragEvent) => {
    setDropping(false);
    if (event.dataTransfer.files.length === 0 || isInDialog(event)) return;
    event.preventDefault();
    composer.current?.drop(event.dataTransfer);
  };

  return (
    <div className={styles['chat']} onDragOver={onDragOver} onDragLeave={onDragLeave} onDrop={onDrop}>
      <header className={styles['header']}>
        {onBack && <IconButton name={words.chat.back} icon={ChevronLeft} onClick={onBack} />}
        <span className={styles['picture']}>
          <ConversationPicture of={view} size="header" />
        </span>
        <h2 className={styles['name']}>{view.kind === 'direct' && view.isToSelf ? words.direct.toSelf(view.name) : view.name}</h2>
        {(view.kind === 'stream' || view.others.length > 1) && (
          <span className={styles['count']} title={words.members(view.subscribers.length)}>
            {words.inParentheses(view.subscribers.length)}
          </span>
        )}
        {view.kind === 'stream' ? <StreamTools stream={view} search={search} /> : <DirectTools direct={view} search={search} />}
      </header>
      <MessageList
        key={conversation}
        conversation={conversation}
        streamName={view.name}
        onTakeBack={takeBack}
        acts={{ edit, quote, addressOf: (messageId) => wholeAddress(addressOfMessage(conversation, messageId)) }}
        emojiPicker={emojiPicker}
        placeRef={placeRef}
      />
      <TypingMembers conversation={conversation} />
      {view.kind === 'direct' && view.gone.length > 0 ? (
        <p className={styles['gone']}>{words.direct.gone(joinNames(view.gone.map(({ fullName }) => fullName)))}</p>
      ) : editing === undefined ? (
        <Composer
          ref={composer}
          conversation={conversation}
          streamName={view.name}
          drafts={drafts}
          emojiPicker={emojiPicker}
          onEditLast={editLast}
        />
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
          <Paperclip aria-hidden size={22} />
          {words.composer.drop}
        </div>
      )}
    </div>
  );
}

/** The edited message. `turn` remounts the editor, because a resumed text replaces the current one. */
interface Editing {
  readonly messageId: number;
  readonly turn: number;
}

function begunIn(drafts: Drafts, conversation: ConversationKey): Editing | undefined {
  const begun = drafts.correction(conversation);
  return begun && { messageId: begun.messageId, turn: 0 };
}

/** Moves an unsent message back into the composer, if there is room for its file. */
function useTakeBack(conversation: ConversationKey, drafts: Drafts): (message: MessageView) => void {
  const blocked = useWords().chat.takeBackBlocked;
  const model = useCommands();
  const toast = useToast();
  return useCallback(
    ({ key, msgType }) => {
      if (typeof key !== 'string') return;
      if (msgType === 'file' && drafts.get(conversation).files.length >= mostFiles) {
        toast({ text: blocked, tone: 'alert' });
        return;
      }
      const discarded = model.discard(key);
      if (!discarded) return;
      const { text, file } = discarded;
      drafts.restore(conversation, { text, files: file ? [file] : [] });
    },
    [conversation, drafts, model, toast, blocked],
  );
}

/** Quotes a message in the composer. */
function useQuote(
  conversation: ConversationKey,
  drafts: Drafts,
  addressOfMessage: ChatProps['addressOfMessage'],
): (message: MessageView) => void {
  const words = useWords().messageTools;
  const times = useTimes();
  return ({ key, senderFullName, timestamp, file, content }) => {
    if (typeof key === 'string') return;
    const link = wholeAddress(addressOfMessage(conversation, key));
    const about = words.quoted(senderFullName, times.full(timestamp), link);
    drafts.rewrite(conversation, withQuote(drafts.get(conversation).text, quoteOf(about, file?.name ?? content)));
  };
}

function wholeAddress(hash: string): string {
  return new URL(hash, location.href).href;
}
