import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';
import { en } from './people.en.ts';
import { ja, type PeopleDictionary } from './people.ja.ts';

const words: Readonly<Record<Locale, PeopleDictionary>> = { ja, en };

/** Both languages come with what shows them, which is fetched when it is first opened. */
export function usePeopleWords(): PeopleDictionary {
  return words[useLanguage().locale];
}
