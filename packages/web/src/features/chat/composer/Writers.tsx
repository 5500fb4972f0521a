import { useModel, useWriters } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { ConversationKey } from '../../../model/timeline/conversation.ts';
import styles from '../Chat.module.css';

/** R2.19, R2.20.2: who is writing. The line keeps its place, so that nothing moves. */
export function Writers({ conversation }: { readonly conversation: ConversationKey }) {
  const words = useWords();
  const model = useModel();
  const names = useWriters(conversation).flatMap((userId) => model.nameOf(userId) ?? []);
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
