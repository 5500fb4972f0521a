import { useFailureText } from '../../hooks/failures.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import type { BotsDictionary } from '../../i18n/bots.ja.ts';
import type { Failure } from '../../model/connection/failure.ts';

type Words = Pick<BotsDictionary, 'complaints' | 'notAllowed'>;

/** The text of a refusal that only bots have, undefined for any other failure. */
export function botFailureText({ complaints, notAllowed }: Words, failure: Failure): string | undefined {
  if (failure.kind !== 'refused') return undefined;
  switch (failure.code) {
    case 'NAME_IN_USE':
      return complaints.nameTaken;
    case 'EMAIL_IN_USE':
      return complaints.shortNameTaken;
    case 'TOO_MANY_BOTS':
      return complaints.tooMany;
    case 'BOT_CREATION_OFF':
      return notAllowed.nobody;
    case 'BOT_CREATION_ADMINISTRATORS':
      return notAllowed.administrators;
    default:
      return undefined;
  }
}

/** For bots, and for hooks, which post as bots. */
export function useBotFailure(): (failure: Failure) => string {
  const words = useBotsWords();
  const failureText = useFailureText();
  return (failure) => botFailureText(words, failure) ?? failureText(failure);
}
