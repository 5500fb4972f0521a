/** R1.3, R1.4: Japanese is the default. English is loaded only when it is chosen. */
import { ja, type Dictionary } from './ja.ts';

export const locales = ['ja', 'en'] as const;
export type Locale = (typeof locales)[number];

const storageKey = 'engawa:locale';

export function rememberedLocale(): Locale {
  try {
    return localStorage.getItem(storageKey) === 'en' ? 'en' : 'ja';
  } catch {
    return 'ja';
  }
}

export function rememberLocale(locale: Locale): void {
  try {
    localStorage.setItem(storageKey, locale);
  } catch {
    // If the storage is full or forbidden, the choice lasts until the page is closed.
  }
}

export async function loadWords(locale: Locale): Promise<Dictionary> {
  return locale === 'en' ? (await import('./en.ts')).en : ja;
}
