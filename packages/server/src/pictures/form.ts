import { maxImageBytes, maxImageSide } from '@engawa/protocol/product';
import type { FastifyRequest } from 'fastify';
import { partsOf, receiveFile } from '../files/multipart.ts';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { refused } from '../http/errors.ts';
import { imageSizeOf } from '../storage/imageSize.ts';

export type FormFields = Readonly<Record<string, string>>;

/** A refused form leaves nothing on the disk. */
export async function receiveImageForm<Form>(
  request: FastifyRequest,
  storage: Storage,
  read: (fields: FormFields, image: ReceivedFile | undefined) => Form,
): Promise<Form> {
  const fields: Record<string, string> = {};
  let image: ReceivedFile | undefined;
  try {
    for await (const part of partsOf(request, maxImageBytes)) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value);
      else if (part.fieldname !== 'image' || image) part.file.resume();
      else {
        image = await receiveFile(part, storage);
        await checkImage(image, part.file.truncated);
      }
    }
    return read(fields, image);
  } catch (error) {
    await image?.discard();
    throw error;
  }
}

const types = new Set(['image/png', 'image/gif', 'image/jpeg']);

/** Checks type, then size, both read from the content and not from the form. */
async function checkImage(image: ReceivedFile, truncated: boolean): Promise<void> {
  const size = types.has(image.type) ? imageSizeOf(await image.content(), image.type) : undefined;
  if (!size || size.width === 0 || size.height === 0) throw refused.imageType();
  if (truncated) throw refused.imageSize();
  if (Math.max(size.width, size.height) > maxImageSide) throw refused.imageSide(maxImageSide);
}
