import type { FileMessage } from '@engawa/protocol';
import { Download } from '../../components/icons.ts';
import { useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { fileSize } from '../../i18n/fileSize.ts';
import type { MessageView } from '../../model/view.ts';
import styles from './FileCard.module.css';
import { FileIcon } from './FileIcon.tsx';

/** R2.16, R2.17: the whole card is the link, so that it can be hit; the icon says what it does. */
export function FileCard({ message, file }: { readonly message: MessageView; readonly file: FileMessage }) {
  const words = useWords().chat;
  const address = useModel().fileAddress(message);
  const name = file.name.normalize('NFC');
  const inside = (
    <>
      <span className={styles['icon']}>
        <FileIcon name={name} />
      </span>
      <span className={styles['about']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['size']}>{fileSize(file.size)}</span>
      </span>
    </>
  );

  if (address === undefined || message.state !== 'sent') {
    const { progress } = message;
    return (
      <div className={styles['card']}>
        {inside}
        {message.state === 'sending' && progress !== undefined && (
          <progress className={styles['progress']} aria-label={words.progress(name)} value={progress} max={1} />
        )}
      </div>
    );
  }
  return (
    <a className={styles['card']} href={address} download={name}>
      {inside}
      <Download className={styles['download']} aria-hidden size={20} strokeWidth={1.75} />
      <span className={styles['word']}>{words.download}</span>
    </a>
  );
}
