import { en } from './import.en.ts';
import { ja, type ImportDictionary } from './import.ja.ts';
import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';

const words: Readonly<Record<Locale, ImportDictionary>> = { ja, en };

/** Both languages come with the screen, which only administrators open. */
export function useImportWords(): ImportDictionary {
  return words[useLanguage().locale];
}
