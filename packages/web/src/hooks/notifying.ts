import { useSyncExternalStore } from 'react';
import { createSignal } from '../model/signal.ts';
import { showByWorker, type Shown } from './shownByWorker.ts';

/** `unsupported`: the browser or an insecure origin has no notifications for pages. */
export type Permission = NotificationPermission | 'unsupported';

const changed = createSignal();
/** Mobile browsers define `Notification` but throw when a page constructs one; only a service worker can show one there. */
let refuses = false;

export function permission(): Permission {
  return refuses || !('Notification' in globalThis) ? 'unsupported' : Notification.permission;
}

/** Must be called during a click, because browsers ignore the question otherwise. */
export async function askPermission(): Promise<Permission> {
  if (permission() === 'unsupported') return 'unsupported';
  await Notification.requestPermission();
  changed.emit();
  return permission();
}

let watching = false;

/** Watched, because the member may change the permission in the browser's settings at any time. */
async function watch(): Promise<void> {
  if (watching || permission() === 'unsupported') return;
  watching = true;
  const status = await navigator.permissions.query({ name: 'notifications' });
  status.addEventListener('change', () => changed.emit());
}

function subscribe(listener: () => void): () => void {
  void watch();
  return changed.subscribe(listener);
}

export function usePermission(): Permission {
  return useSyncExternalStore(subscribe, permission);
}

export function showNotification(title: string, options: NotificationOptions & { readonly tag: string }): Shown | undefined {
  if (permission() !== 'granted') return undefined;
  try {
    return shownByPage(new Notification(title, options));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const shown = showByWorker(title, options);
    refuses = shown === undefined;
    changed.emit();
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
