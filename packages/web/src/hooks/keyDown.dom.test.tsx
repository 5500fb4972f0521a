import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useKeyDown } from './keyDown.ts';

function Ringing({ onKey }: { readonly onKey: (key: string) => void }) {
  useKeyDown(({ key }) => onKey(key));
  return <hr />;
}

it('[R2.21] A key works as soon as the component that takes it is in the page', async () => {
  // Testing Library renders with `act`, which also runs the effects that a browser runs after painting.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const root = createRoot(document.body);
  onTestFinished(() => {
    root.unmount();
    vi.unstubAllGlobals();
  });
  const onKey = vi.fn();
  const { promise: shown, resolve } = Promise.withResolvers<void>();
  new MutationObserver(() => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
    resolve();
  }).observe(document.body, { childList: true });
  root.render(<Ringing onKey={onKey} />);
  await shown;
  expect(onKey).toHaveBeenCalledExactlyOnceWith('a');
});
