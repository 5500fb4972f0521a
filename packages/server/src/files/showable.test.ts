import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { createStorage } from '../storage/storage.ts';
import { avif, gifOfFrame, jpeg, pngHeader, webp } from '../testing/images.ts';
import { pictureSize } from './showable.ts';

const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
afterAll(() => rmSync(directory, { recursive: true }));
const storage = createStorage(directory);

it.each<readonly [string, Buffer, Awaited<ReturnType<typeof pictureSize>>]>([
  ['a PNG of 25 million pixels', pngHeader(5000, 5000), { width: 5000, height: 5000 }],
  ['a photograph of 50 million pixels', jpeg(8160, 6120), { width: 8160, height: 6120 }],
  ['an animated PNG of four million pixels', pngHeader(2000, 2000, true), { width: 2000, height: 2000 }],
  ['a PNG of 16,000 x 16,000 pixels', pngHeader(16_000, 16_000), 'too-large'],
  ['a JPEG of 65,535 x 65,535 pixels', jpeg(65_535, 65_535), 'too-large'],
  ['a very long PNG', pngHeader(1, 40_000), 'too-large'],
  ['an animated PNG of more than four million pixels', pngHeader(2001, 2000, true), 'too-large'],
  ['a GIF with a frame of 65,535 x 65,535 pixels', gifOfFrame(1, 65_535, 65_535), 'too-large'],
  ['a WebP of 16,000 x 16,000 pixels', webp('VP8X', 16_000, 16_000), 'too-large'],
  ['an AVIF of 16,000 x 16,000 pixels', avif(16_000, 16_000), 'too-large'],
  ['a PNG without pixels', pngHeader(0, 9), 'unreadable'],
  ['a text', Buffer.from('no picture'), 'unreadable'],
  ['nothing', Buffer.alloc(0), 'unreadable'],
])('[R2.17] A file is shown as a picture only within a bound of pixels: %s', async (_, bytes, expected) => {
  const { type, keep } = await storage.receive(Readable.from([bytes]));
  expect(await pictureSize({ place: await keep(), type }, storage)).toEqual(expected);
});
