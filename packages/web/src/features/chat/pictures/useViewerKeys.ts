import { useKeyDown } from '../../../hooks/keyDown.ts';
import { zoomStep, type Point } from './zoom.ts';

/** Pixels per arrow key for a picture that is larger than the window. */
const keyStep = 80;

export function useViewerKeys({
  room,
  move,
  zoomTo,
  zoomBy,
  go,
}: {
  readonly room: Point;
  readonly move: (by: Point) => void;
  readonly zoomTo: (scale: number) => void;
  readonly zoomBy: (by: number) => void;
  readonly go: (step: 1 | -1) => void;
}): void {
  const acts: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: room.x > 0 ? () => move({ x: keyStep, y: 0 }) : () => go(-1),
    ArrowRight: room.x > 0 ? () => move({ x: -keyStep, y: 0 }) : () => go(1),
    ArrowUp: room.y > 0 ? () => move({ x: 0, y: keyStep }) : undefined,
    ArrowDown: room.y > 0 ? () => move({ x: 0, y: -keyStep }) : undefined,
    PageUp: () => go(-1),
    PageDown: () => go(1),
    '+': () => zoomBy(zoomStep),
    ';': () => zoomBy(zoomStep),
    '=': () => zoomBy(zoomStep),
    '-': () => zoomBy(1 / zoomStep),
    0: () => zoomTo(0),
    1: () => zoomTo(1),
  };

  useKeyDown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
