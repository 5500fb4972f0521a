import { useModel } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectIsBot } from '../model/people/selectors.ts';
import styles from './BotMark.module.css';

/** Follows the name of a user who is a bot. Renders nothing for a person. */
export function BotMark({ userId }: { readonly userId: number }) {
  const { bot } = useWords().chat;
  return useModel(selectIsBot, userId) && <span className={styles['mark']}>{bot}</span>;
}
