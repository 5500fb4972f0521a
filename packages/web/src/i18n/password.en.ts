import { passwordLength } from '@engawa/protocol';
import { englishNumber as number } from './numbers.ts';
import type { PasswordDictionary } from './password.ja.ts';

export const en: PasswordDictionary = {
  show: (label) => `Show ${label.toLowerCase()}`,
  capsLock: 'Caps Lock is on.',
  advice: `At least ${passwordLength.least} characters. Longer is safer. Symbols and digits are not needed.`,
  missing: (characters) => `${number.format(characters)} more ${characters === 1 ? 'character' : 'characters'} needed.`,
  enough: 'Good enough. 12 or more characters are even safer.',
  strong: 'This is long enough to be safe.',
  complaints: {
    required: 'Enter a password.',
    minLength: `Use at least ${passwordLength.least} characters.`,
    maxLength: `Use at most ${number.format(passwordLength.most)} characters.`,
    weak: 'This password is easy to guess. Choose another one.',
    wrong: 'This is not your current password.',
    same: 'This is your current password. Choose another one.',
  },
};
