import { useEffect, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { useComposition } from '../../../components/composition.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useMessageToolsWords } from '../../../i18n/messageTools.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { Failure } from '../../../model/connection/failure.ts';
import { isBlank } from '../../../model/outbox/blank.ts';
import { excessOf } from '../../../model/outbox/excess.ts';
import { selectMessage } from '../../../model/outbox/selectors.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { Correction, Drafts } from '../../../model/drafts/drafts.ts';
import type { LeadingQuote } from './composedText.ts';
import { fitHeight } from './Field.tsx';
import { inputTypeOf, useComposedText } from './useComposedText.ts';
import { useMentioning } from './useMentioning.tsx';

export interface EditOptions {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly drafts: Drafts;
  readonly onClose: () => void;
  readonly onAgain: (correction: Correction) => void;
}

export function useEdit({ conversation, messageId, drafts, onClose, onAgain }: EditOptions) {
  const all = useWords();
  const words = useMessageToolsWords();
  const model = useCommands();
  const toast = useToast();
  const refusalText = useRefusalText(messageId);
  const composition = useComposition();
  const field = useRef<HTMLTextAreaElement>(null);
  const edit = useEditState(conversation, messageId, drafts);
  const { composed, view } = useComposedText(conversation, () => edit.text);
  const mentioning = useMentioning({ field, conversation, composed, composition });
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [field]);
  const { setText, known, setKnown, saving, setSaving, setFailure, setPressed, now, gone, ready, theirs } = edit;

  const onInput = (event: FormEvent) => {
    if (!field.current) return;
    composed.edit(field.current.value, field.current.selectionEnd, inputTypeOf(event));
    keepText();
    mentioning.look(event);
    fitHeight(field.current);
  };

  const keepText = () => {
    setText(composed.raw());
    drafts.keepCorrection(conversation, { messageId, before: known[0], text: composed.raw() });
  };

  const removeQuote = (quote: LeadingQuote) => {
    composed.removeQuote(quote);
    keepText();
    field.current?.focus();
  };

  const end = () => {
    drafts.keepCorrection(conversation, undefined);
    onClose();
  };

  const cancel = () => {
    const written = composed.raw();
    // A save is in progress and finishes after the editor is closed.
    if (written === saving) return onClose();
    end();
    if (written === now || written === known[0] || gone) return;
    const undo = { label: all.undo, run: () => onAgain({ messageId, before: known[0], text: written }) };
    toast({ text: all.messageTools.editCancelled, tone: 'note', action: undo });
  };

  const save = async () => {
    const written = composed.raw();
    if (!ready || isBlank(written)) return;
    if (written === now) return end();
    if (theirs !== undefined) return setPressed(true);
    const before = now ?? known[0];
    const sent = asKept(written);
    setSaving(written);
    setKnown([...known, sent]);
    setFailure(undefined);
    const refused = await model.edit(messageId, sent, before);
    setSaving(undefined);
    if (!field.current) endElsewhere({ messageId, before, text: written }, refused);
    else if (refused) setFailure(refused);
    else if (composed.raw() === written) end();
    // Text that was typed during the save becomes a new edit.
    else goOnFrom(sent);
  };

  const goOnFrom = (before: string) => {
    setKnown([before]);
    drafts.keepCorrection(conversation, { messageId, before, text: composed.raw() });
  };

  const take = (content: string) => {
    const written = composed.raw();
    drafts.keepCorrection(conversation, undefined);
    setKnown([content]);
    setPressed(false);
    setFailure(undefined);
    setText(content);
    composed.load(content);
    if (field.current) {
      field.current.value = composed.view().text;
      fitHeight(field.current);
      field.current.focus();
    }
    if (written === known[0]) return;
    const undo = { label: all.undo, run: () => onAgain({ messageId, before: content, text: written }) };
    toast({ text: words.tookEdited, tone: 'note', action: undo });
  };

  const keep = (content: string) => {
    goOnFrom(content);
    setPressed(false);
    setFailure(undefined);
    field.current?.focus();
  };

  /** Ends a save whose editor is closed. It is not reopened, because the member is doing something else. */
  const endElsewhere = (correction: Correction, refused: Failure | undefined) => {
    const kept = drafts.correction(conversation);
    if (refused) {
      const action = { label: words.edit, run: () => onAgain(correction) };
      toast({ text: refusalText(refused), tone: 'alert', action });
    } else if (kept?.messageId === messageId && kept.text === correction.text) drafts.keepCorrection(conversation, undefined);
  };

  const writing = { field, composed, view };
  return { ...edit, writing, removeQuote, composition, mentioning, onInput, cancel, save, take, keep };
}

function useEditState(conversation: ConversationKey, messageId: number, drafts: Drafts) {
  const message = useModel(selectMessage, messageId);
  const [begun] = useState(() => drafts.correction(conversation));
  const [text, setText] = useState(begun?.text ?? message?.content ?? '');
  // Versions of the message that the member knows, starting with the one that the edit began from.
  const [known, setKnown] = useState<readonly [string, ...string[]]>([begun?.before ?? text]);
  const [saving, setSaving] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [pressed, setPressed] = useState(false);

  const trimmed = text.trim();
  const tooLong = excessOf(trimmed) !== undefined;
  const gone = message?.deleted === true;
  const now = gone ? undefined : message?.content;
  const unchanged = text === now;
  const busy = saving !== undefined;
  const ready = !isBlank(text) && !tooLong && !gone && !busy;
  // A version that equals the edit is no conflict.
  if (now !== undefined && asKept(text) === now && known[0] !== now) setKnown([now]);
  const theirs = now === undefined || known.includes(now) ? undefined : now;

  return {
    message,
    text,
    setText,
    known,
    setKnown,
    saving,
    setSaving,
    failure,
    setFailure,
    pressed,
    setPressed,
    tooLong,
    gone,
    now,
    unchanged,
    busy,
    ready,
    theirs,
  };
}

export function useRefusalText(messageId: number): (failure: Failure) => string {
  const words = useMessageToolsWords();
  const model = useCommands();
  const failureText = useFailureText();
  return (failure) =>
    failure.kind === 'refused' && model.secondsToEdit(messageId) === 0 ? words.editTooLate : failureText(failure);
}

/** The text as the server stores it: without leading blank lines and trailing blanks. */
function asKept(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Milliseconds; the largest delay of a browser timer. */
const longestTimer = 2 ** 31 - 1;

/** Whether the time limit for edits has passed. The server decides and may still accept a late edit. */
export function useTooLate(messageId: number, isThere: boolean): boolean {
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
