export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const margin = 8;

/** R2.22.1: the picker is to the right of the click and below if there is room, and always inside the window. */
export function positionAt(click: Point, picker: Size, window: Size): { readonly left: number; readonly top: number } {
  return {
    left: along(click.x, picker.width, window.width),
    top: along(click.y, picker.height, window.height),
  };
}

function along(click: number, length: number, end: number): number {
  const start = click + length + margin <= end ? click : click - length;
  return Math.max(margin, Math.min(start, end - length - margin));
}
