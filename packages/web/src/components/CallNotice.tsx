import { NamedPicture } from './NamedPicture.tsx';
import type { ReactNode } from 'react';
import { useWords } from '../i18n/LocaleProvider.tsx';
import styles from './CallNotice.module.css';
import { Dialog } from './primitives/Dialog.tsx';

interface CallNoticeProps {
  readonly heading: string;
  readonly name: string;
  readonly face: ReactNode;
  readonly onClose: () => void;
}

export function CallNotice({ heading, name, face, onClose }: CallNoticeProps) {
  const words = useWords().streamTools;
  return (
    <Dialog heading={heading} onClose={onClose}>
      <div className={styles['notice']}>
        <NamedPicture name={name}>{face}</NamedPicture>
        <p>{words.callLater}</p>
      </div>
    </Dialog>
  );
}
