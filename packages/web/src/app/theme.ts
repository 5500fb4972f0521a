/** R4.11: the theme of this device, light by default. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

const storageKey = 'engawa:theme';
/** The colour of the browser's frame, equal to --bg-rail. */
const surround: Readonly<Record<Theme, string>> = { light: '#e7e8e1', dark: '#101311' };
const listeners = new Set<() => void>();
const darkDevice = matchMedia('(prefers-color-scheme: dark)');
let chosen = remembered();

function remembered(): ThemeChoice {
  try {
    return choiceIn(localStorage.getItem(storageKey));
  } catch {
    // Storage may be forbidden.
    return 'light';
  }
}

function choiceIn(text: string | null): ThemeChoice {
  return text === 'dark' || text === 'system' ? text : 'light';
}

function current(): Theme {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

function show(choice: ThemeChoice): void {
  chosen = choice;
  const device = darkDevice.matches ? 'dark' : 'light';
  const theme = choice === 'system' ? device : choice;
  if (theme === 'dark') document.documentElement.dataset['theme'] = 'dark';
  else delete document.documentElement.dataset['theme'];
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surround[theme]);
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  show(choice);
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // Storage may be forbidden; the choice then lasts until the page is left.
  }
}

function onStorage(event: StorageEvent): void {
  if (event.key === storageKey) show(choiceIn(event.newValue));
}

function onDevice(): void {
  show(chosen);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('storage', onStorage);
    darkDevice.addEventListener('change', onDevice);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('storage', onStorage);
    darkDevice.removeEventListener('change', onDevice);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => chosen);
}
