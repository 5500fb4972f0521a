import { expect, it } from 'vitest';
import { firstLetter } from './Avatar.tsx';

it('[R2.6] An avatar without a picture shows the first grapheme of the member’s name', () => {
  expect(firstLetter('プロダクト開発部')).toBe('プ');
  expect(firstLetter('カ\u3099ラス部')).toBe('カ\u3099');
  expect(firstLetter('👩‍💻部')).toBe('👩‍💻');
  expect(firstLetter('e\u0301cole')).toBe('e\u0301');
  expect(firstLetter('葛\u{E0100}城')).toBe('葛\u{E0100}');
  expect(firstLetter('')).toBe('');
});
