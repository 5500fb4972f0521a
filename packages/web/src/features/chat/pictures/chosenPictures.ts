import type { PictureSize } from '@engawa/protocol';

/** Sizes of pictures that this page has shown in the composer, so that their messages reserve the same space before the upload. */
const sizes = new WeakMap<File, PictureSize>();

export function noteChosenPicture(file: File, { naturalWidth, naturalHeight }: HTMLImageElement): void {
  sizes.set(file, { width: naturalWidth, height: naturalHeight });
}

export function chosenPictureSize(file: File): PictureSize | undefined {
  return sizes.get(file);
}
