/** R4.11: the theme of this device, light by default. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from 'react';
import { colorSchemes } from '@engawa/protocol';
import { useChangeSettings } from '../hooks/changeSettings.ts';
import { createSignal } from '../model/signal.ts';

export type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

const storageKey = 'engawa:theme';
/** The colour of the browser's frame, equal to --bg-rail. */
const surround: Readonly<Record<Theme, string>> = { light: '#e7e8e1', dark: '#101311' };
const changed = createSignal();
const darkDevice = matchMedia('(prefers-color-scheme: dark)');
let chosen = remembered();

function remembered(): ThemeChoice {
  try {
    return choiceIn(localStorage.getItem(storageKey));
  } catch {
    // The browser may forbid storage.
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
  changed.emit();
}

export function chooseTheme(choice: ThemeChoice): void {
  show(choice);
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // The browser may forbid storage; the choice then lasts until the page is left.
  }
}

function onStorage(event: StorageEvent): void {
  if (event.key === storageKey) show(choiceIn(event.newValue));
}

function onDevice(): void {
  show(chosen);
}

function subscribe(listener: () => void): () => void {
  if (!changed.hasListeners) {
    window.addEventListener('storage', onStorage);
    darkDevice.addEventListener('change', onDevice);
  }
  const unsubscribe = changed.subscribe(listener);
  return () => {
    unsubscribe();
    if (changed.hasListeners) return;
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

const schemes: Readonly<Record<ThemeChoice, 1 | 2 | 3>> = {
  system: colorSchemes.automatic,
  dark: colorSchemes.dark,
  light: colorSchemes.light,
};

/** Applies a theme at once and stores it for all devices. If storing fails, the server's value is applied again. */
export function useChooseTheme(): (choice: ThemeChoice) => void {
  const change = useChangeSettings();
  return (choice) => {
    chooseTheme(choice);
    change({ color_scheme: schemes[choice] });
  };
}
