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
};
