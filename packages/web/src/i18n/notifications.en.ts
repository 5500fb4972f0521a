import { englishNumber as number } from './numbers.ts';
import type { NotificationsDictionary } from './notifications.ja.ts';

export const en: NotificationsDictionary = {
  inStream: (sender, stream) => `${sender} (${stream})`,
  many: (count) => `${number.format(count)} new messages`,
  offAdvice: 'Notifies you of mentions and direct messages while you are doing something else.',
  onAdvice: 'You are notified on this device, except of the stream that you are reading and of muted streams.',
  denied:
    'This browser blocks notifications. Press the icon to the left of the address, set “Notifications” to “Allow”, and try again.',
  asking:
    'Choose “Allow” when the browser asks. If it does not ask, press the icon to the left of the address and allow notifications.',
  notAllowed:
    'Permission was not given, so notifications stay off. Press the switch again and choose “Allow”, or press the icon to the left of the address and allow notifications.',
  unsupported: 'This browser does not support notifications. Use Chrome, Edge, Firefox or Safari on a computer.',
  test: 'Send a test notification',
  sampleTitle: 'A test notification from Engawa',
  sampleBody: 'This is what a notification looks like.',
  sampleSent: 'A test notification was sent. If you do not see it, check the notification settings of your device.',
  sound: 'Notification sound',
  whichSound: 'Sound',
  sounds: { chime: 'Chime', ding: 'Bell' },
  listen: 'Listen',
};
