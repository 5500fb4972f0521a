import { expect, it } from 'vitest';
import { stacked } from './toastStack.ts';

interface Example {
  readonly text: string;
  readonly action?: string;
}

const says = (text: string): Example => ({ text });
const offers = (text: string): Example => ({ text, action: '元に戻す' });

const shownAfter = (...toasts: readonly Example[]) => toasts.reduce<readonly Example[]>(stacked, []).map(({ text }) => text);

it('[R4.7.2] A toast without an action does not replace a toast with an undo button', () => {
  expect(shownAfter(offers('消しました'), says('コピーしました'))).toEqual(['消しました', 'コピーしました']);
  expect(shownAfter(says('コピーしました'), offers('消しました'))).toEqual(['コピーしました', '消しました']);
  expect(shownAfter(offers('一'), offers('二'))).toEqual(['一', '二']);
});

it('A new toast without an action replaces an earlier one without an action', () => {
  expect(shownAfter(says('一'), says('二'))).toEqual(['二']);
  expect(shownAfter(says('一'), offers('戻す'), says('二'))).toEqual(['戻す', '二']);
});

it('[R4.7.2] A fourth toast removes the oldest of the toasts that have an action', () => {
  expect(shownAfter(offers('一'), offers('二'), offers('三'), offers('四'))).toEqual(['二', '三', '四']);
  expect(shownAfter(says('言う'), offers('一'), offers('二'), offers('三'))).toEqual(['言う', '二', '三']);
  expect(shownAfter(offers('一'), offers('二'), offers('三'), says('言う'))).toEqual(['二', '三', '言う']);
});
