import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useCommands } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { selectTimeline } from '../../model/outbox/selectors.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import type { ComposerHandle } from './composer/Composer.tsx';
import type { Correction, Drafts } from '../../model/drafts/drafts.ts';
import { useConversationState } from './useConversationState.ts';

/** The edited message. `turn` remounts the editor, because a resumed text replaces the current one. */
interface Editing {
  readonly messageId: number;
  readonly turn: number;
}

function begunIn(drafts: Drafts, conversation: ConversationKey): Editing | undefined {
  const begun = drafts.correction(conversation);
  return begun && { messageId: begun.messageId, turn: 0 };
}

export function useEditing(conversation: ConversationKey, drafts: Drafts, composer: RefObject<ComposerHandle | null>) {
  const [editing, setEditing] = useConversationState(conversation, () => begunIn(drafts, conversation));
  const words = useWords();
  const model = useCommands();
  const toast = useToast();

  /** Starts an edit, or resumes `again`. An edit of another message is discarded with an offer to resume it. */
  const edit = (messageId: number, again?: Correction) => {
    const begun = drafts.correction(conversation);
    const goesOn = begun?.messageId === messageId && (!again || begun.text === again.text);
    const other = goesOn ? undefined : begun;
    if (again) drafts.keepCorrection(conversation, again);
    else if (other) drafts.keepCorrection(conversation, undefined);
    setEditing({ messageId, turn: (editing?.turn ?? 0) + 1 });
    if (!other) return;
    const back = () => edit(other.messageId, other);
    toast({ text: words.messageTools.editCancelled, tone: 'note', action: { label: words.undo, run: back } });
  };

  const stopEditing = () => {
    flushSync(() => setEditing(undefined));
    composer.current?.focus();
  };

  const editLast = () => {
    const keys = selectTimeline(model.state(), conversation)?.keys ?? [];
    const last = keys.findLast((key) => typeof key === 'string' || model.rights(key).edit);
    if (typeof last !== 'number') return false;
    edit(last);
    return true;
  };

  return { editing, edit, editLast, stopEditing };
}
