import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import { swipe, type Point } from './zoom.ts';

/** Gestures on a picture. Points are relative to the centre of the stage. */
export interface Gestures {
  readonly isZoomed: boolean;
  move(by: Point): void;
  zoomBy(factor: number, at: Point): void;
  toggle(at: Point): void;
  go(step: 1 | -1): void;
  close(): void;
}

const trembling = 6;

/** Mouse and pen drag, the wheel zooms, a finger drags or swipes, two fingers zoom. @returns the offset of a swipe in pixels. */
export function useGestures(stage: RefObject<HTMLElement | null>, gestures: Gestures): number {
  const [drawn, setDrawn] = useState(0);
  const act = useEffectEvent((what: (now: Gestures) => void) => what(gestures));

  // A layout effect, so that no event is missed once the picture is visible.
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const pointers = new Map<number, Point>();
    let start: Point | undefined;
    let isPress = false;
    let byTouch = false;

    const seen = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, seen(event));
      byTouch = event.pointerType === 'touch';
      isPress = pointers.size === 1;
      start = isPress ? seen(event) : undefined;
      if (!isPress) setDrawn(0);
    };
    const onMove = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = seen(event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      if (start && distance(now, start) > trembling) isPress = false;
      if (other) {
        const at = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        act(({ zoomBy }) => zoomBy(distance(now, other) / Math.max(1, distance(before, other)), at));
        return;
      }
      act(({ isZoomed, move }) => {
        if (isZoomed) move({ x: now.x - before.x, y: now.y - before.y });
        else if (byTouch && start) setDrawn(now.x - start.x);
      });
    };
    const onUp = (event: PointerEvent) => {
      if (!pointers.delete(event.pointerId)) return;
      setDrawn(0);
      const from = start;
      start = undefined;
      if (!from || event.type !== 'pointerup') return;
      const at = seen(event);
      const led = swipe({ x: at.x - from.x, y: at.y - from.y });
      act(({ isZoomed, go, close }) => {
        if (isPress && !isOnPicture(element, event)) close();
        else if (byTouch && !isZoomed && led) go(led === 'next' ? 1 : -1);
      });
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      // A trackpad reports a pinch as a wheel with Ctrl, in small steps.
      const speed = event.ctrlKey ? 0.01 : 0.0016;
      act(({ zoomBy }) => zoomBy(Math.exp(-event.deltaY * speed), seen(event)));
    };

    element.addEventListener('pointerdown', onDown, { signal });
    element.addEventListener('pointermove', onMove, { signal });
    for (const end of ['pointerup', 'pointercancel'] as const) element.addEventListener(end, onUp, { signal });
    element.addEventListener('wheel', onWheel, { signal, passive: false });
    element.addEventListener('dblclick', (event) => act(({ toggle }) => toggle(seen(event))), { signal });
    return () => stop.abort();
  }, [stage]);

  return drawn;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** The stage captured the pointer, so the event does not name the target. */
function isOnPicture(element: HTMLElement, { clientX, clientY }: PointerEvent): boolean {
  const image = element.querySelector('img');
  if (!image) return false;
  const { left, right, top, bottom } = image.getBoundingClientRect();
  return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
}
