import { passwordLength } from '@engawa/protocol';
import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  show: (label: string) => `${label}を表示`,
  capsLock: 'Caps Lock がオンになっています。',
  advice: `${passwordLength.least} 文字以上。長いほど安全です。記号や数字を混ぜる必要はありません。`,
  missing: (characters: number) => `あと ${number.format(characters)} 文字必要です。`,
  enough: '使えます。12 文字以上にすると、さらに安全です。',
  strong: '十分な長さです。',
  complaints: {
    required: 'パスワードを入れてください。',
    minLength: `パスワードは ${passwordLength.least} 文字以上にしてください。`,
    maxLength: `パスワードは ${number.format(passwordLength.most)} 文字までにしてください。`,
    weak: '推測されやすいパスワードです。別のパスワードにしてください。',
    wrong: '現在のパスワードが違います。',
    same: '現在と同じパスワードです。別のパスワードにしてください。',
  },
};

export type PasswordDictionary = typeof ja;
