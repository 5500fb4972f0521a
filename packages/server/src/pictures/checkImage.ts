import { maxImageSide } from '@engawa/protocol/product';
import type { ReceivedFile } from '../storage/storage.ts';
import { refused } from '../http/errors.ts';
import { imageSizeOf } from './imageSize.ts';

/** R5.2: the type is checked first; type and size come from the content. @param truncated at the maximum size. */
export async function checkImage(image: ReceivedFile, truncated: boolean): Promise<void> {
  const size = imageSizeOf(await image.content(), image.type);
  if (!size || size.width === 0 || size.height === 0) throw refused.imageType();
  if (truncated) throw refused.imageSize();
  if (Math.max(size.width, size.height) > maxImageSide) throw refused.imageSide(maxImageSide);
}
