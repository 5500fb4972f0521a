import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { classes } from '../../components/classes.ts';
import { Check, Pencil, X } from '../../components/icons.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { isForInputMethod, useComposition } from '../../components/inputMethod.ts';
import { useToast } from '../../components/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCoarsePointer } from '../../hooks/media.ts';
import { useMessage, useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { isBlank } from '../../model/blank.ts';
import { escapeKey } from '../../model/constants.ts';
import type { Failure } from '../../model/view.ts';
import { Field, fitHeight, isSendKey } from './Composer.tsx';
import styles from './Composer.module.css';
import type { Drafts } from './drafts.ts';
import { excessOf } from './shownDraft.ts';
import { useMentioning } from './useMentioning.tsx';

/**
 * R4.9: in the place of the composer, whose draft waits meanwhile, so that what is being corrected is never scrolled
 * away. The text is kept until it is saved or given up, also when the server refuses it and through a reload.
 */
export function EditComposer({
  streamId,
  messageId,
  drafts,
  onClose,
  onAgain,
}: {
  readonly streamId: number;
  readonly messageId: number;
  readonly drafts: Drafts;
  readonly onClose: () => void;
  /** Goes on with a text that was given up or could not be saved. */
  readonly onAgain: (text: string) => void;
}) {
  const all = useWords();
  const words = all.messageTools;
  const model = useModel();
  const toast = useToast();
  const failureText = useFailureText();
  const coarse = useCoarsePointer();
  const composition = useComposition();
  const hint = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const message = useMessage(messageId);
  const [begunWith] = useState(() => drafts.correction(streamId)?.text ?? message?.content ?? '');
  const [text, setText] = useState(begunWith);
  const mentioning = useMentioning({ field, streamId, composition });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const trimmed = text.trim();
  const tooLong = excessOf(trimmed) !== undefined;
  const gone = message?.deleted === true;
  const unchanged = text === message?.content;
  const ready = !isBlank(text) && !tooLong && !gone && !busy;

  useEffect(() => {
    const element = field.current;
    if (!element) return;
    fitHeight(element);
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
  }, []);

  const onInput = (event: FormEvent) => {
    if (!field.current) return;
    mentioning.look(event);
    setText(field.current.value);
    drafts.keepCorrection(streamId, { messageId, text: field.current.value });
    fitHeight(field.current);
  };

  const end = () => {
    drafts.keepCorrection(streamId, undefined);
    onClose();
  };

  const cancel = () => {
    const written = field.current?.value ?? text;
    end();
    if (written === message?.content || gone) return;
    const undo = { label: all.composer.undo, run: () => onAgain(written) };
    toast({ text: words.editCancelled, tone: 'note', action: undo });
  };

  const save = async () => {
    const written = field.current?.value ?? text;
    if (!ready || isBlank(written)) return;
    if (written === message?.content) {
      end();
      return;
    }
    setBusy(true);
    setFailure(undefined);
    const refused = await model.edit(messageId, written);
    setBusy(false);
    if (!field.current) endElsewhere(written, refused);
    else if (refused) setFailure(refused);
    // What was typed since is another correction.
    else if (field.current.value === written) end();
  };

  /** Who has gone on to something else meanwhile stays there. */
  const endElsewhere = (written: string, refused: Failure | undefined) => {
    const kept = drafts.correction(streamId);
    if (refused) {
      const action = { label: words.edit, run: () => onAgain(written) };
      toast({ text: failureText(refused), tone: 'alert', action });
    } else if (kept?.messageId === messageId && kept.text === written) drafts.keepCorrection(streamId, undefined);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event, composition.isIn(event.target))) return;
    if (event.target === field.current && mentioning.takeKey(event)) return;
    if (event.keyCode === escapeKey) {
      event.preventDefault();
      cancel();
    } else if (event.target === field.current && isSendKey(event, coarse)) {
      event.preventDefault();
      void save();
    }
  };

  return (
    <footer className={styles['footer']}>
      <p className={styles['editing']}>
        <Pencil aria-hidden size={14} />
        {words.editing}
      </p>
      <div role="presentation" className={styles['box']} onKeyDown={onKeyDown}>
        <IconButton name={words.cancel} icon={X} className={styles['tool']} onClick={cancel} />
        <Field
          field={field}
          aria-label={words.editing}
          aria-describedby={hint}
          aria-invalid={tooLong}
          defaultValue={begunWith}
          enterKeyHint={coarse ? 'enter' : 'done'}
          onInput={onInput}
          {...mentioning.attributes}
        />
        <IconButton
          name={busy ? words.saving : words.save}
          icon={Check}
          className={classes(styles['tool'], styles['send'])}
          disabled={!ready || unchanged}
          keepFocus
          onClick={() => void save()}
        />
      </div>
      {mentioning.list}
      <span id={hint} className={classes(styles['hint'], (failure || gone || tooLong) && styles['tooLong'])}>
        {gone ? <span role="alert">{words.editDeleted}</span> : null}
        {!gone && failure ? <span role="alert">{failureText(failure)}</span> : null}
        {!gone && !failure && (tooLong ? all.composer.tooLong : !coarse && words.editHint)}
      </span>
    </footer>
  );
}
