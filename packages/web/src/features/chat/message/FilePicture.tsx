import { useCallback, useState } from 'react';
import type { FileMessage } from '@engawa/protocol';
import { useReducedMotion } from '../../../hooks/media.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './FilePicture.module.css';
import { FileIcon } from './FileIcon.tsx';
import { showsItself } from '../pictures/pictures.ts';
import { selectConnection } from '../../../model/connection/state.ts';
import { useModel } from '../../../hooks/model.ts';

/**
 * R2.17: the picture in a box of reserved size. A message does not say how large its picture is, and nothing may move
 * when it arrives, or does not.
 * @param own the file itself, where this page has sent it: it is there at once.
 * @param address undefined while the file is on its way to the server.
 */
export function FilePicture({
  file,
  name,
  own,
  address,
}: {
  readonly file: FileMessage;
  readonly name: string;
  readonly own: File | undefined;
  readonly address: string | undefined;
}) {
  const words = useWords().chat;
  const connection = useModel(selectConnection);
  const [tried, setTried] = useState({ connection, failures: 0 });
  // What failed while there was no network is worth another try.
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
          // A picture that is cut off counts as loaded, and shows nothing.
          currentTarget.decode().catch(onError);
        }}
        onError={onError}
      />
      {still && <canvas aria-hidden width={0} height={0} />}
    </>
  );
}

/** Of a picture that nearly has the form of the box, so much may be cut off that it fills it. */
const mayBeCut = 0.2;
/** Pixels of a still picture: as many as the box has on the finest screens. */
const longestSide = 1080;

function shown(image: HTMLImageElement): void {
  const { naturalWidth, naturalHeight, clientWidth, clientHeight, nextElementSibling: canvas } = image;
  const [across, down] = [naturalWidth / clientWidth, naturalHeight / clientHeight];
  const fills = Math.min(across, down) >= 1 && Math.min(across / down, down / across) >= 1 - mayBeCut;
  image.parentElement?.toggleAttribute('data-filled', fills);
  if (canvas instanceof HTMLCanvasElement) drawStill(image, canvas);
}

/** A picture that moves would move for ever: who wants no motion sees one frame of it, drawn over it. */
function drawStill(image: HTMLImageElement, canvas: HTMLCanvasElement): void {
  const scale = Math.min(1, longestSide / Math.max(image.naturalWidth, image.naturalHeight));
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
}
