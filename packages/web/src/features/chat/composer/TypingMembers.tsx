import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import styles from '../Chat.module.css';
import { selectTypingMembers } from '../../../model/timeline/state.ts';
import { selectName } from '../../../model/people/selectors.ts';

/** R2.19, R2.20.2: the typing members. The line reserves its place, so nothing moves. */
export function TypingMembers({ conversation }: { readonly conversation: ConversationKey }) {
  const words = useWords();
  const model = useCommands();
  const names = useModel(selectTypingMembers, conversation).flatMap((userId) => selectName(model.state(), userId) ?? []);
  const [first, second] = names;
  const text =
    first === undefined
      ? ''
      : second === undefined
        ? words.isWriting(first)
        : names.length === 2
          ? words.areWriting(first, second)
          : words.manyAreWriting(names.length);
  return <output className={styles['writers']}>{text}</output>;
}
