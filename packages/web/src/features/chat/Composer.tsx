import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
} from 'react';
import { maxMessageLength } from '@engawa/protocol';
import { classes } from '../../components/classes.ts';
import { ArrowUp, Paperclip, Smile, X } from '../../components/icons.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { isForInputMethod, useComposition } from '../../components/inputMethod.ts';
import { useToast } from '../../components/Toasts.tsx';
import { useCoarsePointer } from '../../hooks/media.ts';
import { useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { fileSize } from '../../i18n/fileSize.ts';
import { escapeKey } from '../../model/constants.ts';
import styles from './Composer.module.css';
import type { Draft, Drafts } from './drafts.ts';
import { FileIcon } from './FileIcon.tsx';

export interface ComposerHandle {
  choose(files: FileList): void;
}

/** The picker is another feature; the app puts it here. */
export interface EmojiPickerSlot {
  /** Fetches what opening will need. */
  preload(): void;
  readonly Picker: ComponentType<{
    readonly at: { readonly x: number; readonly y: number };
    /** A click on it is not a click outside. */
    readonly opener: RefObject<HTMLElement | null>;
    readonly onPick: (emoji: string) => void;
    readonly onClose: () => void;
  }>;
}

/**
 * R2.12, R2.13, R4.7. The browser keeps the text: nothing is written into the field while the input method composes in
 * it, and what is sent is read from it. The drafts know all the time what it holds.
 */
export function Composer({
  streamId,
  streamName,
  drafts,
  emojiPicker,
  ref,
}: {
  readonly streamId: number;
  readonly streamName: string;
  readonly drafts: Drafts;
  readonly emojiPicker: EmojiPickerSlot;
  readonly ref: Ref<ComposerHandle>;
}) {
  const words = useWords().composer;
  const model = useModel();
  const toast = useToast();
  const coarse = useCoarsePointer();
  const field = useRef<HTMLTextAreaElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const emojiButton = useRef<HTMLButtonElement>(null);
  const { composing, handlers } = useComposition();
  const [{ file, hasText, tooLong }, setShown] = useState(() => shownOf(drafts.get(streamId)));
  const [emojiAt, setEmojiAt] = useState<{ readonly x: number; readonly y: number }>();
  const ready = (hasText || file !== undefined) && tooLong === undefined;

  const keep = (draft: Draft) => {
    drafts.keep(streamId, draft);
    setShown(shownOf(draft));
  };

  /** Keeps the draft and shows it; for what does not come from typing. */
  const put = (draft: Draft) => {
    if (field.current) field.current.value = draft.text;
    keep(draft);
  };

  const onInput = () => {
    if (!field.current) return;
    keep({ text: field.current.value, file });
    fitHeight(field.current);
  };

  useEffect(
    () =>
      drafts.onRestore((restored) => {
        if (restored !== streamId) return;
        const draft = drafts.get(streamId);
        if (field.current) field.current.value = draft.text;
        setShown(shownOf(draft));
        field.current?.focus();
      }),
    [drafts, streamId],
  );

  useLayoutEffect(() => {
    if (field.current) fitHeight(field.current);
  });

  // Who has chosen a stream goes on typing at once; not on a telephone, where the keyboard would cover the messages,
  // and not when the page has just been opened.
  useEffect(() => {
    if (!coarse && document.activeElement !== document.body) field.current?.focus({ preventScroll: true });
  }, [coarse]);

  const choose = (files: FileList) => {
    const [chosen, second] = files;
    if (!chosen) return;
    const most = model.session().max_file_size;
    if (chosen.size > most) {
      toast({ text: words.tooLarge(chosen.name, fileSize(most)), tone: 'alert' });
      return;
    }
    if (second) toast({ text: words.onlyOne, tone: 'note' });
    keep({ text: drafts.get(streamId).text, file: chosen });
    sendButton.current?.focus();
  };
  useImperativeHandle(ref, () => ({ choose }));

  const removeFile = () => {
    keep({ text: drafts.get(streamId).text, file: undefined });
    requestAnimationFrame(() => field.current?.focus());
  };

  const send = () => {
    if (!ready) return;
    const { text } = drafts.get(streamId);
    model.send(streamId, { text: text.trim() === '' ? '' : text, file });
    put({ text: '', file: undefined });
    if (file) requestAnimationFrame(() => field.current?.focus());
  };

  const clear = () => {
    const draft = drafts.get(streamId);
    if (draft.text === '' && !draft.file) return;
    put({ text: '', file: undefined });
    if (draft.file) requestAnimationFrame(() => field.current?.focus());
    toast({
      text: words.cleared,
      tone: 'note',
      action: { label: words.undo, run: () => drafts.restore(streamId, draft) },
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const stroke = { isComposing: event.nativeEvent.isComposing, keyCode: event.keyCode };
    if (isForInputMethod(stroke, composing.current)) return;
    if (event.keyCode === escapeKey) clear();
    else if (event.key === 'Enter' && !event.shiftKey && !coarse && event.target === field.current) {
      event.preventDefault();
      send();
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    // A copied table or page carries a picture of itself beside its text; then the text is meant.
    if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    choose(event.clipboardData.files);
  };

  const toggleEmoji = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget.getBoundingClientRect();
    const byPointer = event.detail > 0;
    const at = byPointer ? { x: event.clientX, y: event.clientY } : { x: button.left, y: button.top };
    setEmojiAt(emojiAt ? undefined : at);
  };

  const closeEmoji = () => {
    setEmojiAt(undefined);
    field.current?.focus();
  };

  const insert = (emoji: string) => {
    closeEmoji();
    const element = field.current;
    if (!element) return;
    // Only this command leaves the emoji in the browser's own undo; where it is gone, the text still gets its emoji.
    if (document.execCommand('insertText', false, emoji)) return;
    element.setRangeText(emoji, element.selectionStart, element.selectionEnd, 'end');
    onInput();
  };

  return (
    <footer className={styles['footer']}>
      <div role="presentation" className={styles['box']} onKeyDown={onKeyDown}>
        <input
          ref={picker}
          type="file"
          hidden
          onChange={(event) => {
            if (event.target.files) choose(event.target.files);
            // So that choosing the same file again is a change again.
            event.target.value = '';
          }}
        />
        <IconButton
          name={words.attach}
          icon={Paperclip}
          className={styles['tool']}
          onClick={() => picker.current?.click()}
        />
        {file ? (
          <div className={styles['chip']}>
            <FileIcon name={file.name} />
            <span className={styles['fileName']}>{file.name}</span>
            <span className={styles['fileSize']}>{fileSize(file.size)}</span>
            <button
              type="button"
              className={styles['remove']}
              aria-label={words.removeFile(file.name)}
              onClick={removeFile}
            >
              <X aria-hidden size={16} />
            </button>
          </div>
        ) : (
          <textarea
            ref={field}
            className={styles['field']}
            rows={1}
            aria-label={words.label(streamName)}
            placeholder={words.placeholder}
            defaultValue={drafts.get(streamId).text}
            enterKeyHint={coarse ? 'enter' : 'send'}
            onInput={onInput}
            onPaste={onPaste}
            {...handlers}
          />
        )}
        {!file && (
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
      {tooLong === undefined ? (
        <p className={styles['hint']}>{file && hasText ? words.draftKept : !coarse && words.hint}</p>
      ) : (
        <p className={classes(styles['hint'], styles['tooLong'])} role="alert">
          {words.tooLong(tooLong, maxMessageLength)}
        </p>
      )}
      {emojiAt && (
        <emojiPicker.Picker at={emojiAt} opener={emojiButton} onPick={insert} onClose={closeEmoji} />
      )}
    </footer>
  );
}

/** Where there is no field-sizing, the height follows the text by hand. */
function fitHeight(element: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}

interface Shown {
  readonly file: File | undefined;
  readonly hasText: boolean;
  /** How long the text is where it is too long to be sent: the server would cut it without a word. */
  readonly tooLong: number | undefined;
}

function shownOf({ text, file }: Draft): Shown {
  const trimmed = text.trim();
  return { file, hasText: trimmed !== '', tooLong: excessOf(trimmed) };
}

/** Characters are code points; a text that is short in UTF-16 need not be counted. */
function excessOf(text: string): number | undefined {
  if (text.length <= maxMessageLength) return undefined;
  const length = [...text].length;
  return length > maxMessageLength ? length : undefined;
}
