import { passwordLength } from '@engawa/protocol';
import { englishDuration } from './duration.ts';
import type { AccountDictionary } from './account.ja.ts';

const number = new Intl.NumberFormat('en-GB');

export const en: AccountDictionary = {
  password: {
    show: (label) => `Show ${label.toLowerCase()}`,
    capsLock: 'Caps Lock is on.',
    advice: `At least ${passwordLength.least} characters. The longer, the safer; no symbols or digits are needed.`,
    missing: (characters) => `${number.format(characters)} more ${characters === 1 ? 'character' : 'characters'} needed.`,
    enough: 'Good enough. 12 characters or more are safer still.',
    strong: 'Long enough to be safe.',
    complaints: {
      required: 'Enter a password.',
      minLength: `The password needs at least ${passwordLength.least} characters.`,
      maxLength: `A password may have up to ${number.format(passwordLength.most)} characters.`,
      weak: 'This password is easy to guess. Choose another one.',
      wrong: 'This is not your current password.',
      same: 'This is the password that you have now. Choose another one.',
    },
  },

  ownPassword: {
    heading: 'Password',
    open: 'Change password',
    advice: 'This signs out all your other devices, and all your API keys stop working. This device stays signed in.',
    email: 'Email',
    current: 'Current password',
    next: 'New password',
    cancel: 'Cancel',
    change: 'Change',
    changing: 'Changing…',
    tooMany: (seconds) => `Too many tries. Wait about ${englishDuration(seconds)}, then try again.`,
    changed: 'Your password has been changed. Your other devices have been signed out.',
  },

  keys: {
    heading: 'API keys',
    advice: 'With these, programs act in your name. Revoke any that you do not recognise.',
    list: 'API keys',
    key: (id) => `API key ${id}`,
    created: (time) => `Created: ${time}`,
    lastUsed: (time) => `Last used: ${time}`,
    neverUsed: 'Never used',
    none: 'You have no API keys.',
    end: 'Revoke',
    endNamed: (name) => `Revoke ${name}`,
    endHeading: 'Revoke an API key',
    endQuestion: (name) => `Programs that use ${name} stop working at once. This cannot be undone.`,
    endAll: 'Revoke all',
    endAllHeading: 'Revoke all API keys',
    endAllQuestion: (count) =>
      `Programs that use ${count === 1 ? 'this API key' : `any of these ${number.format(count)} API keys`} stop working at once. This cannot be undone.`,
    cancel: 'Cancel',
    ending: 'Revoking…',
    ended: (name) => `${name} has been revoked.`,
    endedAll: 'All API keys have been revoked.',
    loading: 'Loading API keys…',
  },
};
