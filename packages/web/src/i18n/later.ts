/** The words of what is fetched after the first screen: both languages come with it, and neither makes the start slower. */
import { en } from './later.en.ts';
import { ja, type LaterDictionary } from './later.ja.ts';
import type { Locale } from './locale.ts';
import { useLanguage } from './LocaleProvider.tsx';

const words: Readonly<Record<Locale, LaterDictionary>> = { ja, en };

export function useLaterWords(): LaterDictionary {
  return words[useLanguage().locale];
}
