import { useEffect, useRef } from 'react';
import styles from './VideoPicture.module.css';

interface VideoPictureProps {
  readonly stream: MediaStream;
  readonly label: string;
  /** The own camera is shown like a mirror. */
  readonly mirrored?: boolean;
  /** A shared screen is shown whole, a face fills the tile. */
  readonly whole?: boolean;
}

/** The picture of a camera or screen. The model plays the sound, so the element is muted. */
export function VideoPicture({ stream, label, mirrored = false, whole = false }: VideoPictureProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element) element.srcObject = stream;
    return () => {
      if (element) element.srcObject = null;
    };
  }, [stream]);
  return (
    <video
      ref={video}
      className={styles['picture']}
      data-mirrored={mirrored}
      data-whole={whole}
      aria-label={label}
      autoPlay
      playsInline
      muted
    />
  );
}
