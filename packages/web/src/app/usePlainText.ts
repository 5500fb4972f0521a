import { useCallback } from 'react';
import { plainText } from '@engawa/markup';
import { useCommands } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectMentionedUser } from '../model/people/mentions.ts';
import { isMessageAddress } from '../model/streams/address.ts';

export function usePlainText(): (content: string) => string {
  const model = useCommands();
  const { all } = useWords().mention;
  return useCallback(
    (content) =>
      plainText(content, {
        formatMention: (mention) => {
          const name =
            mention.kind === 'user-mention' ? selectMentionedUser(model.state(), mention.name, mention.id)?.name : mention.name;
          const shown = mention.kind === 'wildcard-mention' ? all : name;
          return shown && (mention.silent ? shown : `@${shown}`);
        },
        isMessage: isMessageAddress,
      }),
    [model, all],
  );
}
