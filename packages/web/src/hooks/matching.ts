/** Searching and typing ahead need a table of kanji, which is loaded at their first use. A failure is shown as a toast. */
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useToast } from '../components/primitives/Toasts.tsx';
import { useWords } from '../i18n/LocaleProvider.tsx';
import type { matches as matchesIn } from '../i18n/matches.ts';

export function useNotLoaded(): () => void {
  const words = useWords();
  const toast = useToast();
  return () => toast({ text: words.notLoaded, tone: 'alert' });
}

let loaded: typeof matchesIn | undefined;

const load = async () => {
  ({ matches: loaded } = await import('../i18n/matches.ts'));
};

/** Whether one of the texts matches the query. Without a query, and until the table is loaded, all do. */
export function useMatches(query: string): (...texts: readonly string[]) => boolean {
  const [matches, setMatches] = useState(() => loaded);
  const notLoaded = useEffectEvent(useNotLoaded());
  // The next letter tries again after a failure.
  const sought = matches ? '' : query.trim();
  useEffect(() => {
    if (sought === '') return undefined;
    let mounted = true;
    load().then(
      () => mounted && setMatches(() => loaded),
      () => mounted && notLoaded(),
    );
    return () => {
      mounted = false;
    };
  }, [sought]);
  return useMemo(() => (matches ? (...texts: readonly string[]) => matches(query, ...texts) : () => true), [query, matches]);
}
