import { expect, it } from 'vitest';
import { placeMenu } from './menuPlacement.ts';

const menu = { width: 200, height: 300 };
const wide = { width: 1400, height: 900 };
const message = { left: 450, top: 400, right: 900, bottom: 500 };
const at = { x: 700, y: 395 };

it.each([
  ['at its anchor if nothing is to be spared', { x: 700, y: 395 }, wide, { left: 500, top: 395 }],
  ['inside the window', { x: 100, y: 880 }, wide, { left: 8, top: 592 }],
  ['at its anchor if that is free', { ...at, y: 520, spare: message }, wide, { left: 500, top: 520 }],
  ['right of a message', { ...at, spare: message }, wide, { left: 908, top: 395 }],
  ['left of a message at the right edge', { ...at, spare: { ...message, right: 1380 } }, wide, { left: 242, top: 395 }],
  [
    'below a message as wide as the window',
    { ...at, spare: { ...message, left: 10, right: 1380 } },
    wide,
    { left: 500, top: 508 },
  ],
  [
    'above a message at the lower edge',
    { x: 700, y: 750, spare: { left: 10, top: 760, right: 1380, bottom: 850 } },
    wide,
    { left: 500, top: 452 },
  ],
  [
    'over a message that fills the window',
    { x: 380, y: 20, spare: { left: 0, top: 0, right: 390, bottom: 844 } },
    { width: 390, height: 844 },
    { left: 180, top: 20 },
  ],
])('[R2.14] placeMenu places a menu %s', (_, anchor, window, place) => {
  expect(placeMenu(anchor, menu, window)).toEqual(place);
});
