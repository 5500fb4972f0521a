import {
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentProps,
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { sanitizeFileName } from '@engawa/protocol';
import { classes } from '../../../components/classes.ts';
import { ArrowUp, Paperclip, Smile, X } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { isForInputMethod, useComposition } from '../../../components/inputMethod.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCoarsePointer } from '../../../hooks/media.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { fileSize } from '../../../i18n/fileSize.ts';
import { isBlank } from '../../../model/outbox/blank.ts';
import { escapeKey } from '../../../model/constants.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Emoji } from '../../../model/timeline/reactions.ts';
import { admitted, holdsFolder, mostFiles, pastedFiles } from './attachments.ts';
import styles from './Composer.module.css';
import { ComposerHint } from './ComposerHint.tsx';
import type { Draft, Drafts } from './drafts.ts';
import { FileIcon } from '../message/FileIcon.tsx';
import { FileName } from '../message/FileName.tsx';
import { summarizeDraft } from './draftSummary.ts';
import { insertText, useMentioning } from './useMentioning.tsx';
import { useConversationState } from '../useConversationState.ts';
import { selectSettings } from '../../../model/people/selectors.ts';

export interface ComposerHandle {
  /** Adds files that were dropped on the chat. */
  drop(data: DataTransfer): void;
  focus(): void;
}

/** Screen pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The emoji picker is another feature. The app injects it. */
export interface EmojiPickerSlot {
  /** Preloads the code. */
  preload(): void;
  /** The reaction of a picked emoji. Rejects if the table cannot be loaded. */
  reactionOf(emoji: string): Promise<Emoji>;
  readonly Picker: ComponentType<{
    readonly at: Point;
    /** A press on the opener is not a press outside. */
    readonly opener: RefObject<HTMLElement | null>;
    readonly onPick: (emoji: string) => void;
    readonly onClose: () => void;
  }>;
}

/**
 * R2.12, R2.13, R4.7. The field is uncontrolled: nothing is written into it during a composition, and `send` reads the text from
 * it. The drafts always know the content. Each conversation has its own field with its own undo history. The controls around the
 * field stay mounted when another conversation opens.
 */
export function Composer({
  conversation,
  streamName,
  drafts,
  emojiPicker,
  onEditLast,
  ref,
}: {
  readonly conversation: ConversationKey;
  readonly streamName: string;
  readonly drafts: Drafts;
  readonly emojiPicker: EmojiPickerSlot;
  /** Edits the member's last editable message. Returns whether there is one. */
  readonly onEditLast: () => boolean;
  readonly ref: Ref<ComposerHandle>;
}) {
  const words = useWords().composer;
  const model = useCommands();
  const toast = useToast();
  const coarse = useCoarsePointer();
  const { enter_sends: enterSends = true } = useModel(selectSettings);
  const field = useRef<HTMLTextAreaElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const emojiButton = useRef<HTMLButtonElement>(null);
  const hint = useId();
  const composition = useComposition();
  const [shown, setShown] = useConversationState(conversation, () => summarizeDraft(drafts, conversation));
  const { files, hasText, tooLong } = shown;
  const hasFiles = files.length > 0;
  const [emojiAt, setEmojiAt] = useConversationState<Point | undefined>(conversation, () => undefined);
  const mentioning = useMentioning({ field, conversation, composition });
  const ready = (hasText || hasFiles) && tooLong === undefined;

  /** The field has the latest text. There is no field while files are chosen. */
  const written = (): Draft => (field.current ? { text: field.current.value, files } : drafts.get(conversation));

  const keep = (draft: Draft) => {
    drafts.keep(conversation, draft);
    setShown(summarizeDraft(drafts, conversation));
  };

  const empty = () => {
    if (field.current) field.current.value = '';
    composition.end();
    mentioning.close();
    model.writes(conversation, false);
    keep({ text: '', files: [] });
  };

  const onInput = (event: FormEvent) => {
    if (!field.current) return;
    keep(written());
    model.writes(conversation, !isBlank(field.current.value));
    fitHeight(field.current);
    mentioning.look(event);
  };

  useEffect(
    () =>
      drafts.onChange((changed, change) => {
        if (changed !== conversation || (change === 'elsewhere' && composition.isIn(field.current))) return;
        if (field.current) field.current.value = drafts.get(conversation).text;
        composition.end();
        setShown(summarizeDraft(drafts, conversation));
        if (change === 'restored') field.current?.focus();
      }),
    [drafts, conversation, setShown, composition],
  );

  // Leaving the conversation ends "is typing".
  useEffect(() => () => model.writes(conversation, false), [model, conversation]);

  useLayoutEffect(() => {
    if (field.current) fitHeight(field.current);
  });

  const choose = (chosen: Iterable<File>) => {
    const draft = written();
    const most = model.session.max_file_size;
    const { taken, tooLarge, beyond } = admitted(chosen, draft.files.length, most);
    const names = tooLarge.map(({ name }) => sanitizeFileName(name));
    if (names.length > 0) toast({ text: words.tooLarge(names, fileSize(most)), tone: 'alert' });
    if (beyond.length > 0) toast({ text: words.tooMany(mostFiles, beyond.length), tone: 'alert' });
    if (taken.length === 0) return;
    keep({ ...draft, files: [...draft.files, ...taken] });
    sendButton.current?.focus();
  };

  const drop = (data: DataTransfer) => {
    if (holdsFolder(data.items)) toast({ text: words.noFolder, tone: 'alert' });
    else choose(data.files);
  };
  useImperativeHandle(ref, () => ({ drop, focus: () => field.current?.focus({ preventScroll: true }) }));

  /** Renders the field at once, because the member continues to type. */
  const goOnWriting = () => {
    flushSync(() => setShown(summarizeDraft(drafts, conversation)));
    field.current?.focus();
  };

  const removeFile = (file: File) => {
    const others = files.filter((each) => each !== file);
    keep({ ...written(), files: others });
    if (others.length === 0) goOnWriting();
    else sendButton.current?.focus();
  };

  const send = () => {
    if (!ready) return;
    const { text } = written();
    model.send(conversation, { text, file: undefined });
    for (const file of files) model.send(conversation, { text: '', file });
    empty();
    // On a telephone this would open the keyboard.
    if (hasFiles && !coarse) goOnWriting();
  };

  const clear = () => {
    const cleared = written();
    if (cleared.text === '' && cleared.files.length === 0) return;
    if (!field.current || !deleteText(field.current)) empty();
    if (cleared.files.length > 0) goOnWriting();
    const undo = () => {
      // The browser's undo may already have restored the text.
      const isBack = drafts.get(conversation).text.startsWith(cleared.text);
      drafts.restore(conversation, { ...cleared, text: isBack ? '' : cleared.text });
    };
    toast({ text: words.cleared, tone: 'note', action: { label: words.undo, run: undo } });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event, composition.isIn(event.target))) return;
    if (event.target === field.current && mentioning.takeKey(event)) return;
    if (event.keyCode === escapeKey) clear();
    else if (event.key === 'ArrowUp' && isEmpty(event.target)) {
      if (onEditLast()) event.preventDefault();
    } else if (event.target === field.current && isSendKey(event, coarse, enterSends)) {
      event.preventDefault();
      send();
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = pastedFiles(event.clipboardData, words.pastedPicture);
    if (pasted.length === 0) return;
    event.preventDefault();
    choose(pasted);
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
    if (field.current) insertText(field.current, emoji);
  };

  return (
    <footer className={styles['footer']}>
      <div role="presentation" className={styles['box']} onKeyDown={onKeyDown} onPaste={onPaste}>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            if (event.target.files) choose(event.target.files);
            // Choosing the same file again must fire `change` again.
            event.target.value = '';
          }}
        />
        <IconButton name={words.attach} icon={Paperclip} className={styles['tool']} onClick={() => picker.current?.click()} />
        {hasFiles ? (
          <ul className={styles['chips']} aria-label={words.files}>
            {files.map((file) => (
              <FileChip key={keyOf(file)} file={file} onRemove={() => removeFile(file)} />
            ))}
          </ul>
        ) : (
          <Field
            key={conversation}
            field={field}
            takesFocus={!coarse}
            aria-label={words.label(streamName)}
            aria-describedby={hint}
            aria-invalid={tooLong !== undefined}
            placeholder={words.placeholder}
            defaultValue={drafts.get(conversation).text}
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

/** R2.13: a chosen file, shown instead of the field. */
function FileChip({ file, onRemove }: { readonly file: File; readonly onRemove: () => void }) {
  const words = useWords().composer;
  const name = sanitizeFileName(file.name);
  return (
    <li className={styles['chip']}>
      <FileIcon name={name} />
      <FileName name={name} />
      <span className={styles['fileSize']}>{fileSize(file.size)}</span>
      <IconButton name={words.removeFile(name)} icon={X} size="small" tooltip="none" onClick={onRemove} />
    </li>
  );
}

/** A file may be chosen twice, as two objects. */
const keys = new WeakMap<File, number>();
let lastKey = 0;

function keyOf(file: File): number {
  const key = keys.get(file) ?? ++lastKey;
  keys.set(file, key);
  return key;
}

function isEmpty(target: EventTarget): boolean {
  return target instanceof HTMLTextAreaElement && target.value === '';
}

/** An uncontrolled text field: the initial text is never written again. */
export function Field({
  field,
  takesFocus = false,
  defaultValue,
  ...props
}: ComponentProps<'textarea'> & { readonly field: RefObject<HTMLTextAreaElement | null>; readonly takesFocus?: boolean }) {
  const [text] = useState(defaultValue);

  // A field takes the focus when a conversation opens. Not on a telephone, where the keyboard would cover the messages, and not
  // after a page load.
  useLayoutEffect(() => {
    if (takesFocus && document.activeElement !== document.body) field.current?.focus({ preventScroll: true });
  }, [field, takesFocus]);

  return <textarea ref={field} className={styles['field']} rows={1} defaultValue={text} data-kept {...props} />;
}

/** R4.7.1: on a touch screen, or if the member chose so, Enter is a new line, and Ctrl+Enter or Command+Enter sends. */
export function isSendKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, coarse: boolean, enterSends: boolean): boolean {
  return key === 'Enter' && !shiftKey && ((enterSends && !coarse) || ctrlKey || metaKey);
}

/** Empties a field by an editing command, which keeps the browser's undo history. */
function deleteText(field: HTMLTextAreaElement): boolean {
  field.focus();
  field.select();
  return document.execCommand('delete');
}

/** Adapts the height to the text in browsers without `field-sizing`. */
export function fitHeight(element: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}
