import { expect, it } from 'vitest';
import { plainName } from './plainName.ts';

it.each([
  ['\u202eevil', 'evil'],
  ['a\u200bb', 'ab'],
  ['a\u200db\u200c', 'ab'],
  ['\u2067営業\u2069', '営業'],
  ['営\ufeff業\u2060\u00ad\u061c', '営業'],
  ['\u3164', ''],
])('[R2.7.2] plainName removes invisible characters from %j', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

it.each(['縁側プロジェクト', '👩‍💻 開発', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 支社', '❤️', '葛\u{e0100}城支店', 'A B　C'])(
  'plainName keeps %j unchanged',
  (name) => {
    expect(plainName(name)).toBe(name);
  },
);
