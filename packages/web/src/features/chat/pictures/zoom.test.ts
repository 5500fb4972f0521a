import { expect, it } from 'vitest';
import { fitted, moved, room, swipe, zoomed } from './zoom.ts';

const stage = { width: 800, height: 600 };
const photo = { width: 4000, height: 3000 };
const icon = { width: 32, height: 32 };
const middle = { x: 0, y: 0 };

it('[R2.17] The picture viewer fits the whole picture and does not enlarge a small one', () => {
  expect(fitted(photo, stage)).toEqual({ scale: 0.2, x: 0, y: 0 });
  expect(fitted({ width: 4000, height: 300 }, stage).scale).toBe(0.2);
  expect(fitted(icon, stage).scale).toBe(1);
});

it('[R2.17] The point of the picture under the pointer stays there while the picture viewer zooms', () => {
  const at = { x: 200, y: -100 };
  const view = zoomed(fitted(photo, stage), 0.4, at, photo, stage);
  expect((at.x - view.x) / view.scale).toBeCloseTo(at.x / 0.2);
  expect((at.y - view.y) / view.scale).toBeCloseTo(at.y / 0.2);
});

it('[R2.17] The picture viewer zooms between the whole picture and eight times its size', () => {
  const fit = fitted(photo, stage);
  expect(zoomed(fit, 0.01, middle, photo, stage)).toEqual(fit);
  expect(zoomed(fit, 100, middle, photo, stage).scale).toBe(8);
  const corner = moved(zoomed(fit, 1, middle, photo, stage), { x: 9999, y: 9999 }, photo, stage);
  expect(zoomed(corner, 0.2, { x: 300, y: 300 }, photo, stage)).toEqual(fit);
});

it('[R2.17] A drag in the picture viewer stops at the edges of the picture', () => {
  const actual = zoomed(fitted(photo, stage), 1, middle, photo, stage);
  expect(room(actual, photo, stage)).toEqual({ x: 1600, y: 1200 });
  expect(moved(actual, { x: 10, y: -20 }, photo, stage)).toEqual({ scale: 1, x: 10, y: -20 });
  expect(moved(actual, { x: 9999, y: -9999 }, photo, stage)).toEqual({ scale: 1, x: 1600, y: -1200 });
  expect(room(fitted(icon, stage), icon, stage)).toEqual(middle);
  expect(moved(fitted(icon, stage), { x: 5, y: 5 }, icon, stage)).toEqual({ scale: 1, x: 0, y: 0 });
});

it('[R2.17] swipe returns next or previous for a long horizontal swipe, and undefined for others', () => {
  expect(swipe({ x: -80, y: 10 })).toBe('next');
  expect(swipe({ x: 80, y: -10 })).toBe('previous');
  expect(swipe({ x: 30, y: 0 })).toBeUndefined();
  expect(swipe({ x: 80, y: 80 })).toBeUndefined();
});
