import type { FileMessage } from '@engawa/protocol';
import { Download } from '../../components/icons.ts';
import { useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { fileSize } from '../../i18n/fileSize.ts';
import type { MessageView } from '../../model/view.ts';
import styles from './FileCard.module.css';
import { FileIcon } from './FileIcon.tsx';
import { FilePicture, isPicture } from './FilePicture.tsx';

/** R2.16, R2.17: the whole card is the link, so that it can be hit; the icon says what it does. */
export function FileCard({ message, file }: { readonly message: MessageView; readonly file: FileMessage }) {
  const words = useWords().chat;
  const model = useModel();
  const address = model.fileAddress(message);
  const name = file.name.normalize('NFC');
  const isThere = address !== undefined && message.state === 'sent';
  const picture = isPicture(file) && <FilePicture name={name} own={model.ownFile(message)} address={address} />;
  const inside = (
    <>
      <span className={styles['icon']}>
        <FileIcon name={name} />
      </span>
      <span className={styles['about']}>
        <span className={styles['name']}>{name}</span>{' '}
        <span className={styles['size']}>{fileSize(file.size)}</span>
      </span>
    </>
  );

  if (!isThere) {
    const { progress } = message;
    return (
      <div className={styles['card']}>
        {picture}
        <span className={styles['line']}>{inside}</span>
        {message.state === 'sending' && progress !== undefined && (
          <progress className={styles['progress']} aria-label={words.progress(name)} value={progress} max={1} />
        )}
      </div>
    );
  }
  return (
    <a
      className={styles['card']}
      href={address}
      download={name}
      aria-label={words.download(name, fileSize(file.size))}
    >
      {picture}
      <span className={styles['line']}>
        {inside}
        <Download className={styles['download']} aria-hidden size={20} strokeWidth={1.75} />
      </span>
    </a>
  );
}
