export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Undefined for other types and for a broken header. */
export function imageSizeOf(bytes: Uint8Array, type: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readers[type]?.(view);
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readers: Readonly<Record<string, (view: DataView) => ImageSize | undefined>> = {
  'image/png': sizeOfPng,
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/jpeg': sizeOfJpeg,
};

/** `IHDR` as a number. */
const imageHeader = 0x49_48_44_52;

/** https://www.w3.org/TR/png-3/#11IHDR */
function sizeOfPng(view: DataView): ImageSize | undefined {
  if (view.getUint32(12) !== imageHeader) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The maximum of segments before the frame, which bounds the work; a camera writes some dozens. */
const mostSegments = 1000;

/** ITU-T T.81, B.1: segments with their length, until the frame begins. */
function sizeOfJpeg(view: DataView): ImageSize | undefined {
  let at = 2;
  for (let segments = 0; segments < mostSegments; segments += 1) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (beginsFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // Fill bytes of 0xff may precede a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, except for three other markers. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
