import { describe, expect, it } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { avif, exifSegment, gif, gifOfFrame, jpeg, pngHeader, webp } from '../testing/images.ts';
import { imageSizeOf } from './imageSize.ts';

const withoutFrame = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xda, 0, 2, 1, 2, 3, 4]);
const withoutEnd = Buffer.alloc(5_000_000, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]));
const gifBlocks = Buffer.alloc(5_000_000, Buffer.from([0x21, 0xfe, 1, 0, 0]));
const white = () => [255, 255, 255] as const;

describe('size of an image', () => {
  it.each([
    ['a PNG', 'image/png', png(640, 480, white), false],
    ['a PNG with a profile', 'image/png', pngHeader(640, 480), false],
    ['an animated PNG', 'image/png', pngHeader(640, 480, true), true],
    ['a GIF', 'image/gif', gif(640, 480), true],
    ['a GIF with a frame larger than its screen', 'image/gif', gifOfFrame(1, 640, 480), true],
    ['a JPEG', 'image/jpeg', jpeg(640, 480), false],
    ['a WebP', 'image/webp', webp('VP8 ', 640, 480), false],
    ['a lossless WebP', 'image/webp', webp('VP8L', 640, 480), false],
    ['an extended WebP', 'image/webp', webp('VP8X', 640, 480), false],
    ['an animated WebP', 'image/webp', webp('VP8X', 640, 480, true), true],
    ['an AVIF', 'image/avif', avif(640, 480), false],
    ['an AVIF of tiles', 'image/avif', avif(640, 480, 320), false],
  ])('[R5.2] The size of an image is read from its header: %s', (_, type, bytes, isAnimated) => {
    expect(imageSizeOf(bytes, type)).toEqual({ width: 640, height: 480, isAnimated });
  });

  it('[R5.2] The size of a JPEG is found after the segments of data that cameras write before it', () => {
    const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xffff - 2, 0xff)]);
    const filled = Buffer.from([0xff, 0xff, 0xff]);
    expect(imageSizeOf(jpeg(640, 480, [exif, exif, filled]), 'image/jpeg')).toMatchObject({ width: 640, height: 480 });
  });

  const upright = [exifSegment(1), exifSegment(6)];
  it.each([
    ['a JPEG held upright (orientation 6)', 'image/jpeg', jpeg(480, 640, [exifSegment(6)])],
    ['a JPEG held upright the other way (8), in big-endian order', 'image/jpeg', jpeg(480, 640, [exifSegment(8, 'MM')])],
    ['a JPEG upside down (3)', 'image/jpeg', jpeg(640, 480, [exifSegment(3)])],
    ['a JPEG with an unknown orientation', 'image/jpeg', jpeg(640, 480, [exifSegment(9)])],
    ['a JPEG with an orientation of another type', 'image/jpeg', jpeg(640, 480, [exifSegment(6, 'II', 8, 4)])],
    ['a JPEG whose Exif directory lies outside its segment', 'image/jpeg', jpeg(640, 480, [exifSegment(6, 'II', 0xffff)])],
    ['a JPEG with two Exif segments, of which the first counts', 'image/jpeg', jpeg(640, 480, upright)],
    ['an AVIF turned by 90 degrees', 'image/avif', avif(480, 640, 0, 'avif', 1)],
    ['an AVIF turned by 180 degrees', 'image/avif', avif(640, 480, 0, 'avif', 2)],
  ])('[R2.17] The size of an image is the one that browsers show: %s', (_, type, bytes) => {
    expect(imageSizeOf(bytes, type)).toMatchObject({ width: 640, height: 480 });
  });

  it.each([
    ['a PNG that ends in its header', png(640, 480, white).subarray(0, 20), 'image/png'],
    ['a PNG without a header', Buffer.from('\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'latin1'), 'image/png'],
    ['a GIF that ends in its header', gif(640, 480).subarray(0, 8), 'image/gif'],
    ['a JPEG without a frame', withoutFrame, 'image/jpeg'],
    ['a JPEG of segments without an end', withoutEnd, 'image/jpeg'],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5_000_000, 0xff)]), 'image/jpeg'],
    ['a PNG of chunks without pixels', Buffer.concat([pngHeader(9, 9).subarray(0, 33), Buffer.alloc(5_000_000)]), 'image/png'],
    ['a GIF of extensions without an end', Buffer.concat([gif(9, 9).subarray(0, 13), gifBlocks]), 'image/gif'],
    ['a WebP of another kind', Buffer.from('RIFF0000WEBPXXXX00000000000000'), 'image/webp'],
    ['a WebP that ends in its header', webp('VP8X', 9, 9).subarray(0, 25), 'image/webp'],
    ['an AVIF sequence', avif(9, 9, 0, 'avis'), 'image/avif'],
    ['an AVIF of empty boxes', Buffer.concat([avif(9, 9).subarray(0, 20), Buffer.alloc(5_000_000)]), 'image/avif'],
    ['nothing', Buffer.alloc(0), 'image/gif'],
    ['another type', Buffer.from('%PDF-1.7'), 'application/pdf'],
  ])('The size of an image is unknown for %s', (_, bytes, type) => {
    const began = performance.now();
    expect(imageSizeOf(bytes, type)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(100);
  });
});
