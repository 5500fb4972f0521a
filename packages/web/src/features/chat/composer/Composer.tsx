import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { classes } from '../../../components/classes.ts';
import { ArrowUp, Paperclip, Smile } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { useCoarsePointer } from '../../../hooks/media.ts';
import { useModel } from '../../../hooks/model.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { escapeKey } from '../../../model/constants.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Emoji } from '../../../model/timeline/reactions.ts';
import styles from './Composer.module.css';
import type { ComposedText } from './composedText.ts';
import { ComposerHint } from './ComposerHint.tsx';
import type { Drafts } from '../../../model/drafts/drafts.ts';
import { Field, isSendKey, useFieldKey } from './Field.tsx';
import { FileChips } from './FileChips.tsx';
import { QuoteCards } from './QuoteCards.tsx';
import { useChosenFiles } from './useChosenFiles.ts';
import { useDraft } from './useDraft.ts';
import { useEmojiInsertion, type Point } from './useEmojiInsertion.ts';
import { selectSettings } from '../../../model/people/selectors.ts';

export interface ComposerHandle {
  drop(data: DataTransfer): void;
  focus(): void;
}

/** The app injects the emoji picker, because a feature does not import another one. */
export interface EmojiPickerSlot {
  preload(): void;
  /** The reaction of a picked emoji. Rejects if the table cannot be loaded. */
  reactionOf(emoji: string): Promise<Emoji>;
  readonly Picker: ComponentType<{
    readonly at: Point;
    /** A press on this element does not count as a press outside. */
    readonly opener: RefObject<HTMLElement | null>;
    readonly onPick: (emoji: string) => void;
    readonly onClose: () => void;
  }>;
}

interface ComposerProps {
  readonly conversation: ConversationKey;
  readonly streamName: string;
  readonly drafts: Drafts;
  readonly emojiPicker: EmojiPickerSlot;
  readonly onEditLast: () => boolean;
  /** A new object asks for the focus while the field is shown. */
  readonly visit?: object | undefined;
  /** Asked when another draft is shown. The field never takes the focus on a telephone, where the keyboard would cover the messages. */
  readonly takesFocus?: () => boolean;
  readonly ref: Ref<ComposerHandle>;
}

/** The composer (R2.12, R2.13, R4.7). The field is uncontrolled, because writing into it would end a composition. */
export function Composer({ conversation, streamName, drafts, emojiPicker, onEditLast, visit, takesFocus, ref }: ComposerProps) {
  const words = useComposerWords();
  const coarse = useCoarsePointer();
  const { enter_sends: enterSends = true } = useModel(selectSettings);
  const sendButton = useRef<HTMLButtonElement>(null);
  const emojiButton = useRef<HTMLButtonElement>(null);
  const hint = useId();
  const draft = useDraft(conversation, drafts);
  const { writing, composition, mentioning, shown, ready, onInput, send, clear } = draft;
  const { field, view } = writing;
  const fieldKey = useFieldKey(writing);
  const hasFiles = shown.files.length > 0;
  useArrival(hasFiles ? sendButton : field, {
    draft: writing.composed,
    takesFocus: () => !coarse && takesFocus?.() === true,
    visit: coarse ? undefined : visit,
  });
  const { choose, drop, removeFile, onPaste } = useChosenFiles(draft, sendButton);
  const { emojiAt, toggleEmoji, closeEmoji, insert } = useEmojiInsertion(conversation, field);
  useImperativeHandle(ref, () => ({ drop, focus: () => field.current?.focus({ preventScroll: true }) }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event, composition.isIn(event.target))) return;
    if (event.target === field.current && mentioning.takeKey(event)) return;
    if (event.keyCode === escapeKey) clear();
    else if (event.key === 'ArrowUp' && view.quotes.length === 0 && isEmpty(event.target)) {
      if (onEditLast()) event.preventDefault();
    } else if (event.target === field.current && isSendKey(event, coarse, enterSends)) {
      event.preventDefault();
      send();
    }
  };

  return (
    <footer className={styles['footer']}>
      <QuoteCards quotes={view.quotes} onRemove={draft.removeQuote} />
      <div role="presentation" className={styles['box']} onKeyDown={onKeyDown} onPaste={onPaste}>
        <AttachButton onFiles={choose} />
        {hasFiles ? (
          <FileChips files={shown.files} onRemove={removeFile} />
        ) : (
          <Field
            // A field that keeps the focus would keep the screen keyboard open.
            key={coarse ? conversation : fieldKey}
            {...writing}
            aria-label={words.label(streamName)}
            aria-describedby={hint}
            aria-invalid={shown.tooLong !== undefined}
            placeholder={words.placeholder}
            enterKeyHint={coarse || !enterSends ? 'enter' : 'send'}
            onInput={onInput}
            {...mentioning.attributes}
          />
        )}
        {!hasFiles && (
          <IconButton
            ref={emojiButton}
            name={words.emoji}
            icon={Smile}
            className={styles['tool']}
            expanded={emojiAt !== undefined}
            onApproach={emojiPicker.preload}
            onClick={toggleEmoji}
          />
        )}
        <IconButton
          ref={sendButton}
          name={words.send}
          icon={ArrowUp}
          className={classes(styles['tool'], styles['send'])}
          disabled={!ready}
          keepFocus
          onClick={send}
        />
      </div>
      {!hasFiles && mentioning.list}
      <ComposerHint id={hint} draft={shown} coarse={coarse} enterSends={enterSends} />
      {emojiAt && <emojiPicker.Picker at={emojiAt} opener={emojiButton} onPick={insert} onClose={closeEmoji} />}
    </footer>
  );
}

/** Takes the focus when another draft is shown, and when the member goes to its conversation again. */
function useArrival(
  target: RefObject<HTMLElement | null>,
  { draft, takesFocus, visit }: { draft: ComposedText; takesFocus: () => boolean; visit: object | undefined },
): void {
  const [begunAt] = useState(visit);
  const shown = useRef<ComposedText>(undefined);
  const takeFocus = useEffectEvent(() => {
    // To focus a focused field would calculate styles again.
    if (document.activeElement !== target.current) target.current?.focus({ preventScroll: true });
  });

  useLayoutEffect(() => {
    if (shown.current === draft) return;
    shown.current = draft;
    if (takesFocus()) takeFocus();
  });

  useEffect(() => {
    // `takesFocus` has decided when the draft appeared.
    if (visit !== undefined && visit !== begunAt) takeFocus();
  }, [visit, begunAt]);
}

function isEmpty(target: EventTarget): boolean {
  return target instanceof HTMLTextAreaElement && target.value === '';
}

function AttachButton({ onFiles }: { readonly onFiles: (files: Iterable<File>) => void }) {
  const words = useComposerWords();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (event.target.files) onFiles(event.target.files);
          // Choosing the same file again must fire `change` again.
          event.target.value = '';
        }}
      />
      <IconButton name={words.attach} icon={Paperclip} className={styles['tool']} onClick={() => picker.current?.click()} />
    </>
  );
}
