import { en } from './administration.en.ts';
import { ja, type AdministrationDictionary } from './administration.ja.ts';
import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';

const words: Readonly<Record<Locale, AdministrationDictionary>> = { ja, en };

/** Both languages come with the page, which only administrators open. */
export function useAdministrationWords(): AdministrationDictionary {
  return words[useLanguage().locale];
}
