import { useEffect, useState, type CSSProperties } from 'react';
import type { FileMessage, PictureSize } from '@engawa/protocol';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { useReducedMotion } from '../../../hooks/media.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './FilePicture.module.css';
import { FileIcon } from './FileName.tsx';
import { chosenPictureSize } from '../pictures/chosenPictures.ts';
import { useImageSource } from '../pictures/imageSource.ts';
import { showsItself } from '../pictures/pictures.ts';
import { selectConnection } from '../../../model/connection/state.ts';
import { useModel } from '../../../hooks/model.ts';
import { pictureAddress } from '../../../model/timeline/message.ts';

/** The status of a picture with too many pixels. */
const pictureTooLarge = 422;

interface FilePictureProps {
  readonly file: FileMessage;
  readonly name: string;
  readonly own: File | undefined;
  readonly address: string | undefined;
  readonly onOpen: (() => void) | undefined;
}

/**
 * R2.17: a preview of a size that is known before the picture loads, because nothing may move then. `own`: the file that this
 * page sent. Its size does not depend on the message, which has one only after the upload.
 */
export function FilePicture({ file, name, own, address, onOpen }: FilePictureProps) {
  const words = useWords().chat;
  const connection = useModel(selectConnection);
  const [tried, setTried] = useState({ connection, failures: 0 });
  // A picture that failed without a network is loaded again.
  if (tried.connection !== connection) {
    setTried({ connection, failures: connection === 'online' ? 0 : tried.failures });
  }
  const { failures } = tried;
  const isAsked = showsItself(file);
  const shownAt = isAsked && address !== undefined ? pictureAddress(address) : undefined;
  const source = [own, shownAt].filter((each) => each !== undefined)[failures];
  const isTooLarge = useIsTooLarge(source === undefined ? shownAt : undefined);
  const reason = isTooLarge ? words.tooManyPixels : isAsked ? words.noPreview : words.largePicture;
  const picture = (
    <span className={styles['picture']} style={boxOf(own ? chosenPictureSize(own) : file.picture)}>
      {source === undefined ? (
        <span className={styles['missing']}>
          <FileIcon name={name} />
          {reason}
        </span>
      ) : (
        <Picture key={failures} source={source} name={name} onError={() => setTried({ connection, failures: failures + 1 })} />
      )}
    </span>
  );
  if (!onOpen || isTooLarge) return picture;
  const label = words.openPicture(name);
  return (
    <PlainButton className={styles['open']} aria-label={source === undefined ? `${label} ${reason}` : label} onClick={onOpen}>
      {picture}
    </PlainButton>
  );
}

/** Without a size, as in messages of other clients, the style sheet has a fixed box. It also limits the height of this one. */
function boxOf(size: PictureSize | undefined): CSSProperties | undefined {
  return size && { height: 'auto', aspectRatio: size.width / size.height, maxHeight: `min(${size.height}px, 220px)` };
}

/** Asks why a picture was not shown. @param address undefined if nothing is to be asked. */
function useIsTooLarge(address: string | undefined): boolean {
  const [tooLarge, setTooLarge] = useState<string>();
  useEffect(() => {
    if (address === undefined) return;
    // Without an answer the reason stays unknown, which the text for other failures says.
    void fetch(address, { method: 'HEAD' }).then(
      ({ status }) => status === pictureTooLarge && setTooLarge(address),
      () => undefined,
    );
  }, [address]);
  return address !== undefined && tooLarge === address;
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
  const show = useImageSource(source);
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
