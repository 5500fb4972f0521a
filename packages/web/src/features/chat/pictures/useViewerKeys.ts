import { useEffectEvent, useLayoutEffect } from 'react';
import { isForInputMethod } from '../../../components/inputMethod.ts';
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
  const actOf = (key: string): (() => void) | undefined => {
    const { x, y } = room;
    switch (key) {
      case 'ArrowLeft':
        return x > 0 ? () => move({ x: keyStep, y: 0 }) : () => go(-1);
      case 'ArrowRight':
        return x > 0 ? () => move({ x: -keyStep, y: 0 }) : () => go(1);
      case 'ArrowUp':
        return y > 0 ? () => move({ x: 0, y: keyStep }) : undefined;
      case 'ArrowDown':
        return y > 0 ? () => move({ x: 0, y: -keyStep }) : undefined;
      case 'PageUp':
        return () => go(-1);
      case 'PageDown':
        return () => go(1);
      case '+':
      case ';':
      case '=':
        return () => zoomBy(zoomStep);
      case '-':
        return () => zoomBy(1 / zoomStep);
      case '0':
        return () => zoomTo(0);
      case '1':
        return () => zoomTo(1);
      default:
        return undefined;
    }
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actOf(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      onKey(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
