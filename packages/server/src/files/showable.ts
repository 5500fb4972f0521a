import { buffer } from 'node:stream/consumers';
import type { PictureSize } from '@engawa/protocol';
import type { Storage } from '../storage/storage.ts';
import { imageSizeOf } from '../storage/imageSize.ts';

/** Bytes from the beginning, which contain the size also after the metadata of cameras. */
const headerLength = 512 * 1024;

/**
 * Pixels, of which a browser holds each in four bytes. Photographs of telephones have up to 50 million. An animated picture is
 * decoded again for each of its frames.
 */
const mostPixels = { jpeg: 51e6, other: 25e6, animated: 4e6 } as const;
/** Pixels. */
const longestSide = 30_000;

/** The size of a stored file if browsers may show it as a picture in the chat, or why not. Reads its header. */
export async function pictureSize(
  { place, type }: { readonly place: string; readonly type: string },
  storage: Pick<Storage, 'read'>,
): Promise<PictureSize | 'unreadable' | 'too-large'> {
  const size = imageSizeOf(await buffer(storage.read(place, { first: 0, last: headerLength - 1 })), type);
  if (!size || size.width === 0 || size.height === 0) return 'unreadable';
  const { width, height, isAnimated } = size;
  const most = isAnimated ? mostPixels.animated : type === 'image/jpeg' ? mostPixels.jpeg : mostPixels.other;
  const fits = width * height <= most && Math.max(width, height) <= longestSide;
  return fits ? { width, height } : 'too-large';
}
