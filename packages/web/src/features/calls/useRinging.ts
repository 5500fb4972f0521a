import { useEffect, useEffectEvent } from 'react';
import { useCommands, useModel } from '../../hooks/model.ts';
import { showNotification } from '../../hooks/notifying.ts';
import { playRing } from '../../hooks/sounds.ts';
import { selectSettings } from '../../model/people/selectors.ts';

/** Milliseconds from one ring to the next. */
const ringEvery = 3000;

/**
 * Rings until the component unmounts. Only the tab that polls rings, because every tab shows the call. Browsers play no sound
 * before the member has used the page; then only the notification and the dialog ring.
 */
export function useRinging(): void {
  const model = useCommands();
  const { enable_sounds: sounds = true } = useModel(selectSettings);
  const ring = useEffectEvent(() => {
    if (sounds && model.polls()) void playRing();
  });
  useEffect(() => {
    ring();
    const timer = setInterval(() => ring(), ringEvery);
    return () => clearInterval(timer);
  }, []);
}

interface CallNotification {
  readonly callId: string;
  readonly title: string;
  readonly body: string;
  readonly icon: string | undefined;
  readonly address: string;
  readonly onGo: (address: string) => void;
}

/** Shows a notification while the component is mounted. One of a missed call replaces the one that rang. */
export function useCallNotification({ callId, title, body, icon, address, onGo }: CallNotification): void {
  const model = useCommands();
  const { enable_desktop_notifications: notifies = true } = useModel(selectSettings);
  const go = useEffectEvent(() => onGo(address));
  const show = useEffectEvent(() => {
    if (!notifies || !model.polls()) return undefined;
    return showNotification(title, {
      body,
      tag: `engawa call ${callId}`,
      silent: true,
      requireInteraction: true,
      data: { address },
      ...(icon === undefined ? {} : { icon: new URL(icon, location.href).href }),
    });
  });
  useEffect(() => {
    const notification = show();
    notification?.addEventListener('click', () => {
      window.focus();
      notification.close();
      go();
    });
    return () => notification?.close();
  }, []);
}
