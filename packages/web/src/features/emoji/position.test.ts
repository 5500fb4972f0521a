import { expect, it } from 'vitest';
import { positionAt } from './position.ts';

const picker = { width: 340, height: 320 };
const window = { width: 1440, height: 900 };

it('[R2.22.1] The emoji picker opens with a corner at the click', () => {
  expect(positionAt({ x: 100, y: 100 }, picker, window)).toEqual({ left: 100, top: 100 });
  expect(positionAt({ x: 1283, y: 838 }, picker, window)).toEqual({ left: 943, top: 518 });
});

it('[R2.22.1] The emoji picker opens inside a small window', () => {
  expect(positionAt({ x: 320, y: 800 }, picker, { width: 360, height: 640 })).toEqual({ left: 8, top: 312 });
});
