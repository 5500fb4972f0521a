import { expect, it } from 'vitest';
import { ja } from '../../i18n/session.ja.ts';
import { en } from '../../i18n/session.en.ts';
import { failureOutside } from './failures.ts';

const after = (retryAfterSeconds: number) => ({ kind: 'busy', retryAfterSeconds }) as const;
const refused = (code: string) => ({ kind: 'refused', code, message: '' }) as const;

it.each([
  [refused('AUTHENTICATION_FAILED'), ja.failures.wrong],
  [refused('USER_DEACTIVATED'), ja.failures.deactivated],
  [refused('EMAIL_IN_USE'), ja.invitation.taken],
  [{ kind: 'network' }, ja.failures.offline],
  [refused('BAD_REQUEST'), undefined],
  [{ kind: 'server' }, undefined],
] as const)('[R8.4] The sign-in form explains why the sign-in failed: %j', (failure, text) => {
  expect(failureOutside(ja, failure)).toBe(text);
});

it('[R8.4] The sign-in form says how many seconds or minutes to wait after too many attempts', () => {
  expect(failureOutside(ja, after(29.2))).toContain('30 秒');
  expect(failureOutside(ja, after(900))).toContain('15 分');
  expect(failureOutside(en, after(1))).toContain('1 second,');
  expect(failureOutside(en, after(901))).toContain('16 minutes');
});
