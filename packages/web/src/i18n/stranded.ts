import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';
import { en } from './stranded.en.ts';
import { ja, type StrandedDictionary } from './stranded.ja.ts';

const words: Readonly<Record<Locale, StrandedDictionary>> = { ja, en };

export function useStrandedWords(): StrandedDictionary {
  return words[useLanguage().locale];
}
