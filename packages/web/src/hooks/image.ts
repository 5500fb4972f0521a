/** Checks, shows and encodes the file of a profile image (R5.2). */
import { maxImageSide } from '@engawa/protocol/product';
import { maxImageBytes } from '../model/constants.ts';
import { squareOf, type Crop, type ImageSize } from './crop.ts';

export type ImageComplaint = 'type' | 'size' | 'side';

export interface LoadedImage {
  readonly file: File;
  /** An object URL; the caller revokes it. */
  readonly url: string;
  readonly element: HTMLImageElement;
  readonly size: ImageSize;
  /** A GIF is sent unchanged, because drawing it would lose its frames. */
  readonly isGif: boolean;
}

/** Width and height in pixels of the image that is sent: enough for the largest size on any screen. */
const sentSide = 512;
const quality = 0.9;

export function complaintAbout({ name, size }: Pick<File, 'name' | 'size'>): ImageComplaint | undefined {
  if (!/\.(?:jpe?g|png|gif)$/i.test(name)) return 'type';
  return size > maxImageBytes ? 'size' : undefined;
}

/** Decodes the image with the browser to check it, because the file name may be wrong. */
export async function loadImage(file: File): Promise<LoadedImage | ImageComplaint> {
  const complaint = complaintAbout(file);
  if (complaint) return complaint;
  const isGif = /\.gif$/i.test(file.name);
  const url = URL.createObjectURL(file);
  const element = new Image();
  element.src = url;
  const decoded = await element.decode().then(
    () => true,
    () => false,
  );
  const size = { width: element.naturalWidth, height: element.naturalHeight };
  const unfit = !decoded ? 'type' : isGif && Math.max(size.width, size.height) > maxImageSide ? 'side' : undefined;
  if (!unfit) return { file, url, element, size, isGif };
  URL.revokeObjectURL(url);
  return unfit;
}

/** The cropped square, upright and without camera metadata; undefined if the browser cannot draw the image. */
export async function encoded({ file, element, size, isGif }: LoadedImage, crop: Crop): Promise<Blob | undefined> {
  if (isGif) return file;
  const { x, y, side } = squareOf(crop, size);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.min(sentSide, Math.round(side)));
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(element, x, y, side, side, 0, 0, canvas.width, canvas.height);
  // PNG, because JPEG has no transparency.
  const type = /\.png$/i.test(file.name) ? 'image/png' : 'image/jpeg';
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), type, quality);
  });
}
