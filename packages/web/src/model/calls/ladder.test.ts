import { expect, it } from 'vitest';
import { cameraQuality, mutedFrom, scaleDown, screenQuality } from './ladder.ts';

it('[R2.10] More participants get smaller pictures, and cameras are off from the seventh participant on', () => {
  const heights = Array.from({ length: 8 }, (_, index) => cameraQuality(index + 1)?.height);
  expect(heights).toEqual([720, 720, 360, 360, 180, 180, undefined, undefined]);
  expect(cameraQuality(2)).toEqual({ height: 720, frameRate: 24, bitrate: 1_200_000 });
});

it('[R2.10] Through the forwarding unit of the server, all 16 participants may have a small picture', () => {
  expect(cameraQuality(4, 'sfu')).toEqual(cameraQuality(4));
  expect(cameraQuality(16, 'sfu')).toEqual({ height: 180, frameRate: 15, bitrate: 150_000 });
  expect(cameraQuality(50, 'livekit')).toEqual({ height: 180, frameRate: 8, bitrate: 80_000 });
});

it('[R2.10] A screen stays readable at four participants and remains on with eight', () => {
  expect(screenQuality(4)).toEqual({ height: 1080, frameRate: 10, bitrate: 1_500_000 });
  expect(screenQuality(8)).toEqual({ height: 720, frameRate: 5, bitrate: 600_000 });
  expect(mutedFrom).toBe(5);
});

it('[R2.10] A picture is scaled by its shorter side, and a small one is not enlarged', () => {
  const quality = { height: 360, frameRate: 20, bitrate: 500_000 };
  expect(scaleDown(quality, { width: 1280, height: 720 })).toBe(2);
  expect(scaleDown(quality, { width: 720, height: 1280 })).toBe(2);
  expect(scaleDown(quality, { width: 320, height: 180 })).toBe(1);
  expect(scaleDown(quality, {})).toBe(1);
});
