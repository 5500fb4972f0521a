import { useState } from 'react';
import { createPortal } from 'react-dom';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './MessageRow.module.css';
import { selectReadCount } from '../../../model/unread/state.ts';
import { useModel } from '../../../hooks/model.ts';

const ReadersDialog = lazyComponent(
  async () => (await import('./ReadersDialog.tsx')).ReadersDialog,
  (words) => words.readers.failed,
);

/** The number of readers; a press lists them. The place is reserved until the number is known. */
export function Receipt({ messageId }: { readonly messageId: number }) {
  const words = useWords().readers;
  const count = useModel(selectReadCount, messageId) ?? 0;
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <span className={styles['receipt']}>
      {count > 0 && (
        <PlainButton aria-haspopup="dialog" title={words.open} onClick={() => setOpen(true)}>
          {words.count(count)}
        </PlainButton>
      )}
      {/* Outside the list, whose keys and long presses would take input that is meant for the dialog. */}
      {open && createPortal(<ReadersDialog messageId={messageId} onClose={close} onLoadFailure={close} />, document.body)}
    </span>
  );
}
