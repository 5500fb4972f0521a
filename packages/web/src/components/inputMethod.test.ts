import { expect, it } from 'vitest';
import { isForInputMethod } from './inputMethod.ts';

const enter = { isComposing: false, keyCode: 13 };

it('[R4.8.1] Chrome and Firefox: the confirming Enter is the input method’s, the next one is ours', () => {
  expect(isForInputMethod({ isComposing: true, keyCode: 229 })).toBe(true);
  expect(isForInputMethod(enter)).toBe(false);
});

it('[R4.8.1] Safari: the keydown after compositionend still says 229', () => {
  expect(isForInputMethod({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isForInputMethod(enter)).toBe(false);
});

it('[R4.8.1] an Escape that cancels a conversion is the input method’s', () => {
  expect(isForInputMethod({ isComposing: true, keyCode: 27 })).toBe(true);
  expect(isForInputMethod({ isComposing: false, keyCode: 27 })).toBe(false);
});

it('[R4.8.1] an Enter between compositionstart and compositionend is never ours', () => {
  expect(isForInputMethod(enter, true)).toBe(true);
});
