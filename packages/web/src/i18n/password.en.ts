import { passwordLength } from '@engawa/protocol';
import { englishNumber as number } from './numbers.ts';
import type { PasswordDictionary } from './password.ja.ts';

export const en: PasswordDictionary = {
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
};
