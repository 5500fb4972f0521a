/** Images that consist of their header only. */

export function gif(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.write('GIF89a', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  return Buffer.concat([header, Buffer.from(';')]);
}

const be = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const box = (code: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([be(content.length + 8), Buffer.from(code), content]);
};

/** A PNG up to its pixels. @param isAnimated announces frames. */
export function pngHeader(width: number, height: number, isAnimated = false): Buffer {
  const chunk = (code: string, content: Buffer) => Buffer.concat([be(content.length), Buffer.from(code), content, be(0)]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([be(width), be(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('iCCP', Buffer.alloc(3000)),
    ...(isAnimated ? [chunk('acTL', Buffer.concat([be(1000), be(0)]))] : []),
    chunk('IDAT', Buffer.alloc(1)),
  ]);
}

/** A GIF whose first frame may be larger than its screen, to which browsers then enlarge the screen. */
export function gifOfFrame(screen: number, width: number, height: number): Buffer {
  const extension = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0]);
  const frame = Buffer.alloc(10);
  frame[0] = 0x2c;
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([gif(screen, screen).subarray(0, 13), extension, frame]);
}

export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number, isAnimated = false): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write(`WEBP${kind}`, 8, 'latin1');
  if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  if (kind === 'VP8L') bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 21);
  if (kind === 'VP8X') {
    bytes[20] = isAnimated ? 2 : 0;
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}

/** @param tile the side of a tile of which the picture consists. @param quarters by which the picture is turned. */
export function avif(width: number, height: number, tile = 0, brand = 'avif', quarters = 0): Buffer {
  const sizes = [tile, tile, width, height];
  const properties = [sizes.slice(0, 2), sizes.slice(2)].map(([w = 0, h = 0]) => box('ispe', be(0), be(w), be(h)));
  const container = box('iprp', box('ipco', box('colr', Buffer.alloc(11)), ...properties, box('irot', Buffer.from([quarters]))));
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`)),
    box('meta', be(0), box('hdlr', Buffer.alloc(25)), container),
    box('mdat'),
  ]);
}

/** A segment of a JPEG. @param byteOrder `II` (little) or `MM` (big). @param directory its distance from the header. */
export function exifSegment(orientation: number, byteOrder: 'II' | 'MM' = 'II', directory = 8, type = 3): Buffer {
  const u16 = (value: number) => Buffer.from(byteOrder === 'II' ? [value, value >>> 8] : [value >>> 8, value]);
  const u32 = (value: number) => (byteOrder === 'II' ? be(value).toReversed() : be(value));
  const entry = (tag: number, value: number) => Buffer.concat([u16(tag), u16(type), u32(1), u16(value), u16(0)]);
  const tags = Buffer.concat([u16(2), entry(0x01_00, 640), entry(0x01_12, orientation), u32(0)]);
  const content = Buffer.concat([Buffer.from(`Exif\0\0${byteOrder}`), u16(42), u32(directory), tags]);
  return Buffer.concat([Buffer.from([0xff, 0xe1]), be(content.length + 2).subarray(2), content]);
}

/** Returns a JPEG that is only a header. @param segments before the frame. */
export function jpeg(width: number, height: number, segments: readonly Buffer[] = []): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, Buffer.from([0xff, 0xd9])]);
}
