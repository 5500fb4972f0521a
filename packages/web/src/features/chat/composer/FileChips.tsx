import { useState } from 'react';
import { sanitizeFileName } from '@engawa/protocol';
import { X } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { fileSize } from '../../../i18n/fileSize.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { FileIcon, FileName } from '../message/FileName.tsx';
import { noteChosenPicture } from '../pictures/chosenPictures.ts';
import { useImageSource } from '../pictures/imageSource.ts';
import { isPicture, showsItself } from '../pictures/pictures.ts';
import styles from './Composer.module.css';

/** R2.13: the chosen files, shown instead of the field. */
export function FileChips({ files, onRemove }: { readonly files: readonly File[]; readonly onRemove: (file: File) => void }) {
  const words = useComposerWords();
  return (
    <ul className={styles['chips']} aria-label={words.files}>
      {files.map((file) => (
        <FileChip key={keyOf(file)} file={file} onRemove={() => onRemove(file)} />
      ))}
    </ul>
  );
}

function FileChip({ file, onRemove }: { readonly file: File; readonly onRemove: () => void }) {
  const words = useComposerWords();
  const name = sanitizeFileName(file.name);
  return (
    <li className={styles['chip']}>
      <Thumbnail file={file} name={name} />
      <FileName name={name} />
      <span className={styles['fileSize']}>{fileSize(file.size)}</span>
      <IconButton name={words.removeFile(name)} icon={X} size="small" tooltip="none" onClick={onRemove} />
    </li>
  );
}

/** A small preview of a picture; for other files, and for a picture that cannot be shown, the icon of its type. */
function Thumbnail({ file, name }: { readonly file: File; readonly name: string }) {
  const [failed, setFailed] = useState(false);
  const show = useImageSource(file);
  if (failed || !isPicture({ name }) || !showsItself(file)) return <FileIcon name={name} />;
  return (
    <img
      ref={show}
      className={styles['thumbnail']}
      alt=""
      decoding="async"
      onLoad={({ currentTarget }) => noteChosenPicture(file, currentTarget)}
      onError={() => setFailed(true)}
    />
  );
}

/** React keys. The name is no key, because a file may be chosen twice. */
const keys = new WeakMap<File, number>();
let lastKey = 0;

function keyOf(file: File): number {
  const key = keys.get(file) ?? ++lastKey;
  keys.set(file, key);
  return key;
}
