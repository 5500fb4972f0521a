import { en } from './entrance.en.ts';
import { ja, type EntranceDictionary } from './entrance.ja.ts';
import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';

const words: Readonly<Record<Locale, EntranceDictionary>> = { ja, en };

/** Both languages come with the ways in, which are fetched when somebody stands outside. */
export function useEntranceWords(): EntranceDictionary {
  return words[useLanguage().locale];
}
