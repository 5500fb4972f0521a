/** `React.lazy` is not used: its fallback stays for 300 ms, also for preloaded code, and a failed load is never retried. */
import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react';
import type { Dictionary } from '../i18n/ja.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { FailureState, Skeleton } from './primitives/EmptyState.tsx';
import { useToast } from './primitives/Toasts.tsx';

export interface LazyComponent<Props> {
  (props: Props & { readonly onLoadFailure?: () => void }): ReactNode;
  /** Loads the code early. A failure is ignored: rendering the component loads again and reports it. */
  preload(): void;
}

type Load<Props> = () => Promise<ComponentType<Props>>;

interface FailedProps {
  readonly retry: () => void;
  readonly onLoadFailure?: (() => void) | undefined;
}

/** Renders nothing while loading. A failed load is shown as a toast, and `onLoadFailure` closes what was opened. */
export function lazyComponent<Props extends object>(
  load: Load<Props>,
  failureText = (words: Dictionary): string => words.notLoaded,
): LazyComponent<Props> {
  function FailedToast({ retry, onLoadFailure }: FailedProps) {
    const words = useWords();
    const toast = useToast();
    const report = useEffectEvent(() => {
      const action = { label: words.again, run: retry };
      toast({ text: failureText(words), tone: 'alert', ...(!onLoadFailure && { action }) });
      onLoadFailure?.();
    });
    useEffect(() => report(), []);
    return null;
  }
  return lazy(load, { Loading: Nothing, Failed: FailedToast });
}

/** Renders a skeleton while loading. A failed load is shown in its place, with a button that tries again. */
export function lazyPanel<Props extends object>(load: Load<Props>): LazyComponent<Props> {
  return lazy(load, { Loading: LoadingPanel, Failed: FailedPanel });
}

/** Renders `Waiting` until the code is loaded, and loads again after a failure. @param retryAfter Milliseconds. */
export function lazyInBackground<Props extends object>(
  load: Load<Props>,
  retryAfter: number,
  Waiting: ComponentType<Props> = Nothing,
): LazyComponent<Props> {
  function FailedInBackground({ retry, shown }: FailedProps & { readonly shown: Props }) {
    const retryNow = useEffectEvent(retry);
    useEffect(() => {
      const timer = setTimeout(() => retryNow(), retryAfter);
      return () => clearTimeout(timer);
    }, []);
    return <Waiting {...shown} />;
  }
  return lazy(load, { Loading: Waiting, Failed: FailedInBackground });
}

function Nothing() {
  return null;
}

function LoadingPanel() {
  const words = useWords();
  return <Skeleton rows={6} label={words.loading} />;
}

function FailedPanel({ retry }: FailedProps) {
  const words = useWords();
  return <FailureState text={words.notLoaded} again={words.again} onAgain={retry} />;
}

interface Views<Props> {
  readonly Loading: ComponentType<Props>;
  readonly Failed: ComponentType<FailedProps & { readonly shown: Props }>;
}

function lazy<Props extends object>(load: Load<Props>, { Loading, Failed }: Views<Props>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
  };

  function Lazy(props: Props & { readonly onLoadFailure?: () => void }) {
    const Loaded = loaded;
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'loading');
    useEffect(() => {
      if (state !== 'loading') return undefined;
      let mounted = true;
      loadOnce().then(
        () => mounted && setState('loaded'),
        () => mounted && setState('failed'),
      );
      return () => {
        mounted = false;
      };
    }, [state]);
    if (Loaded) return <Loaded {...props} />;
    if (state !== 'failed') return <Loading {...props} />;
    return <Failed retry={() => setState('loading')} onLoadFailure={props.onLoadFailure} shown={props} />;
  }

  return Object.assign(Lazy, { preload: () => void loadOnce().catch(() => undefined) });
}
