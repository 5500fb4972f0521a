import { useCallback } from 'react';
import { useCommands } from '../hooks/model.ts';
import { usePlainTextOf } from '../hooks/zulipMarkup.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectMentionedUser } from '../model/people/mentions.ts';
import type { MessageText } from '../model/timeline/messageText.ts';

export function usePlainText(): (message: MessageText) => string {
  const model = useCommands();
  const { all } = useWords().mention;
  const plainTextOf = usePlainTextOf();
  return useCallback(
    (message) =>
      plainTextOf(message, (mention) => {
        const name =
          mention.kind === 'user-mention' ? selectMentionedUser(model.state(), mention.name, mention.id)?.name : mention.name;
        const shown = mention.kind === 'wildcard-mention' ? all : name;
        return shown && (mention.silent ? shown : `@${shown}`);
      }),
    [model, all, plainTextOf],
  );
}
