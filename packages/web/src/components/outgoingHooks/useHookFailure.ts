import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import type { OutgoingHooksDictionary } from '../../i18n/outgoingHooks.ja.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { useBotFailure } from '../bots/useBotFailure.ts';

/** The text of a refusal that only outgoing hooks have, undefined for any other failure. */
export function hookFailureText({ refusals }: Pick<OutgoingHooksDictionary, 'refusals'>, failure: Failure): string | undefined {
  if (failure.kind !== 'refused') return undefined;
  return Object.entries(refusals).find(([code]) => code === failure.code)?.[1];
}

export function useHookFailure(): (failure: Failure) => string {
  const words = useOutgoingHooksWords();
  const botFailure = useBotFailure();
  return (failure) => hookFailureText(words, failure) ?? botFailure(failure);
}
