/** The square part of an image that becomes a profile picture. Lengths are pixels of the image. */

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export interface Crop {
  /** 1 is the largest square; at 2 the square is half as wide, so that the image appears twice as large. */
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

export const mostZoom = 4;

export function wholeOf({ width, height }: ImageSize): Crop {
  return { zoom: 1, x: width / 2, y: height / 2 };
}

export function squareOf({ zoom, x, y }: Crop, { width, height }: ImageSize): Square {
  const side = Math.min(width, height) / zoom;
  return { x: x - side / 2, y: y - side / 2, side };
}

export function moved(crop: Crop, right: number, down: number, size: ImageSize): Crop {
  return within({ ...crop, x: crop.x + right, y: crop.y + down }, size);
}

export function zoomed(crop: Crop, zoom: number, size: ImageSize): Crop {
  return within({ ...crop, zoom: clamp(zoom, 1, mostZoom) }, size);
}

function within({ zoom, x, y }: Crop, size: ImageSize): Crop {
  const half = Math.min(size.width, size.height) / zoom / 2;
  return { zoom, x: clamp(x, half, size.width - half), y: clamp(y, half, size.height - half) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
