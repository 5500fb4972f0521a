import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { ChevronLeft, ChevronRight, Download, ZoomIn, ZoomOut } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { useReducedMotion } from '../../../hooks/media.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { fileSize } from '../../../i18n/fileSize.ts';
import { usePicturesWords } from '../../../i18n/pictures.ts';
import type { LargePicture } from './largePictures.ts';
import styles from './Lightbox.module.css';
import { useGestures } from './useGestures.ts';
import { fitted, moved, room, zoomed, zoomStep, type Point, type Size, type View } from './zoom.ts';

/** Pixels per arrow key for a picture that is larger than the window. */
const keyStep = 80;
const middle: Point = { x: 0, y: 0 };

/** R2.17: a viewer for large pictures. */
export function Lightbox({
  pictures,
  messageId,
  onGo,
  onClose,
}: {
  /** Oldest first. */
  readonly pictures: readonly LargePicture[];
  readonly messageId: number;
  readonly onGo: (messageId: number) => void;
  readonly onClose: () => void;
}) {
  const words = usePicturesWords();
  const times = useTimes();
  const index = pictures.findIndex((each) => each.messageId === messageId);
  const picture = pictures[index];
  const isGone = picture === undefined;
  const leave = useEffectEvent(onClose);
  // The message was deleted.
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);
  if (!picture) return null;

  const { name, size, address, senderFullName, timestamp } = picture;
  const go = (step: 1 | -1) => {
    const next = pictures[index + step];
    if (next) onGo(next.messageId);
  };
  const turn = pictures.length > 1 && (
    <>
      <span className={styles['previous']}>
        <IconButton name={words.previous} icon={ChevronLeft} disabled={index === 0} onClick={() => go(-1)} />
      </span>
      <span className={styles['next']}>
        <IconButton name={words.next} icon={ChevronRight} disabled={index === pictures.length - 1} onClick={() => go(1)} />
      </span>
    </>
  );

  return (
    <Dialog heading={name} full onClose={onClose}>
      <p className={styles['about']}>
        <span>{senderFullName}</span>
        <time dateTime={new Date(timestamp * 1000).toISOString()}>{times.full(timestamp)}</time>
        <span>{fileSize(size)}</span>
        <output>{words.place(index + 1, pictures.length)}</output>
      </p>
      <Viewer picture={picture} turn={turn} onGo={go} onClose={onClose}>
        <a className={styles['download']} href={address} download={name}>
          <Download aria-hidden size={18} strokeWidth={1.75} />
          {words.download}
        </a>
      </Viewer>
    </Dialog>
  );
}

/** The state of the shown picture. */
interface Looked {
  readonly messageId: number;
  readonly state: 'loading' | 'broken' | Size;
  /** Undefined: the whole picture, also after a resize. */
  readonly view: View | undefined;
}

function Viewer({
  picture,
  turn,
  onGo,
  onClose,
  children,
}: {
  readonly picture: LargePicture;
  /** The buttons to the other pictures. */
  readonly turn: ReactNode;
  readonly onGo: (step: 1 | -1) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const own = usePicturesWords();
  const { messageId, name } = picture;
  const stage = useRef<HTMLDivElement>(null);
  const stageSize = useSizeOf(stage);
  const [held, setLooked] = useState<Looked>(() => begin(messageId));
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
  /** Toggles between the whole picture and its actual size. */
  const toggle = (at?: Point) => (isZoomed ? zoomTo(0) : zoomTo(1, at));

  const drag = useGestures(stage, { isZoomed, move, zoomBy, toggle, go: onGo, close: onClose });

  const actOf = (key: string): (() => void) | undefined => {
    const { x, y } = view && size && stageSize ? room(view, size, stageSize) : middle;
    switch (key) {
      case 'ArrowLeft':
        return x > 0 ? () => move({ x: keyStep, y: 0 }) : () => onGo(-1);
      case 'ArrowRight':
        return x > 0 ? () => move({ x: -keyStep, y: 0 }) : () => onGo(1);
      case 'ArrowUp':
        return y > 0 ? () => move({ x: 0, y: keyStep }) : undefined;
      case 'ArrowDown':
        return y > 0 ? () => move({ x: 0, y: -keyStep }) : undefined;
      case 'PageUp':
        return () => onGo(-1);
      case 'PageDown':
        return () => onGo(1);
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
    const hear = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      onKey(event);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);

  return (
    <>
      <div className={styles['frame']}>
        <div ref={stage} className={styles['stage']} data-zoomed={isZoomed}>
          {state === 'broken' ? (
            <p className={styles['note']} role="alert">
              {own.broken}
            </p>
          ) : (
            <>
              {state === 'loading' && <output className={styles['note']}>{words.loading}</output>}
              <Large
                key={messageId}
                picture={picture}
                size={size}
                view={view && { ...view, x: view.x + drag }}
                onSize={(found) => setLooked({ messageId, state: found, view: undefined })}
              />
            </>
          )}
        </div>
        {turn}
      </div>
      <div className={styles['tools']} role="toolbar" aria-label={own.tools(name)}>
        <IconButton name={own.smaller} icon={ZoomOut} disabled={!isZoomed} onClick={() => zoomBy(1 / zoomStep)} />
        <PlainButton className={styles['scale']} aria-disabled={!isZoomed && (!fit || fit.scale === 1)} onClick={() => toggle()}>
          {isZoomed ? own.whole : own.actual}
        </PlainButton>
        <output className={styles['percent']}>{view && own.percent(Math.round(view.scale * 100))}</output>
        <IconButton name={own.larger} icon={ZoomIn} disabled={!view} onClick={() => zoomBy(zoomStep)} />
        {children}
      </div>
    </>
  );
}

function begin(messageId: number): Looked {
  return { messageId, state: 'loading', view: undefined };
}

/** File types that may be animated. */
const mayMove = /\.(gif|webp|png|avif)$/i;

/** The picture. With reduced motion a canvas with one frame covers it. */
function Large({
  picture: { name, address },
  size,
  view,
  onSize,
}: {
  readonly picture: LargePicture;
  readonly size: Size | undefined;
  readonly view: View | undefined;
  readonly onSize: (found: Size | 'broken') => void;
}) {
  const still = useReducedMotion() && mayMove.test(name);
  const canvas = useRef<HTMLCanvasElement>(null);
  const place = size &&
    view && {
      width: size.width * view.scale,
      height: size.height * view.scale,
      translate: `calc(-50% + ${view.x}px) calc(-50% + ${view.y}px)`,
    };
  const load = async (image: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height } = image;
    try {
      // A truncated picture counts as loaded but shows nothing.
      await image.decode();
    } catch {
      onSize('broken');
      return;
    }
    if (canvas.current) {
      Object.assign(canvas.current, { width, height });
      canvas.current.getContext('2d')?.drawImage(image, 0, 0);
    }
    onSize({ width, height });
  };
  return (
    <>
      <img
        className={styles['picture']}
        src={address}
        alt={name}
        draggable={false}
        style={{ ...place, visibility: place ? 'visible' : 'hidden' }}
        data-still={still}
        onLoad={({ currentTarget }) => void load(currentTarget)}
        onError={() => onSize('broken')}
      />
      {still && <canvas ref={canvas} className={styles['picture']} aria-hidden style={place} />}
    </>
  );
}

/** Undefined until known. */
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
