import { useRef } from 'react';
import { Paperclip } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './Composer.module.css';

export function AttachButton({ onFiles }: { readonly onFiles: (files: Iterable<File>) => void }) {
  const words = useWords().composer;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (event.target.files) onFiles(event.target.files);
          // Choosing the same file again must fire `change` again.
          event.target.value = '';
        }}
      />
      <IconButton name={words.attach} icon={Paperclip} className={styles['tool']} onClick={() => picker.current?.click()} />
    </>
  );
}
