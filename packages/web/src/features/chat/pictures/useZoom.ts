import { useCallback, useEffect, useState, type RefObject } from 'react';
import { fitted, moved, room, zoomed, type Point, type Size, type View } from './zoom.ts';

const middle: Point = { x: 0, y: 0 };

interface PictureState {
  readonly messageId: number;
  readonly state: 'loading' | 'broken' | Size;
  /** Undefined shows the whole picture, also after a resize. */
  readonly view: View | undefined;
}

export function useZoom(messageId: number, stage: RefObject<HTMLElement | null>) {
  const stageSize = useSizeOf(stage);
  const [held, setLooked] = useState<PictureState>(() => begin(messageId));
  const looked = held.messageId === messageId ? held : begin(messageId);
  const { state } = looked;
  const size = typeof state === 'object' ? state : undefined;
  const fit = size && stageSize && fitted(size, stageSize);
  const view = looked.view ?? fit;
  const isZoomed = view !== undefined && fit !== undefined && view.scale > fit.scale;

  /** Uses the latest view, because pointers move more often than the screen renders. */
  const change = (next: (now: View, picture: Size, within: Size) => View) => {
    if (!size || !stageSize || !fit) return;
    setLooked((now) => {
      const before = now.messageId === messageId ? (now.view ?? fit) : fit;
      const after = next(before, size, stageSize);
      return { messageId, state: size, view: after.scale <= fit.scale ? undefined : after };
    });
  };
  const zoomTo = (scale: number, at = middle) => change((now, ...sizes) => zoomed(now, scale, at, ...sizes));
  const zoomBy = (by: number, at = middle) => change((now, ...sizes) => zoomed(now, now.scale * by, at, ...sizes));
  const move = (by: Point) => change((now, ...sizes) => moved(now, by, ...sizes));

  return {
    state,
    size,
    view,
    fit,
    isZoomed,
    room: view && size && stageSize ? room(view, size, stageSize) : middle,
    zoomTo,
    zoomBy,
    move,
    setState: (found: PictureState['state']) => setLooked({ messageId, state: found, view: undefined }),
  };
}

function begin(messageId: number): PictureState {
  return { messageId, state: 'loading', view: undefined };
}

function useSizeOf(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  const look = useCallback((entries: readonly ResizeObserverEntry[]) => {
    const rect = entries.at(-1)?.contentRect;
    if (rect) setSize({ width: rect.width, height: rect.height });
  }, []);
  useEffect(() => {
    const sizes = new ResizeObserver(look);
    if (element.current) sizes.observe(element.current);
    return () => sizes.disconnect();
  }, [element, look]);
  return size;
}
