import { useEffect, useEffectEvent } from 'react';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { ChevronLeft, ChevronRight, Download, Icon } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { useTimes } from '../../../hooks/times.ts';
import { fileSize } from '../../../i18n/fileSize.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { usePicturesWords } from '../../../i18n/pictures.ts';
import { useLargePictures, type LargePicture } from './largePictures.ts';
import styles from './Lightbox.module.css';
import { Viewer } from './Viewer.tsx';

interface LightboxProps {
  readonly pictures: readonly LargePicture[];
  readonly messageId: number;
  readonly onGo: (messageId: number) => void;
  readonly onClose: () => void;
}

export function OpenedPicture({
  conversation,
  ...props
}: Omit<LightboxProps, 'pictures'> & { readonly conversation: ConversationKey }) {
  return <Lightbox {...props} pictures={useLargePictures(conversation)} />;
}

/** R2.17: a viewer for large pictures. */
export function Lightbox({ pictures, messageId, onGo, onClose }: LightboxProps) {
  const words = usePicturesWords();
  const times = useTimes();
  const index = pictures.findIndex((each) => each.messageId === messageId);
  const picture = pictures[index];
  const isGone = picture === undefined;
  const leave = useEffectEvent(onClose);
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
          <Icon of={Download} size={18} strokeWidth={1.75} />
          {words.download}
        </a>
      </Viewer>
    </Dialog>
  );
}
