import { cleanup, render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { ToastProvider } from '../src/components/primitives/Toasts.tsx';
import { ModelProvider } from '../src/hooks/model.ts';
import { started, stopAll, type Example, type ExampleOptions } from './example.ts';

/** Shows components with a started model. The model stops and the components unmount after the test. */
export async function screenOf(
  children: (example: Example) => ReactNode,
  options?: ExampleOptions,
): Promise<Example & RenderResult> {
  const example = await started(options);
  const wrapped = (
    <ModelProvider value={example.model}>
      <ToastProvider>{children(example)}</ToastProvider>
    </ModelProvider>
  );
  onTestFinished(async () => {
    cleanup();
    await stopAll();
  });
  return { ...example, ...render(wrapped) };
}
