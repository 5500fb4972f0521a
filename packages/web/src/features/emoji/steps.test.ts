import { expect, it } from 'vitest';
import { step } from './steps.ts';

/** Rows hold eight emoji. The last row of a category may hold fewer. */
const lengths = [8, 3, 8, 8, 8, 8, 8, 2];

it.each([
  ['ArrowRight', [0, 3], [0, 4]],
  ['ArrowRight', [1, 2], [2, 0]],
  ['ArrowRight', [7, 1], [7, 1]],
  ['ArrowLeft', [2, 0], [1, 2]],
  ['ArrowLeft', [0, 0], [0, 0]],
  ['ArrowDown', [0, 7], [1, 2]],
  ['ArrowDown', [7, 0], [7, 0]],
  ['ArrowUp', [2, 7], [1, 2]],
  ['ArrowUp', [0, 5], [-1, 5]],
  ['PageDown', [0, 7], [5, 7]],
  ['PageDown', [4, 7], [7, 1]],
  ['PageUp', [7, 1], [2, 1]],
  ['PageUp', [3, 4], [0, 4]],
  ['Home', [2, 5], [2, 0]],
  ['End', [1, 0], [1, 2]],
])(
  '[R2.22.1] %s in the emoji grid moves the focus from row and column %j to %j',
  (key, [row = 0, column = 0], [toRow = 0, toColumn = 0]) => {
    const to = step({ key, ctrlKey: false }, { row, column }, lengths);
    expect(to).toEqual({ row: toRow, column: toColumn });
  },
);

it('[R2.22.1] Ctrl+Home and Ctrl+End move the focus to the first and last emoji, and letters do not move it', () => {
  const from = { row: 3, column: 4 };
  expect(step({ key: 'Home', ctrlKey: true }, from, lengths)).toEqual({ row: 0, column: 0 });
  expect(step({ key: 'End', ctrlKey: true }, from, lengths)).toEqual({ row: 7, column: 1 });
  expect(step({ key: 'a', ctrlKey: false }, from, lengths)).toBeUndefined();
});
