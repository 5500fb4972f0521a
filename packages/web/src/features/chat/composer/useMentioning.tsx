import { useId, useRef, useState, type ComponentProps, type FormEvent, type KeyboardEvent, type RefObject } from 'react';
import type { Composition } from '../../../components/composition.ts';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { ComposedText } from './composedText.ts';
import { insertText } from './editing.ts';
import type { MentionListHandle } from './MentionList.tsx';
import { mentionQueryAt, type MentionQuery } from './mentionQuery.ts';
import { useConversationState } from '../useConversationState.ts';

const MentionList = lazyComponent(
  async () => (await import('./MentionList.tsx')).MentionList,
  (words) => words.mention.failed,
);

/** Completes mentions in a field. The state comes from its text and caret, so a key always acts on the current text. */
export function useMentioning({
  field,
  conversation,
  composed,
  composition,
}: {
  readonly composed: ComposedText;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly conversation: ConversationKey;
  readonly composition: Composition;
}) {
  const id = useId();
  const handle = useRef<MentionListHandle>(null);
  const [typed, setTyped] = useConversationState<MentionQuery | undefined>(conversation, () => undefined);
  const [active, setActive] = useState<string>();
  const closedAt = useRef<{ readonly conversation: ConversationKey; readonly from: number }>(undefined);

  const typedNow = (): MentionQuery | undefined => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    const now = selectionStart === selectionEnd ? mentionQueryAt(composed.masked(), selectionStart) : undefined;
    const isClosed = closedAt.current?.conversation === conversation && closedAt.current.from === now?.from;
    if (!isClosed) closedAt.current = undefined;
    return isClosed ? undefined : now;
  };

  const look = (event?: FormEvent) => {
    const native = event?.nativeEvent;
    if (native instanceof InputEvent && native.inputType === 'historyUndo') undone();
    const now = composition.isIn(field.current) ? undefined : typedNow();
    if (typed?.from !== now?.from || typed?.query !== now?.query) setTyped(now);
  };

  /** After an undo, the text that the mention replaced is selected. */
  const undone = () => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    if (mentionQueryAt(composed.masked(), selectionEnd)?.from === selectionStart) {
      // Removes the selection, because the next letter would replace it.
      field.current?.setSelectionRange(selectionEnd, selectionEnd);
    }
  };

  const close = () => setTyped(undefined);
  const closeHere = () => {
    closedAt.current = typed && { conversation, from: typed.from };
    close();
  };

  const choose = (meant: MentionQuery, text: string) => {
    const element = field.current;
    if (!element) return;
    const isApart = /^\s/.test(element.value.slice(element.selectionStart));
    element.setSelectionRange(meant.from, element.selectionEnd);
    composed.insert(isApart ? text : `${text} `, (shown) => insertText(element, shown));
  };

  return {
    /** Checks after an input whether a mention is being typed. Ignored during a composition. */
    look,
    close,
    /** Whether the list handled the key. Call `isForInputMethod` first. */
    takeKey(event: KeyboardEvent): boolean {
      const now = typed && typedNow();
      if (!now || !handle.current?.takeKey(event, now)) return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    attributes: {
      onSelect: () => look(),
      onFocus: MentionList.preload,
      onBlur: close,
      onCompositionStart: (event) => {
        composition.handlers.onCompositionStart(event);
        look();
      },
      onCompositionEnd: () => {
        composition.handlers.onCompositionEnd();
        look();
      },
      'aria-autocomplete': 'list',
      'aria-controls': active === undefined ? undefined : id,
      'aria-activedescendant': active,
    } satisfies ComponentProps<'textarea'>,
    list: typed && (
      <MentionList
        ref={handle}
        id={id}
        conversation={conversation}
        typed={typed}
        onChoose={choose}
        onClose={closeHere}
        onActive={setActive}
        onLoadFailure={close}
      />
    ),
  };
}
