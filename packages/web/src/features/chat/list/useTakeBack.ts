import { useCallback } from 'react';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { mostFiles } from '../../../model/drafts/drafts.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { MessageView } from '../../../model/timeline/message.ts';

/** Puts an unsent message back into the draft. */
export function useTakeBack(conversation: ConversationKey): (message: MessageView) => void {
  const blocked = useWords().chat.takeBackBlocked;
  const model = useCommands();
  const { drafts } = model;
  const toast = useToast();
  return useCallback(
    ({ key, msgType }) => {
      if (typeof key !== 'string') return;
      if (msgType === 'file' && drafts.get(conversation).files.length >= mostFiles) {
        toast({ text: blocked, tone: 'alert' });
        return;
      }
      const discarded = model.discard(key);
      if (!discarded) return;
      const { text, file } = discarded;
      drafts.restore(conversation, { text, files: file ? [file] : [] });
    },
    [conversation, drafts, model, toast, blocked],
  );
}
