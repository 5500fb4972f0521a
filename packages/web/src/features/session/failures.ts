import { useFailureText } from '../../hooks/failures.ts';
import type { SessionDictionary } from '../../i18n/session.ja.ts';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';

export function failureOutside(words: SessionDictionary, failure: Failure): string | undefined {
  if (failure.kind === 'network') return words.failures.offline;
  if (failure.kind === 'busy') return words.failures.tooMany(failure.retryAfterSeconds);
  if (failure.kind !== 'refused') return undefined;
  if (failure.code === 'AUTHENTICATION_FAILED') return words.failures.wrong;
  if (failure.code === 'USER_DEACTIVATED') return words.failures.deactivated;
  return failure.code === 'EMAIL_IN_USE' ? words.invitation.taken : undefined;
}

/** R8.4: the cause of a failure before sign-in, and what to do. */
export function useEntranceFailure(): (failure: Failure) => string {
  const words = useSessionWords();
  const failureText = useFailureText();
  return (failure) => failureOutside(words, failure) ?? failureText(failure);
}
