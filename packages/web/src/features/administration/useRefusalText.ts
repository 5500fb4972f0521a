import { useFailureText } from '../../hooks/failures.ts';
import { useAdministrationWords } from '../../i18n/administration.ts';
import type { AdministrationDictionary } from '../../i18n/administration.ja.ts';
import type { Failure } from '../../model/connection/failure.ts';

type Words = AdministrationDictionary['failures'];

export function refusalText(words: Words, failure: Failure): string | undefined {
  if (failure.kind !== 'refused') return undefined;
  const codes: Readonly<Record<string, string | undefined>> = words;
  return Object.hasOwn(codes, failure.code) ? codes[failure.code] : undefined;
}

export function useRefusalText(): (failure: Failure) => string {
  const { failures } = useAdministrationWords();
  const failureText = useFailureText();
  return (failure) => refusalText(failures, failure) ?? failureText(failure);
}
