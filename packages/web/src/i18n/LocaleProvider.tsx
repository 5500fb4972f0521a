import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { ja, type Dictionary } from './ja.ts';
import { loadWords, rememberLocale, type Locale } from './locale.ts';

interface Language {
  readonly locale: Locale;
  readonly words: Dictionary;
  /** Rejects when the words could not be fetched; the language is then as it was. */
  choose(locale: Locale): Promise<void>;
}

const Context = createContext<Language>({ locale: 'ja', words: ja, choose: () => Promise.resolve() });

export function LocaleProvider({
  initial,
  children,
}: {
  readonly initial: { readonly locale: Locale; readonly words: Dictionary };
  readonly children: ReactNode;
}) {
  const [shown, setShown] = useState(initial);

  const language = useMemo(
    () => ({
      ...shown,
      choose: async (locale: Locale) => {
        const words = await loadWords(locale);
        rememberLocale(locale);
        document.documentElement.lang = locale;
        setShown({ locale, words });
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
