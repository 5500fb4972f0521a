import { expect, it } from 'vitest';
import { en } from '../i18n/en.ts';
import { ja } from '../i18n/ja.ts';
import { failureText } from './failures.ts';

it('[R1.8] says in words that somebody does not want to be in a group, not in those of the server', () => {
  const failure = { kind: 'refused', code: 'GROUP_NOT_WANTED', message: 'Not wanted' } as const;
  for (const { failures } of [ja, en]) {
    expect(failureText(failures, failure)).toBe(failures.groupNotWanted);
    expect(failureText(failures, { ...failure, code: 'BAD_REQUEST' })).toContain('Not wanted');
  }
});
