/** Geometry of the picture viewer. Lengths are screen pixels unless noted. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface View extends Point {
  /** `scale`: screen pixels per picture pixel. `x` and `y`: the centre of the picture relative to the centre of the stage. */
  readonly scale: number;
}

const largest = 8;
export const zoomStep = 1.25;

export function fitted(picture: Size, stage: Size): View {
  const scale = Math.min(1, stage.width / picture.width, stage.height / picture.height);
  return { scale, x: 0, y: 0 };
}

/** Zooms while the point `at`, relative to the centre of the stage, keeps its place; at most out to the whole picture. */
export function zoomed(view: View, wanted: number, at: Point, picture: Size, stage: Size): View {
  const least = fitted(picture, stage).scale;
  const scale = Math.min(Math.max(wanted, least), Math.max(largest, least));
  const growth = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * growth, y: at.y - (at.y - view.y) * growth }, picture, stage);
}

export function moved(view: View, by: Point, picture: Size, stage: Size): View {
  return within({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, stage);
}

export function room({ scale }: Pick<View, 'scale'>, picture: Size, stage: Size): Point {
  return {
    x: Math.max(0, (picture.width * scale - stage.width) / 2),
    y: Math.max(0, (picture.height * scale - stage.height) / 2),
  };
}

function within(view: View, picture: Size, stage: Size): View {
  const { x, y } = room(view, picture, stage);
  return { ...view, x: clamp(view.x, x), y: clamp(view.y, y) };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/** The direction of a swipe that is long enough and mostly horizontal. */
export function swipe({ x, y }: Point): 'previous' | 'next' | undefined {
  if (Math.abs(x) < 56 || Math.abs(x) < Math.abs(y) * 1.5) return undefined;
  return x > 0 ? 'previous' : 'next';
}
