import type { MessageNotice } from '@engawa/protocol';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectName } from '../model/people/selectors.ts';
import { useCommands } from './model.ts';

const mostNamed = 3;

/** The words for a line that the server wrote about what the sender did to the stream. */
export function useNoticeText(): (senderFullName: string, notice: MessageNotice) => string {
  const words = useWords().chat.notice;
  const model = useCommands();
  return (sender, notice) => {
    if (notice.kind === 'created') return words.created(sender);
    const names = notice.user_ids.slice(0, mostNamed).flatMap((userId) => selectName(model.state(), userId) ?? []);
    return words.added(sender, names, notice.user_ids.length - names.length);
  };
}
