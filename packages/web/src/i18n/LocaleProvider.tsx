import { createContext, use, useMemo, useRef, useState, type ReactNode } from 'react';
import { ja, type Dictionary } from './ja.ts';
import { loadWords, rememberLocale, type Locale } from './locale.ts';

interface Language {
  readonly locale: Locale;
  readonly words: Dictionary;
  /**
   * Loads and applies a language. Resolves to false if another one was chosen during loading. Rejects if loading fails, and
   * keeps the current language.
   */
  choose(locale: Locale): Promise<boolean>;
}

const Context = createContext<Language>({ locale: 'ja', words: ja, choose: () => Promise.resolve(false) });

export function LocaleProvider({
  initial,
  children,
}: {
  readonly initial: { readonly locale: Locale; readonly words: Dictionary };
  readonly children: ReactNode;
}) {
  const [shown, setShown] = useState(initial);
  const last = useRef(initial.locale);

  const language = useMemo(
    () => ({
      ...shown,
      choose: async (locale: Locale) => {
        last.current = locale;
        const words = await loadWords(locale);
        if (last.current !== locale) return false;
        rememberLocale(locale);
        document.documentElement.lang = locale;
        setShown((before) => (before.locale === locale ? before : { locale, words }));
        return true;
      },
    }),
    [shown],
  );

  return <Context value={language}>{children}</Context>;
}

export function useWords(): Dictionary {
  return use(Context).words;
}

export function useLanguage(): Language {
  return use(Context);
}

/** A hook that returns the words of one feature in the current language. The chunk of the feature contains both languages. */
export function dictionary<Words>(words: Readonly<Record<Locale, Words>>): () => Words {
  return function useDictionary() {
    return words[use(Context).locale];
  };
}
