/** The browser's notifications: whether it shows ours, asking it to, and showing one. */
import { useSyncExternalStore } from 'react';
import { showByWorker, type Shown } from './shownByWorker.ts';

/** `unsupported`: this browser, or an address that is not secure, has none for pages. */
export type Permission = NotificationPermission | 'unsupported';

const listeners = new Set<() => void>();
/** A telephone's browser has the name, but refuses to make one in a page, and there is no service worker to do it. */
let refuses = false;

function tell(): void {
  for (const listener of listeners) listener();
}

export function permission(): Permission {
  return refuses || !('Notification' in globalThis) ? 'unsupported' : Notification.permission;
}

/** To be called on a click: browsers ask on no other occasion. */
export async function askPermission(): Promise<Permission> {
  if (permission() === 'unsupported') return 'unsupported';
  await Notification.requestPermission();
  tell();
  return permission();
}

let watching = false;

/** It may be changed in the browser's own settings at any time. */
async function watch(): Promise<void> {
  if (watching || permission() === 'unsupported') return;
  watching = true;
  const status = await navigator.permissions.query({ name: 'notifications' });
  status.addEventListener('change', tell);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void watch();
  return () => listeners.delete(listener);
}

export function usePermission(): Permission {
  return useSyncExternalStore(subscribe, permission);
}

/** Undefined where the browser shows none. */
export function showNotification(title: string, options: NotificationOptions & { readonly tag: string }): Shown | undefined {
  if (permission() !== 'granted') return undefined;
  try {
    return shownByPage(new Notification(title, options));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const shown = showByWorker(title, options);
    refuses = shown === undefined;
    tell();
    return shown;
  }
}

function shownByPage(notification: Notification): Shown {
  return {
    shown: new Promise((resolve) => {
      for (const type of ['show', 'error', 'close']) notification.addEventListener(type, resolve);
    }),
    close: () => notification.close(),
    addEventListener: (type, listener) => notification.addEventListener(type, listener),
  };
}
