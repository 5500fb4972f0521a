import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectPresence } from '../model/people/selectors.ts';
import { useModel } from './model.ts';
import { useTimes } from './times.ts';

/** R2.19, R2.20.2: a member's presence in words, or when they were last seen; undefined if that is not known. */
export function usePresenceText(userId: number | undefined): string | undefined {
  const words = useWords();
  const times = useTimes();
  const { kind, lastSeen } = useModel(selectPresence, userId) ?? {};
  if (kind === 'online') return words.isOnline;
  if (kind === 'idle') return words.memberCard.idle;
  return lastSeen === undefined ? undefined : words.lastSeen(times.recent(lastSeen));
}
