/** R4.11: light by default, remembered. `public/theme.js` sets it before the first paint. */
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const storageKey = 'engawa:theme';
/** What the browser paints around the page: --bg-rail. */
const surround: Readonly<Record<Theme, string>> = { light: '#e7e8e1', dark: '#101311' };
const listeners = new Set<() => void>();

function current(): Theme {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

function show(theme: Theme): void {
  if (theme === 'dark') document.documentElement.dataset['theme'] = 'dark';
  else delete document.documentElement.dataset['theme'];
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surround[theme]);
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  show(theme);
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts until the page is left.
  }
}

/** Another tab has chosen. */
function onStorage(event: StorageEvent): void {
  if (event.key === storageKey) show(event.newValue === 'dark' ? 'dark' : 'light');
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current);
}
