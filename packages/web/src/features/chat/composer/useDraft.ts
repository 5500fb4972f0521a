import { useEffect, useEffectEvent, useLayoutEffect, useRef, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useComposition } from '../../../components/composition.ts';
import { useCoarsePointer } from '../../../hooks/media.ts';
import { useCommands } from '../../../hooks/model.ts';
import { isBlank } from '../../../model/outbox/blank.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { useConversationState } from '../useConversationState.ts';
import type { Draft, Drafts } from '../../../model/drafts/drafts.ts';
import type { LeadingQuote } from './composedText.ts';
import { summarizeDraft } from './draftSummary.ts';
import { fitHeight } from './Field.tsx';
import { inputTypeOf, useComposedText } from './useComposedText.ts';
import { useMentioning } from './useMentioning.tsx';
import { useUndoOffer } from './useUndoOffer.ts';

export type ComposedDraft = ReturnType<typeof useDraft>;

export function useDraft(conversation: ConversationKey, drafts: Drafts) {
  const field = useRef<HTMLTextAreaElement>(null);
  const composition = useComposition();
  const { composed, view } = useComposedText(conversation, () => drafts.get(conversation).text);
  const mentioning = useMentioning({ field, conversation, composed, composition });
  const undoOffer = useUndoOffer();
  const model = useCommands();
  const coarse = useCoarsePointer();
  const [shown, setShown] = useConversationState(conversation, () => summarizeDraft(drafts, conversation));
  const { files, hasText, tooLong } = shown;
  const hasFiles = files.length > 0;
  const ready = (hasText || hasFiles) && tooLong === undefined;

  const written = (): Draft => ({ text: composed.raw(), files });

  const keep = (draft: Draft) => {
    drafts.keep(conversation, draft);
    setShown(summarizeDraft(drafts, conversation));
  };

  /** Replaces the text, which ends a composition. */
  const show = (text: string) => {
    composed.load(text);
    if (field.current) field.current.value = composed.view().text;
    composition.end();
  };

  const empty = () => {
    show('');
    mentioning.close();
    model.writes(conversation, false);
    keep({ text: '', files: [] });
  };

  const onInput = (event: FormEvent) => {
    if (!field.current) return;
    composed.edit(field.current.value, field.current.selectionEnd, inputTypeOf(event));
    keep(written());
    undoOffer.withdrawIfBack();
    model.writes(conversation, !isBlank(field.current.value));
    fitHeight(field.current);
    mentioning.look(event);
  };

  const showStored = useEffectEvent(show);
  useEffect(
    () =>
      drafts.onChange((changed, change) => {
        if (changed !== conversation || (change === 'elsewhere' && composition.isIn(field.current))) return;
        showStored(drafts.get(conversation).text);
        setShown(summarizeDraft(drafts, conversation));
        if (change === 'restored') field.current?.focus();
      }),
    [drafts, conversation, setShown, composition],
  );

  // A member who leaves the conversation is no longer typing in it.
  useEffect(() => () => model.writes(conversation, false), [model, conversation]);

  useLayoutEffect(() => {
    if (field.current) fitHeight(field.current);
  });

  /** Renders the field at once, because the member continues to type. */
  const goOnWriting = () => {
    flushSync(() => setShown(summarizeDraft(drafts, conversation)));
    field.current?.focus();
  };

  const send = () => {
    if (!ready) return;
    undoOffer.withdraw();
    const { text } = written();
    model.send(conversation, { text, file: undefined });
    for (const file of files) model.send(conversation, { text: '', file });
    empty();
    // On a telephone the focus would open the keyboard.
    if (hasFiles && !coarse) goOnWriting();
  };

  const clear = () => {
    const cleared = written();
    if (cleared.text === '' && cleared.files.length === 0) return;
    const { quoted, body } = composed.parts();
    composed.removeQuotes();
    if (!field.current?.value || !deleteText(field.current)) empty();
    if (cleared.files.length > 0) goOnWriting();
    const isTextBack = () => body !== '' && drafts.get(conversation).text.startsWith(body);
    undoOffer.offer({
      restore: () => drafts.restore(conversation, { ...cleared, text: isTextBack() ? quoted : cleared.text }),
      isBack: () => isTextBack() && quoted === '' && cleared.files.length === 0,
    });
  };

  const removeQuote = (quote: LeadingQuote) => {
    composed.removeQuote(quote);
    keep(written());
    field.current?.focus();
  };

  const writing = { field, composed, view };
  return { writing, composition, mentioning, shown, ready, written, keep, goOnWriting, onInput, send, clear, removeQuote };
}

/** Empties a field by an editing command, which keeps the browser's undo history. */
function deleteText(field: HTMLTextAreaElement): boolean {
  field.focus();
  field.select();
  return document.execCommand('delete');
}
