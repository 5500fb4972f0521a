import { expect, it } from 'vitest';
import { ja } from '../../i18n/administration.ja.ts';
import { refusalText } from './useRefusalText.ts';

const refused = (code: string) => refusalText(ja.failures, { kind: 'refused', code, message: 'No.' });

it('[I7.2] The administration has its own texts for refusals that only administrators meet', () => {
  expect(refused('EMAIL_IN_USE')).toContain('メールアドレス');
  expect(refused('CANNOT_DEACTIVATE_LAST_USER')).toContain('オーナー');
});

it('[I7.2] The administration has no own text for failures that all screens share', () => {
  expect(refused('BAD_REQUEST')).toBeUndefined();
  expect(refused('toString')).toBeUndefined();
  expect(refusalText(ja.failures, { kind: 'network' })).toBeUndefined();
});
