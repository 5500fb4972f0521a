import { useCallback } from 'react';

/** A ref that shows a file, or the picture at an address, in an image. */
export function useImageSource(source: File | string): (image: HTMLImageElement) => () => void {
  return useCallback(
    (image) => {
      image.src = typeof source === 'string' ? source : URL.createObjectURL(source);
      return () => URL.revokeObjectURL(image.src);
    },
    [source],
  );
}
