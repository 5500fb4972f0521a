import { en } from './help.en.ts';
import { ja, type HelpDictionary } from './help.ja.ts';
import type { Locale } from './locale.ts';
import { useLanguage } from './LocaleProvider.tsx';

const words: Readonly<Record<Locale, HelpDictionary>> = { ja, en };

/** Both languages come with the pages of help, which are fetched when they are first opened. */
export function useHelpWords(): HelpDictionary {
  return words[useLanguage().locale];
}
