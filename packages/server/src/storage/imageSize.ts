import { swapsSides } from './exifOrientation.ts';

/** As browsers show the image: those of JPEG and AVIF may be turned. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** Whether there may be several frames, each of which a browser decodes. */
  readonly isAnimated: boolean;
}

/** @param bytes the file or its beginning. @returns undefined for other types and for a broken or cut off header. */
export function imageSizeOf(bytes: Uint8Array, type: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readers[type]?.(view);
  } catch (error) {
    // The bytes end within the header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readers: Readonly<Record<string, (view: DataView) => ImageSize | undefined>> = {
  'image/png': sizeOfPng,
  'image/gif': sizeOfGif,
  'image/jpeg': sizeOfJpeg,
  'image/webp': sizeOfWebp,
  'image/avif': sizeOfAvif,
};

const codeAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** https://www.w3.org/TR/png-3/#11IHDR. An `acTL` before the pixels announces frames. */
function sizeOfPng(view: DataView): ImageSize | undefined {
  if (codeAt(view, 12) !== 'IHDR') return undefined;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  let at = 8;
  for (let chunks = 0; chunks < mostSegments; chunks += 1) {
    const code = codeAt(view, at + 4);
    if (code === 'acTL' || code === 'IDAT') return { ...size, isAnimated: code === 'acTL' };
    at += 12 + view.getUint32(at);
  }
  return undefined;
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt. Browsers enlarge the screen for a first frame that is larger. */
function sizeOfGif(view: DataView): ImageSize | undefined {
  const sizeAt = (at: number) => ({ width: view.getUint16(at, true), height: view.getUint16(at + 2, true) });
  const screen = { ...sizeAt(6), isAnimated: true };
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (let blocks = 0; blocks < mostSegments; blocks += 1) {
    const block = view.getUint8(at);
    if (block === 0x2c) {
      const [offset, frame] = [sizeAt(at + 1), sizeAt(at + 5)];
      const width = Math.max(screen.width, offset.width + frame.width);
      return { ...screen, width, height: Math.max(screen.height, offset.height + frame.height) };
    }
    if (block !== 0x21) return screen;
    // An extension consists of its label and of blocks with their length, the last of which is empty.
    for (at += 2; view.getUint8(at) > 0; at += 1 + view.getUint8(at));
    at += 1;
  }
  return undefined;
}

/** The maximum of segments before the pixels, which bounds the work; a camera writes some dozens. */
const mostSegments = 1000;

/** ITU-T T.81, B.1: segments with their length, until the frame begins. */
function sizeOfJpeg(view: DataView): ImageSize | undefined {
  let at = 2;
  let isTurned: boolean | undefined;
  for (let segments = 0; segments < mostSegments; segments += 1) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (beginsFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { ...turned({ width, height }, isTurned), isAnimated: false };
    }
    if (marker === 0xe1) isTurned ??= swapsSides(view, at + 4, at + 2 + view.getUint16(at + 2));
    // Fill bytes of 0xff may precede a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function turned<Size extends Pick<ImageSize, 'width' | 'height'>>(size: Size, isTurned: boolean | undefined): Size {
  return isTurned ? { ...size, width: size.height, height: size.width } : size;
}

/** SOF0 to SOF15, except for three other markers. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** https://developers.google.com/speed/webp/docs/riff_container, and RFC 6386 (VP8) and RFC 9649 (VP8L) for the bit streams. */
function sizeOfWebp(view: DataView): ImageSize | undefined {
  const code = codeAt(view, 12);
  if (code === 'VP8X') {
    const sideAt = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
    return { width: sideAt(24), height: sideAt(27), isAnimated: (view.getUint8(20) & 2) !== 0 };
  }
  if (code === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3f_ff, height: view.getUint16(28, true) & 0x3f_ff, isAnimated: false };
  }
  if (code !== 'VP8L') return undefined;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3f_ff), height: 1 + ((bits >>> 14) & 0x3f_ff), isAnimated: false };
}

/** The boxes in which the size is: https://aomediacodec.github.io/av1-avif/ with ISO/IEC 14496-12 and 23008-12. */
const containers = new Map([
  ['meta', 12],
  ['iprp', 8],
  ['ipco', 8],
]);

/** The largest of the sizes in the header: that of the picture, which may consist of tiles. Sequences (`avis`) are not read. */
function sizeOfAvif(view: DataView): ImageSize | undefined {
  if (codeAt(view, 8) !== 'avif') return undefined;
  let size: ImageSize | undefined;
  let isTurned = false;
  const shown = () => size && turned(size, isTurned);
  let at = 0;
  for (let boxes = 0; boxes < mostSegments && at < view.byteLength; boxes += 1) {
    const code = codeAt(view, at + 4);
    if (code === 'mdat') return shown();
    // A multiple of 90 degrees.
    if (code === 'irot') isTurned = view.getUint8(at + 8) % 2 === 1;
    if (code === 'ispe') {
      const [width, height] = [view.getUint32(at + 12), view.getUint32(at + 16)];
      size = { width: Math.max(width, size?.width ?? 0), height: Math.max(height, size?.height ?? 0), isAnimated: false };
    }
    // Lengths of 0 and 1 have a special meaning, only for boxes that come after the header.
    const length = view.getUint32(at);
    if (length < 8) return shown();
    at += containers.get(code) ?? length;
  }
  return shown();
}
