import { useCallback, useState } from 'react';
import type { FileMessage } from '@engawa/protocol';
import { useReducedMotion } from '../../../hooks/media.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './FilePicture.module.css';
import { FileIcon } from './FileName.tsx';
import { showsItself } from '../pictures/pictures.ts';
import { selectConnection } from '../../../model/connection/state.ts';
import { useModel } from '../../../hooks/model.ts';

interface FilePictureProps {
  readonly file: FileMessage;
  readonly name: string;
  readonly own: File | undefined;
  readonly address: string | undefined;
}

/** R2.17: a preview of fixed size, because nothing may move when a picture loads. `own`: the file that this page sent. */
export function FilePicture({ file, name, own, address }: FilePictureProps) {
  const words = useWords().chat;
  const connection = useModel(selectConnection);
  const [tried, setTried] = useState({ connection, failures: 0 });
  // A picture that failed without a network is loaded again.
  if (tried.connection !== connection) {
    setTried({ connection, failures: connection === 'online' ? 0 : tried.failures });
  }
  const { failures } = tried;
  const isAsked = showsItself(file);
  const source = [own, isAsked ? address : undefined].filter((each) => each !== undefined)[failures];
  return (
    <span className={styles['picture']}>
      {source === undefined ? (
        <span className={styles['missing']}>
          <FileIcon name={name} />
          {isAsked ? words.noPreview : words.largePicture}
        </span>
      ) : (
        <Picture key={failures} source={source} name={name} onError={() => setTried({ connection, failures: failures + 1 })} />
      )}
    </span>
  );
}

function Picture({
  source,
  name,
  onError,
}: {
  readonly source: File | string;
  readonly name: string;
  readonly onError: () => void;
}) {
  const still = useReducedMotion();
  const show = useCallback(
    (image: HTMLImageElement) => {
      image.src = typeof source === 'string' ? source : URL.createObjectURL(source);
      return () => URL.revokeObjectURL(image.src);
    },
    [source],
  );
  return (
    <>
      <img
        key={String(still)}
        ref={show}
        alt={name}
        loading="lazy"
        decoding="async"
        draggable={false}
        data-still={still}
        onLoad={({ currentTarget }) => {
          shown(currentTarget);
          // A truncated picture counts as loaded but shows nothing.
          currentTarget.decode().catch(onError);
        }}
        onError={onError}
      />
      {still && <canvas aria-hidden width={0} height={0} />}
    </>
  );
}

/** Part of a picture that may be cut off to fill the box. */
const mayBeCut = 0.2;
/** Pixels of a still picture, enough for the box on high-density screens. */
const longestSide = 1080;

function shown(image: HTMLImageElement): void {
  const { naturalWidth, naturalHeight, clientWidth, clientHeight, nextElementSibling: canvas } = image;
  const [across, down] = [naturalWidth / clientWidth, naturalHeight / clientHeight];
  const fills = Math.min(across, down) >= 1 && Math.min(across / down, down / across) >= 1 - mayBeCut;
  image.parentElement?.toggleAttribute('data-filled', fills);
  if (canvas instanceof HTMLCanvasElement) drawStill(image, canvas);
}

/** With reduced motion a canvas with one frame covers an animated picture. */
function drawStill(image: HTMLImageElement, canvas: HTMLCanvasElement): void {
  const scale = Math.min(1, longestSide / Math.max(image.naturalWidth, image.naturalHeight));
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
}
