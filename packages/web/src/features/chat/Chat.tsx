import { useCallback, useRef, useState, type DragEvent } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { ChevronLeft, Paperclip } from '../../components/icons.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { useToast } from '../../components/Toasts.tsx';
import { useCurrent, useModel, useStream } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { MessageView } from '../../model/view.ts';
import styles from './Chat.module.css';
import { Composer, type ComposerHandle, type EmojiPickerSlot } from './Composer.tsx';
import type { Drafts } from './drafts.ts';
import { MessageList } from './MessageList.tsx';

interface ChatProps {
  readonly drafts: Drafts;
  readonly emojiPicker: EmojiPickerSlot;
  /** Where the layout has one pane: back to the list. */
  readonly onBack: (() => void) | undefined;
}

/** The chat pane (R2.8, R2.12): the stream that is open. */
export function Chat(props: ChatProps) {
  const words = useWords().chat;
  const current = useCurrent();
  if (current !== undefined) return <StreamChat key={current} streamId={current} {...props} />;
  return (
    <div className={styles['empty']}>
      <p>{words.noStream}</p>
      <p className={styles['advice']}>{words.noStreamAdvice}</p>
    </div>
  );
}

function StreamChat({ streamId, drafts, emojiPicker, onBack }: ChatProps & { readonly streamId: number }) {
  const words = useWords();
  const stream = useStream(streamId);
  const composer = useRef<ComposerHandle>(null);
  const [dropping, setDropping] = useState(false);
  const takeBack = useTakeBack(streamId, drafts);
  if (!stream) return null;

  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
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
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    composer.current?.choose(event.dataTransfer.files);
  };

  return (
    <div className={styles['chat']} onDragOver={onDragOver} onDragLeave={onDragLeave} onDrop={onDrop}>
      <header className={styles['header']}>
        {onBack && <IconButton name={words.chat.back} icon={ChevronLeft} onClick={onBack} />}
        <span className={styles['picture']}>
          <Avatar id={streamId} name={stream.name} picture={stream.profile} size="header" />
        </span>
        <h2 className={styles['name']}>{stream.name}</h2>
        <span className={styles['count']} title={words.members(stream.subscribers.length)}>
          {words.inParentheses(stream.subscribers.length)}
        </span>
      </header>
      <MessageList streamId={streamId} streamName={stream.name} onTakeBack={takeBack} />
      <Composer ref={composer} streamId={streamId} streamName={stream.name} drafts={drafts} emojiPicker={emojiPicker} />
      {dropping && (
        <div className={styles['drop']}>
          <Paperclip aria-hidden size={22} />
          {words.composer.drop}
        </div>
      )}
    </div>
  );
}

/** Puts what could not be sent back into the composer, where there is room for it. */
function useTakeBack(streamId: number, drafts: Drafts): (message: MessageView) => void {
  const blocked = useWords().chat.takeBackBlocked;
  const model = useModel();
  const toast = useToast();
  return useCallback(
    ({ key, msgType }) => {
      if (typeof key !== 'string') return;
      if (msgType === 'file' && drafts.get(streamId).file) {
        toast({ text: blocked, tone: 'alert' });
        return;
      }
      const draft = model.discard(key);
      if (draft) drafts.restore(streamId, draft);
    },
    [streamId, drafts, model, toast, blocked],
  );
}
