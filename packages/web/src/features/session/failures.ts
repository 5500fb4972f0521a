import { useFailureText } from '../../hooks/failures.ts';
import { useEntranceWords } from '../../i18n/entrance.ts';
import type { EntranceDictionary } from '../../i18n/entrance.ja.ts';
import type { Failure } from '../../model/view.ts';

/** What only who stands outside can be told; undefined where the words for everybody say it. */
export function failureOutside(words: EntranceDictionary, failure: Failure): string | undefined {
  if (failure.kind === 'network') return words.failures.offline;
  if (failure.kind === 'busy') return words.failures.tooMany(failure.retryAfterSeconds);
  if (failure.kind !== 'refused') return undefined;
  if (failure.code === 'AUTHENTICATION_FAILED') return words.failures.wrong;
  if (failure.code === 'USER_DEACTIVATED') return words.failures.deactivated;
  return failure.code === 'EMAIL_IN_USE' ? words.invitation.taken : undefined;
}

/** R8.4 */
export function useEntranceFailure(): (failure: Failure) => string {
  const words = useEntranceWords();
  const failureText = useFailureText();
  return (failure) => failureOutside(words, failure) ?? failureText(failure);
}
