import { useEffect, useId, useLayoutEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { plainText } from '@engawa/markup';
import { Button } from '../../../components/primitives/Button.tsx';
import { classes } from '../../../components/classes.ts';
import { Check, Pencil, X } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { isForInputMethod, useComposition } from '../../../components/inputMethod.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCoarsePointer } from '../../../hooks/media.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { isBlank } from '../../../model/outbox/blank.ts';
import { escapeKey } from '../../../model/constants.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import { Field, fitHeight, isSendKey } from './Field.tsx';
import styles from './Composer.module.css';
import type { Correction, Drafts } from './drafts.ts';
import { excessOf } from './draftSummary.ts';
import { useMentioning } from './useMentioning.tsx';
import { selectMessage } from '../../../model/outbox/selectors.ts';
import { selectSettings } from '../../../model/people/selectors.ts';

/**
 * R4.9: replaces the composer while a message is edited, so the edited text is never scrolled away. The edit is stored until it
 * is saved or discarded, also after a refusal and through a reload.
 */
export function EditComposer({
  conversation,
  messageId,
  drafts,
  onClose,
  onAgain,
}: {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly drafts: Drafts;
  readonly onClose: () => void;
  /** Resumes an edit that was discarded or not saved. */
  readonly onAgain: (correction: Correction) => void;
}) {
  const all = useWords();
  const words = all.messageTools;
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const coarse = useCoarsePointer();
  const { enter_sends: enterSends = true } = useModel(selectSettings);
  const composition = useComposition();
  const hint = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const message = useModel(selectMessage, messageId);
  const [begun] = useState(() => drafts.correction(conversation));
  const [text, setText] = useState(begun?.text ?? message?.content ?? '');
  const [begunWith] = useState(text);
  // Versions of the message that the member knows, starting with the one that the edit began from.
  const [known, setKnown] = useState<readonly [string, ...string[]]>([begun?.before ?? text]);
  const mentioning = useMentioning({ field, conversation, composition });
  /** The text that is being saved. */
  const [saving, setSaving] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  /** The member tried to save before choosing a version. */
  const [pressed, setPressed] = useState(false);
  const late = useTooLate(messageId, message !== undefined);

  const trimmed = text.trim();
  const tooLong = excessOf(trimmed) !== undefined;
  const gone = message?.deleted === true;
  const now = gone ? undefined : message?.content;
  const unchanged = text === now;
  const busy = saving !== undefined;
  const ready = !isBlank(text) && !tooLong && !gone && !busy;
  // A version equal to the edit is known.
  if (now !== undefined && asKept(text) === now && known[0] !== now) setKnown([now]);
  /** The version that another device has saved since. */
  const theirs = now === undefined || known.includes(now) ? undefined : now;

  useLayoutEffect(() => {
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
    drafts.keepCorrection(conversation, { messageId, before: known[0], text: field.current.value });
    fitHeight(field.current);
  };

  const end = () => {
    drafts.keepCorrection(conversation, undefined);
    onClose();
  };

  const cancel = () => {
    const written = field.current?.value ?? text;
    // The save is under way; its continuation still runs after closing.
    if (written === saving) {
      onClose();
      return;
    }
    end();
    if (written === now || written === known[0] || gone) return;
    const undo = { label: all.composer.undo, run: () => onAgain({ messageId, before: known[0], text: written }) };
    toast({ text: words.editCancelled, tone: 'note', action: undo });
  };

  const save = async () => {
    const written = field.current?.value ?? text;
    if (!ready || isBlank(written)) return;
    if (written === now) {
      end();
      return;
    }
    if (theirs !== undefined) {
      setPressed(true);
      return;
    }
    const before = now ?? known[0];
    const sent = asKept(written);
    setSaving(written);
    setKnown([...known, sent]);
    setFailure(undefined);
    const refused = await model.edit(messageId, sent, before);
    setSaving(undefined);
    if (!field.current) endElsewhere({ messageId, before, text: written }, refused);
    else if (refused) setFailure(refused);
    else if (field.current.value === written) end();
    // Text typed since the save is a new edit.
    else goOnFrom(sent);
  };

  const goOnFrom = (before: string) => {
    setKnown([before]);
    drafts.keepCorrection(conversation, { messageId, before, text: field.current?.value ?? text });
  };

  const take = (content: string) => {
    const written = field.current?.value ?? text;
    drafts.keepCorrection(conversation, undefined);
    setKnown([content]);
    setPressed(false);
    setFailure(undefined);
    setText(content);
    if (field.current) {
      field.current.value = content;
      fitHeight(field.current);
      field.current.focus();
    }
    if (written === known[0]) return;
    const undo = { label: all.composer.undo, run: () => onAgain({ messageId, before: content, text: written }) };
    toast({ text: words.tookEdited, tone: 'note', action: undo });
  };

  const keep = (content: string) => {
    goOnFrom(content);
    setPressed(false);
    setFailure(undefined);
    field.current?.focus();
  };

  /** A member who moved on is not brought back. */
  const endElsewhere = (correction: Correction, refused: Failure | undefined) => {
    const kept = drafts.correction(conversation);
    if (refused) {
      const action = { label: words.edit, run: () => onAgain(correction) };
      toast({ text: refusal(refused), tone: 'alert', action });
    } else if (kept?.messageId === messageId && kept.text === correction.text) drafts.keepCorrection(conversation, undefined);
  };

  const refusal = (refused: Failure) =>
    refused.kind === 'refused' && model.secondsToEdit(messageId) === 0 ? words.editTooLate : failureText(refused);

  const complaint = () => {
    if (gone) return words.editDeleted;
    if (theirs !== undefined) return pressed ? words.chooseFirst : undefined;
    if (failure) return refusal(failure);
    return late ? words.editTooLate : undefined;
  };
  const complains = complaint();

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event, composition.isIn(event.target))) return;
    if (event.target === field.current && mentioning.takeKey(event)) return;
    if (event.keyCode === escapeKey) {
      event.preventDefault();
      cancel();
    } else if (event.target === field.current && isSendKey(event, coarse, enterSends)) {
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
      {theirs !== undefined && (
        <div className={styles['edited']}>
          <p role="alert">{words.editedElsewhere}</p>
          <q>{plainText(theirs)}</q>
          <Button size="small" onClick={() => take(theirs)}>
            {words.takeEdited}
          </Button>
          <Button size="small" onClick={() => keep(theirs)}>
            {words.keepMine}
          </Button>
        </div>
      )}
      <div role="presentation" className={styles['box']} onKeyDown={onKeyDown}>
        <IconButton name={words.cancel} icon={X} className={styles['tool']} onClick={cancel} />
        <Field
          field={field}
          aria-label={words.editing}
          aria-describedby={hint}
          aria-invalid={tooLong}
          defaultValue={begunWith}
          enterKeyHint={coarse || !enterSends ? 'enter' : 'done'}
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
      <span id={hint} className={classes(styles['hint'], (complains !== undefined || tooLong) && styles['tooLong'])}>
        {complains !== undefined && <span role="alert">{complains}</span>}
        {complains === undefined && (tooLong ? all.composer.tooLong : !coarse && words.editHint(enterSends))}
      </span>
    </footer>
  );
}

/** The text as the server stores it: without leading blank lines and trailing blanks. */
function asKept(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Milliseconds; the largest delay of a browser timer. */
const longestTimer = 2 ** 31 - 1;

/** Whether the time limit for edits has passed. The server decides and may still accept a late edit. */
function useTooLate(messageId: number, isThere: boolean): boolean {
  const model = useCommands();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isThere) return undefined;
    const left = (model.secondsToEdit(messageId) ?? Infinity) * 1000;
    if (left > longestTimer) return undefined;
    const timer = setTimeout(() => setLate(true), left);
    return () => clearTimeout(timer);
  }, [model, messageId, isThere]);
  return late;
}
