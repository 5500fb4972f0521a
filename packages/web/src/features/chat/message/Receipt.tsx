import { useState } from 'react';
import { createPortal } from 'react-dom';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { onDemand, usePart } from '../../../components/onDemand.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './MessageRow.module.css';
import { selectReadCount } from '../../../model/unread/state.ts';
import { useModel } from '../../../hooks/model.ts';

const readersPart = onDemand(() => import('./ReadersDialog.tsx'));

/** How many have read a message, and on demand who. Its place is kept free until it is known. */
export function Receipt({ messageId }: { readonly messageId: number }) {
  const words = useWords().readers;
  const count = useModel(selectReadCount, messageId) ?? 0;
  const [open, setOpen] = useState(false);
  return (
    <span className={styles['receipt']}>
      {count > 0 && (
        <PlainButton aria-haspopup="dialog" title={words.open} onClick={() => setOpen(true)}>
          {words.count(count)}
        </PlainButton>
      )}
      {open && <ReadersOnDemand messageId={messageId} onClose={() => setOpen(false)} />}
    </span>
  );
}

/** Fetched when it is first opened. */
function ReadersOnDemand(props: { readonly messageId: number; readonly onClose: () => void }) {
  const words = useWords().readers;
  const toast = useToast();
  const part = usePart(readersPart, () => {
    toast({ text: words.failed, tone: 'alert' });
    props.onClose();
  });
  // Beside the list, whose keys and long presses would take what is meant for the dialog.
  return part && createPortal(<part.ReadersDialog {...props} />, document.body);
}
