import { en } from './account.en.ts';
import { ja, type AccountDictionary } from './account.ja.ts';
import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';

const words: Readonly<Record<Locale, AccountDictionary>> = { ja, en };

/** Both languages come with what asks for a password or lists keys, which is fetched when it is first needed. */
export function useAccountWords(): AccountDictionary {
  return words[useLanguage().locale];
}
