import { useLanguage } from './LocaleProvider.tsx';
import type { Locale } from './locale.ts';
import { en } from './update.en.ts';
import { ja, type UpdateDictionary } from './update.ja.ts';

const words: Readonly<Record<Locale, UpdateDictionary>> = { ja, en };

export function useUpdateWords(): UpdateDictionary {
  return words[useLanguage().locale];
}
