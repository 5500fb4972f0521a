import { cleanup, render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { ToastProvider } from '../src/components/primitives/Toasts.tsx';
import { ModelProvider } from '../src/hooks/model.ts';
import { loadWords, type Locale } from '../src/i18n/locale.ts';
import { LocaleProvider } from '../src/i18n/LocaleProvider.tsx';
import { started, stopAll, type Example, type ExampleOptions } from './example.ts';

interface ScreenOptions extends ExampleOptions {
  /** Default: Japanese. */
  readonly locale?: Locale;
}

/** Shows components with a started model. The model stops and the components unmount after the test. */
export async function screenOf(
  children: (example: Example) => ReactNode,
  { locale = 'ja', ...options }: ScreenOptions = {},
): Promise<Example & RenderResult> {
  const example = await started(options);
  const wrapped = (
    <LocaleProvider initial={{ locale, words: await loadWords(locale) }}>
      <ModelProvider value={example.model}>
        <ToastProvider>{children(example)}</ToastProvider>
      </ModelProvider>
    </LocaleProvider>
  );
  onTestFinished(async () => {
    cleanup();
    await stopAll();
  });
  return { ...example, ...render(wrapped) };
}
