import { useState } from 'react';
import { PlainButton, TextButton } from '../../../components/primitives/Button.tsx';
import { Download, Icon, MessageSquareText } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { EmptyState, FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { SearchField } from '../../../components/primitives/SearchField.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import { fileSize } from '../../../i18n/fileSize.ts';
import { FileIcon, FileName } from '../message/FileName.tsx';
import { largePictureOf } from '../pictures/largePictures.ts';
import { Lightbox } from '../pictures/Lightbox.tsx';
import { isPicture, showsItself } from '../pictures/pictures.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { useSentFiles, type SentFile } from './sentFiles.ts';
import styles from './StreamFiles.module.css';
import { fileAddress, pictureAddress } from '../../../model/timeline/message.ts';

/** Bytes. Larger pictures have no thumbnail, because it would load the whole picture. */
const largestThumbnail = 2 * 1024 * 1024;

export function StreamFiles({ conversation, onLeave }: { readonly conversation: ConversationKey; readonly onLeave: () => void }) {
  const words = useWords();
  const { files: fileWords } = useStreamWords();
  const model = useCommands();
  const failureText = useFailureText();
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<number>();
  const { files, failure, loading, more } = useSentFiles(conversation, query);

  const goTo = (messageId: number) => {
    onLeave();
    model.openAt(conversation, messageId);
  };
  const none = query.trim() === '' ? fileWords.none : fileWords.noneFound;

  return (
    <div className={styles['files']}>
      <SearchField label={fileWords.filter} onQuery={setQuery} />
      {!files && !failure && <Skeleton rows={4} label={words.loading} />}
      {files?.length === 0 && !failure && !loading && !more && <EmptyState heading={none} />}
      {files && files.length > 0 && (
        <ul className={styles['list']} aria-label={fileWords.list} aria-busy={loading}>
          {files.map((sent) => (
            <FileRow key={sent.key} sent={sent} onOpen={() => setOpened(sent.key)} onGo={() => goTo(sent.key)} />
          ))}
        </ul>
      )}
      {failure && more && <FailureState text={failureText(failure)} again={words.again} onAgain={more} />}
      {files && more && !failure && (
        <TextButton aria-disabled={loading} onClick={() => loading || more()}>
          {loading ? words.loading : fileWords.more}
        </TextButton>
      )}
      {files && opened !== undefined && (
        <Lightbox
          pictures={files.toReversed().flatMap((sent) => largePictureOf(sent))}
          messageId={opened}
          onGo={setOpened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

function FileRow({ sent, onOpen, onGo }: { readonly sent: SentFile; readonly onOpen: () => void; readonly onGo: () => void }) {
  const words = useWords();
  const { files: fileWords } = useStreamWords();
  const times = useTimes();
  const { file, senderFullName, timestamp } = sent;
  const { name } = file;
  const address = fileAddress(sent);
  const size = fileSize(file.size);
  // The visible text in its order, because voice control matches it.
  const about = `${senderFullName} ${times.recent(timestamp)} ${size}`;
  const inside = (
    <>
      <span className={styles['icon']}>
        <FileIcon name={name} />
        {isPicture(file) && showsItself(file, largestThumbnail) && <Thumbnail address={address && pictureAddress(address)} />}
      </span>
      <span className={styles['text']}>
        <FileName name={name} />{' '}
        <span className={styles['about']}>
          <span className={styles['sender']}>{senderFullName}</span>{' '}
          <time dateTime={new Date(timestamp * 1000).toISOString()} title={times.full(timestamp)}>
            {times.recent(timestamp)}
          </time>{' '}
          <span>{size}</span>
        </span>
      </span>
    </>
  );

  return (
    <li>
      {isPicture(file) ? (
        <PlainButton className={styles['main']} aria-label={words.chat.openPicture(`${name} ${about}`)} onClick={onOpen}>
          {inside}
        </PlainButton>
      ) : (
        <a className={styles['main']} href={address} download={name} aria-label={words.chat.download(name, about)}>
          {inside}
          <span className={styles['tool']}>
            <Icon of={Download} size={18} strokeWidth={1.75} />
          </span>
        </a>
      )}
      {isPicture(file) && (
        <a className={styles['tool']} href={address} download={name} aria-label={words.chat.download(name, size)}>
          <Icon of={Download} size={18} strokeWidth={1.75} />
        </a>
      )}
      <IconButton name={fileWords.toMessage(name)} icon={MessageSquareText} className={styles['tool']} onClick={onGo} />
    </li>
  );
}

function Thumbnail({ address }: { readonly address: string | undefined }) {
  const [broken, setBroken] = useState(false);
  if (broken) return null;
  return <img src={address} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setBroken(true)} />;
}
