import { useRef } from 'react';
import { useReducedMotion } from '../../../hooks/media.ts';
import { pictureAddress } from '../../../model/timeline/message.ts';
import type { LargePicture } from './largePictures.ts';
import styles from './Lightbox.module.css';
import type { Size, View } from './zoom.ts';

const mayMove = /\.(gif|webp|png|avif)$/i;

export function LargeImage({
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
        src={pictureAddress(address)}
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
