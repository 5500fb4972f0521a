import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { Icon, ZoomIn, ZoomOut } from './icons.ts';
import { isForInputMethod } from './inputMethod.ts';
import { moved, mostZoom, squareOf, zoomed, type Crop } from '../hooks/crop.ts';
import styles from './CropStage.module.css';
import type { LoadedImage } from '../hooks/image.ts';
import { useSettingsWords } from '../i18n/settings.ts';

/** Movement by an arrow key, as a part of the visible square. */
const keyStep = 0.05;
const keyZoom = 1.1;
/** Pixels of wheel movement that zoom by the factor e. */
const wheelPixels = 500;

export function CropStage({
  image,
  crop,
  onCrop,
}: {
  readonly image: LoadedImage;
  readonly crop: Crop;
  /** Receives a change instead of a crop, because several changes may precede the next render. */
  readonly onCrop: (change: (crop: Crop) => Crop) => void;
}) {
  const words = useSettingsWords().profileForm;
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, Point>());
  const { size } = image;
  const square = squareOf(crop, size);

  const zoomBy = (factor: number) => onCrop((now) => zoomed(now, now.zoom * factor, size));
  const move = (right: number, down: number) =>
    onCrop((now) => {
      const { side } = squareOf(now, size);
      return moved(now, right * side, down * side, size);
    });

  const onPointerMove = ({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent) => {
    const held = fingers.current;
    const before = held.get(pointerId);
    if (!before) return;
    const [other] = [...held].filter(([each]) => each !== pointerId).map(([, point]) => point);
    held.set(pointerId, { x, y });
    const { clientWidth: side } = currentTarget;
    if (other) zoomBy(distance({ x, y }, other) / Math.max(distance(before, other), 1));
    // Dragging the image to the right moves the square to the left.
    else move((before.x - x) / side, (before.y - y) / side);
  };
  const onPointerUp = ({ pointerId }: PointerEvent) => fingers.current.delete(pointerId);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    const arrow = arrows[event.key];
    if (arrow) move(arrow.x * keyStep, arrow.y * keyStep);
    else if (event.key === '+') zoomBy(keyZoom);
    else if (event.key === '-') zoomBy(1 / keyZoom);
    else return;
    event.preventDefault();
  };

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    zoomBy(Math.exp(-event.deltaY / wheelPixels));
  });
  useEffect(() => {
    const turn = (event: WheelEvent) => onWheel(event);
    const element = stage.current;
    // React's wheel listeners are passive, so they could not keep the form from scrolling.
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, []);

  return (
    <div
      ref={stage}
      className={styles['stage']}
      role="presentation"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    >
      <img
        src={image.url}
        alt=""
        draggable={false}
        style={{
          width: `${(size.width / square.side) * 100}%`,
          left: `${(-square.x / square.side) * 100}%`,
          top: `${(-square.y / square.side) * 100}%`,
        }}
      />
      <Place
        name={words.across}
        at={square.x}
        most={size.width - square.side}
        onPlace={(x) => onCrop((now) => moved(now, x - squareOf(now, size).x, 0, size))}
      />
      <Place
        name={words.down}
        at={square.y}
        most={size.height - square.side}
        onPlace={(y) => onCrop((now) => moved(now, 0, y - squareOf(now, size).y, size))}
      />
    </div>
  );
}

export function Zoom({ zoom, onZoom }: { readonly zoom: number; readonly onZoom: (zoom: number) => void }) {
  const words = useSettingsWords().profileForm;
  return (
    <label className={styles['zoom']}>
      <Icon of={ZoomOut} size={16} />
      <input
        type="range"
        aria-label={words.zoom}
        min={1}
        max={mostZoom}
        step={0.01}
        value={zoom}
        onChange={(event) => onZoom(event.currentTarget.valueAsNumber)}
      />
      <Icon of={ZoomIn} size={16} />
    </label>
  );
}

interface PlaceProps {
  readonly name: string;
  readonly most: number;
  readonly at: number;
  readonly onPlace: (at: number) => void;
}

/** An invisible range input for keyboard and screen reader. */
function Place({ name, most, at, onPlace }: PlaceProps) {
  return (
    <input
      className={styles['place']}
      type="range"
      aria-label={name}
      min={0}
      max={Math.round(most)}
      value={Math.round(at)}
      onChange={(event) => onPlace(event.currentTarget.valueAsNumber)}
    />
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
