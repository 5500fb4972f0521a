import { expect, it } from 'vitest';
import type { ErrorCode } from '@engawa/protocol';
import { en } from '../../i18n/outgoingHooks.en.ts';
import { ja } from '../../i18n/outgoingHooks.ja.ts';
import { hookFailureText } from './useHookFailure.ts';

const codes: readonly ErrorCode[] = [
  'ADDRESS_NOT_ALLOWED',
  'HOOK_OFF_BY_ADMINISTRATOR',
  'HOOK_SECRET_NOT_RENEWED',
  'TOO_MANY_HOOKS',
  'TOO_MANY_HOOK_ORIGINS',
  'BOT_HAS_HOOK',
];

it('Each refusal of an outgoing hook has its own text in both languages', () => {
  const texts = [ja, en].flatMap((words) =>
    codes.map((code) => hookFailureText(words, { kind: 'refused', code, message: 'English' })),
  );
  expect(texts).not.toContain(undefined);
  expect(new Set(texts).size).toBe(2 * codes.length);
  expect(Object.keys(ja.refusals).toSorted()).toEqual(codes.toSorted());
});

it('`hookFailureText` returns undefined for failures that are not specific to outgoing hooks', () => {
  expect(hookFailureText(ja, { kind: 'refused', code: 'NAME_IN_USE', message: 'Taken' })).toBeUndefined();
  expect(hookFailureText(ja, { kind: 'network' })).toBeUndefined();
});
