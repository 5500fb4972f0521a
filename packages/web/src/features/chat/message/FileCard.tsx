import { use } from 'react';
import { sanitizeFileName, type FileMessage } from '@engawa/protocol';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Download, Icon, X } from '../../../components/icons.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { fileSize } from '../../../i18n/fileSize.ts';
import { type MessageView, fileAddress } from '../../../model/timeline/message.ts';
import styles from './FileCard.module.css';
import { FileIcon, FileName } from './FileName.tsx';
import { FilePicture } from './FilePicture.tsx';
import { OpenPicture } from '../pictures/PictureOpener.tsx';
import { isPicture } from '../pictures/pictures.ts';
import { selectOwnFile } from '../../../model/outbox/selectors.ts';

/** R2.16, R2.17: the whole line with the name is the link, as a large target. A press on the picture above shows it large. */
export function FileCard({ message, file }: { readonly message: MessageView; readonly file: FileMessage }) {
  const words = useWords().chat;
  const model = useCommands();
  const openPicture = use(OpenPicture);
  const address = fileAddress(message);
  const name = sanitizeFileName(file.name);
  const size = fileSize(file.size);
  const isThere = address !== undefined && message.state === 'sent';
  const picture = isPicture(file) && (
    <FilePicture
      file={file}
      name={name}
      own={selectOwnFile(model.state(), message)}
      address={address}
      onOpen={isThere ? () => openPicture(Number(message.key)) : undefined}
    />
  );
  const inside = (
    <>
      <span className={styles['icon']}>
        <FileIcon name={name} />
      </span>
      <span className={styles['about']}>
        <FileName name={name} /> <span className={styles['size']}>{size}</span>
      </span>
    </>
  );

  if (!isThere) {
    const { progress } = message;
    return (
      <div className={styles['card']}>
        {picture}
        <span className={styles['line']}>
          {inside}
          {message.state === 'sending' && file.storedName === '' && <Cancel message={message} name={name} />}
        </span>
        {message.state === 'sending' && progress !== undefined && (
          <progress className={styles['progress']} aria-label={words.progress(name)} value={progress} max={1} />
        )}
      </div>
    );
  }
  return (
    <div className={styles['card']}>
      {picture}
      <a className={styles['line']} href={address} download={name} aria-label={words.download(name, size)}>
        {inside}
        <Icon of={Download} className={styles['download']} size={20} strokeWidth={1.75} />
      </a>
    </div>
  );
}

/** R4.8.2: an upload can be cancelled until it is delivered, and the cancellation can be undone. */
function Cancel({ message: { key }, name }: { readonly message: MessageView; readonly name: string }) {
  const { chat, undo } = useWords();
  const model = useCommands();
  const toast = useToast();
  const cancel = () => {
    const run = model.cancel(String(key));
    if (run) toast({ text: chat.uploadCancelled(name), tone: 'note', action: { label: undo, run } });
  };
  return <IconButton name={chat.cancelUpload(name)} icon={X} tooltip="none" className={styles['cancel']} onClick={cancel} />;
}
