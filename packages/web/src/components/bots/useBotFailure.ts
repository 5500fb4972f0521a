import { useFailureText } from '../../hooks/failures.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import type { Failure } from '../../model/connection/failure.ts';

/** The reason of a refusal in words; the server's own words are English. */
export function useBotFailure(): (failure: Failure) => string {
  const words = useBotsWords();
  const failureText = useFailureText();
  return (failure) => {
    if (failure.kind !== 'refused') return failureText(failure);
    if (failure.code === 'NAME_IN_USE') return words.complaints.nameTaken;
    if (failure.code === 'UNAUTHORIZED_PRINCIPAL') return words.notAllowed.administrators;
    if (failure.message.startsWith('Nobody may create bots')) return words.notAllowed.nobody;
    return failureText(failure);
  };
}
