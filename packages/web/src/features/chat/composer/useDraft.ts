import { useEffect, useLayoutEffect, useRef, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useComposition } from '../../../components/inputMethod.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCoarsePointer } from '../../../hooks/media.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { isBlank } from '../../../model/outbox/blank.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { useConversationState } from '../useConversationState.ts';
import type { Draft, Drafts } from './drafts.ts';
import { summarizeDraft } from './draftSummary.ts';
import { fitHeight } from './Field.tsx';
import { useMentioning } from './useMentioning.tsx';

export type ComposedDraft = ReturnType<typeof useDraft>;

export function useDraft(conversation: ConversationKey, drafts: Drafts) {
  const field = useRef<HTMLTextAreaElement>(null);
  const composition = useComposition();
  const mentioning = useMentioning({ field, conversation, composition });
  const words = useWords().composer;
  const model = useCommands();
  const toast = useToast();
  const coarse = useCoarsePointer();
  const [shown, setShown] = useConversationState(conversation, () => summarizeDraft(drafts, conversation));
  const { files, hasText, tooLong } = shown;
  const hasFiles = files.length > 0;
  const ready = (hasText || hasFiles) && tooLong === undefined;

  /** The current draft. There is no field while files are chosen. */
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
    if (!field.current || !deleteText(field.current)) empty();
    if (cleared.files.length > 0) goOnWriting();
    const undo = () => {
      // The browser's undo may already have restored the text.
      const isBack = drafts.get(conversation).text.startsWith(cleared.text);
      drafts.restore(conversation, { ...cleared, text: isBack ? '' : cleared.text });
    };
    toast({ text: words.cleared, tone: 'note', action: { label: words.undo, run: undo } });
  };

  return { field, composition, mentioning, shown, ready, written, keep, goOnWriting, onInput, send, clear };
}

/** Empties a field by an editing command, which keeps the browser's undo history. */
function deleteText(field: HTMLTextAreaElement): boolean {
  field.focus();
  field.select();
  return document.execCommand('delete');
}
