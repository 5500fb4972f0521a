/** Pixels from the upper left corner of the window. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface MenuAnchor {
  /** The upper right corner of the menu. */
  readonly x: number;
  readonly y: number;
  /** The menu does not cover this rectangle if the window has room for both. */
  readonly spare?: Box | undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const margin = 8;

/** The upper left corner of a menu inside the window: at its anchor, else right, left, below or above what it spares. */
export function placeMenu(
  { x, y, spare }: MenuAnchor,
  menu: Size,
  window: Size,
): { readonly left: number; readonly top: number } {
  const inside = (left: number, top: number) => ({
    left: Math.max(margin, Math.min(left, window.width - menu.width - margin)),
    top: Math.max(margin, Math.min(top, window.height - menu.height - margin)),
  });
  const atAnchor = inside(x - menu.width, y);
  if (!spare) return atAnchor;
  const places = [
    atAnchor,
    inside(spare.right + margin, y),
    inside(spare.left - menu.width - margin, y),
    inside(x - menu.width, spare.bottom + margin),
    inside(x - menu.width, spare.top - menu.height - margin),
  ];
  const isFree = ({ left, top }: { readonly left: number; readonly top: number }) =>
    left >= spare.right || left + menu.width <= spare.left || top >= spare.bottom || top + menu.height <= spare.top;
  return places.find(isFree) ?? atAnchor;
}
