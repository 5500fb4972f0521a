/** Exif 2.32, 4.5 and 4.6.4 A: a TIFF header, and the first directory with the tag of the orientation. */
const orientationTag = 0x01_12;
const shortType = 3;
const entryLength = 12;
/** The letters `Exif`, which two zeros follow. */
const exif = 0x45_78_69_66;
const headerOffset = 6;

/**
 * Whether the orientation exchanges width and height, as a camera held upright writes it. @param at where a JPEG segment has its
 * content. @returns undefined if the segment has other data than Exif.
 */
export function swapsSides(view: DataView, at: number, end: number): boolean | undefined {
  const header = at + headerOffset;
  if (end > view.byteLength || header + 8 > end || view.getUint32(at) !== exif) return undefined;
  const little = view.getUint16(header) === 0x49_49;
  const directory = header + view.getUint32(header + 4, little);
  if (directory + 2 > end) return false;
  const entries = view.getUint16(directory, little);
  for (let entry = directory + 2, read = 0; read < entries && entry + entryLength <= end; read += 1, entry += entryLength) {
    if (view.getUint16(entry, little) !== orientationTag) continue;
    const value = view.getUint16(entry + 8, little);
    return view.getUint16(entry + 2, little) === shortType && value >= 5 && value <= 8;
  }
  return false;
}
