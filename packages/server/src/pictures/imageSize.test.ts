import { describe, expect, it } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { gif, jpeg } from '../testing/images.ts';
import { imageSizeOf } from './imageSize.ts';

const withoutFrame = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xda, 0, 2, 1, 2, 3, 4]);
const withoutEnd = Buffer.alloc(5_000_000, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]));
const white = () => [255, 255, 255] as const;

describe('size of an image', () => {
  it.each([
    ['image/png', png(640, 480, white)],
    ['image/gif', gif(640, 480)],
    ['image/jpeg', jpeg(640, 480)],
  ])('[R5.2] The size of an image is read from its header: %s', (type, bytes) => {
    expect(imageSizeOf(bytes, type)).toEqual({ width: 640, height: 480 });
  });

  it('[R5.2] The size of a JPEG is found after the segments of data that cameras write before it', () => {
    const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xffff - 2, 0xff)]);
    const filled = Buffer.from([0xff, 0xff, 0xff]);
    expect(imageSizeOf(jpeg(640, 480, [exif, exif, filled]), 'image/jpeg')).toEqual({ width: 640, height: 480 });
  });

  it.each([
    ['a PNG that ends in its header', png(640, 480, white).subarray(0, 20), 'image/png'],
    ['a PNG without a header', Buffer.from('\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'latin1'), 'image/png'],
    ['a GIF that ends in its header', gif(640, 480).subarray(0, 8), 'image/gif'],
    ['a JPEG without a frame', withoutFrame, 'image/jpeg'],
    ['a JPEG of segments without an end', withoutEnd, 'image/jpeg'],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5_000_000, 0xff)]), 'image/jpeg'],
    ['nothing', Buffer.alloc(0), 'image/gif'],
    ['another type', Buffer.from('%PDF-1.7'), 'application/pdf'],
  ])('The size of an image is unknown for %s', (_, bytes, type) => {
    const began = performance.now();
    expect(imageSizeOf(bytes, type)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(100);
  });
});
