import { expect, it } from 'vitest';
import { isForInputMethod } from './inputMethod.ts';

const enter = { isComposing: false, keyCode: 13 };

it('[R4.8.1] A key handler ignores the Enter that confirms a kana conversion in Chrome and Firefox, and handles the next Enter', () => {
  expect(isForInputMethod({ isComposing: true, keyCode: 229 })).toBe(true);
  expect(isForInputMethod(enter)).toBe(false);
});

it('[R4.8.1] A key handler ignores the keydown with code 229 that Safari sends after compositionend', () => {
  expect(isForInputMethod({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isForInputMethod(enter)).toBe(false);
});

it('[R4.8.1] A key handler ignores the Escape that cancels a kana conversion', () => {
  expect(isForInputMethod({ isComposing: true, keyCode: 27 })).toBe(true);
  expect(isForInputMethod({ isComposing: false, keyCode: 27 })).toBe(false);
});

it('[R4.8.1] A key handler ignores an Enter between compositionstart and compositionend', () => {
  expect(isForInputMethod(enter, true)).toBe(true);
});
