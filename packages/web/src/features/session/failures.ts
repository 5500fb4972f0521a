import { useFailureText } from '../../hooks/failures.ts';
import type { SessionDictionary } from '../../i18n/session.ja.ts';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';

/** @param wrong the text for a wrong name or password */
export function failureOutside(words: SessionDictionary, failure: Failure, wrong = words.failures.wrong): string | undefined {
  if (failure.kind === 'network') return words.failures.offline;
  if (failure.kind === 'busy') return words.failures.tooMany(failure.retryAfterSeconds);
  if (failure.kind !== 'refused') return undefined;
  if (failure.code === 'AUTHENTICATION_FAILED') return wrong;
  if (failure.code === 'USER_DEACTIVATED') return words.failures.deactivated;
  if (failure.code === 'PASSWORD_AUTH_DISABLED') return words.chatServer.noPasswords;
  return failure.code === 'EMAIL_IN_USE' ? words.invitation.taken : undefined;
}

/** R8.4: the cause of a failure before sign-in, and what to do. */
export function useEntranceFailure(wrong?: string): (failure: Failure) => string {
  const words = useSessionWords();
  const failureText = useFailureText();
  return (failure) => failureOutside(words, failure, wrong) ?? failureText(failure);
}
