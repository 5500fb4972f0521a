import { expect, it } from 'vitest';
import { moved, mostZoom, squareOf, wholeOf, zoomed } from './crop.ts';

const wide = { width: 400, height: 200 };

it('[R2.24.1] The crop of an image begins as the largest square in its middle', () => {
  expect(squareOf(wholeOf(wide), wide)).toEqual({ x: 100, y: 0, side: 200 });
  expect(squareOf(wholeOf({ width: 30, height: 90 }), { width: 30, height: 90 })).toEqual({ x: 0, y: 30, side: 30 });
});

it('[R2.24.1] The crop of an image cannot be moved beyond the edges of the image', () => {
  const crop = wholeOf(wide);
  expect(squareOf(moved(crop, 40, 40, wide), wide)).toEqual({ x: 140, y: 0, side: 200 });
  expect(squareOf(moved(crop, 1000, -1000, wide), wide)).toEqual({ x: 200, y: 0, side: 200 });
  expect(squareOf(moved(crop, -1000, 1000, wide), wide)).toEqual({ x: 0, y: 0, side: 200 });
});

it('[R2.24.1] Zooming keeps the middle of the crop in its place and the crop within the image', () => {
  const close = zoomed(wholeOf(wide), 2, wide);
  expect(squareOf(close, wide)).toEqual({ x: 150, y: 50, side: 100 });
  const corner = moved(close, 1000, 1000, wide);
  expect(squareOf(corner, wide)).toEqual({ x: 300, y: 100, side: 100 });
  expect(squareOf(zoomed(corner, 1, wide), wide)).toEqual({ x: 200, y: 0, side: 200 });
});

it('[R2.24.1] The zoom of a crop has an upper limit', () => {
  expect(zoomed(wholeOf(wide), 100, wide).zoom).toBe(mostZoom);
  expect(zoomed(wholeOf(wide), 0.1, wide).zoom).toBe(1);
});
