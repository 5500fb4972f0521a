/** How a picture lies in the window that it is looked at in. All lengths are pixels of the screen, unless said otherwise. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface View extends Point {
  /** Pixels of the screen per pixel of the picture. `x` and `y` say where its middle is, seen from that of the stage. */
  readonly scale: number;
}

const largest = 8;
/** How much a press of a button or key zooms. */
export const zoomStep = 1.25;

/** All of the picture, and never larger than it is. */
export function fitted(picture: Size, stage: Size): View {
  const scale = Math.min(1, stage.width / picture.width, stage.height / picture.height);
  return { scale, x: 0, y: 0 };
}

/**
 * Zoomed, no further out than the picture fits, so that what is at a point stays there.
 * @param at Seen from the middle of the stage.
 */
export function zoomed(view: View, wanted: number, at: Point, picture: Size, stage: Size): View {
  const least = fitted(picture, stage).scale;
  const scale = Math.min(Math.max(wanted, least), Math.max(largest, least));
  const growth = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * growth, y: at.y - (at.y - view.y) * growth }, picture, stage);
}

export function moved(view: View, by: Point, picture: Size, stage: Size): View {
  return within({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, stage);
}

/** How far the picture can be moved to each side. */
export function room({ scale }: Pick<View, 'scale'>, picture: Size, stage: Size): Point {
  return {
    x: Math.max(0, (picture.width * scale - stage.width) / 2),
    y: Math.max(0, (picture.height * scale - stage.height) / 2),
  };
}

/** No edge of it comes away from that of the stage. */
function within(view: View, picture: Size, stage: Size): View {
  const { x, y } = room(view, picture, stage);
  return { ...view, x: clamp(view.x, x), y: clamp(view.y, y) };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/** Where a finger has led that was put down and lifted: far enough, and rather aside than up or down. */
export function swipe({ x, y }: Point): 'previous' | 'next' | undefined {
  if (Math.abs(x) < 56 || Math.abs(x) < Math.abs(y) * 1.5) return undefined;
  return x > 0 ? 'previous' : 'next';
}
