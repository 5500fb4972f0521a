import type { LaterDictionary } from './later.ja.ts';

const number = new Intl.NumberFormat('en-GB');

export const en: LaterDictionary = {
  sessions: {
    heading: 'Where you are signed in',
    advice: 'Sign out any device that you do not recognise.',
    device: (browser, system) => `${browser} on ${system}`,
    unknownDevice: 'Unknown device',
    current: 'This device',
    signedIn: (time) => `Signed in: ${time}`,
    lastUsed: (time) => `Last used: ${time}`,
    list: 'Devices that are signed in',
    end: 'Sign out',
    endNamed: (device) => `Sign out ${device}`,
    endOthers: 'Sign out all other devices',
    endOthersHeading: 'Sign out all other devices',
    endOthersQuestion: (count) =>
      `This signs out ${number.format(count)} other ${count === 1 ? 'device' : 'devices'}. What was written there and not sent is lost on it.`,
    cancel: 'Cancel',
    ending: 'Signing out…',
    ended: (device) => `${device} has been signed out.`,
    endedOthers: 'All other devices have been signed out.',
    onlyThis: 'This is the only device that is signed in.',
    loading: 'Loading devices…',
  },

  notifications: {
    inStream: (sender, stream) => `${sender} (${stream})`,
    many: (count) => `${number.format(count)} new messages`,
    offAdvice: 'Tells you of mentions and direct messages while you are doing something else.',
    onAdvice: 'You are told on this device. Not of the stream that you are reading, nor of muted ones.',
    denied:
      'This browser blocks notifications. Press the sign to the left of the address, set “Notifications” to “Allow”, and try again.',
    notAllowed: 'Notifications were not allowed. Press the switch again and choose “Allow”.',
    unsupported: 'This browser has no notifications for pages. Use Chrome, Edge, Firefox or Safari on a computer.',
    test: 'Send a test notification',
    sampleTitle: 'A test notification from Engawa',
    sampleBody: 'This is how you will be told.',
    sampleSent: 'A test notification was sent. If you do not see it, check the notification settings of your device.',
    sound: 'Notification sound',
    whichSound: 'Kind of sound',
    sounds: { chime: 'Chime', ding: 'Bell' },
    listen: 'Listen',
  },

  display: {
    themes: { light: 'Light', dark: 'Dark', system: 'As the device' },
    sendKey: 'Send with',
    sendKeys: { enter: 'Enter', ctrlEnter: 'Ctrl (⌘) + Enter' },
    timeZone: 'Time zone',
    timeZoneAdvice: (time) => `It is ${time} now. A part of the name of a city finds a zone.`,
    deviceZone: (zone) => `Use the zone of this device (${zone})`,
  },

  help: { failed: 'Help could not be opened. Check the network and try again.' },
};
