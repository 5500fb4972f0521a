import { createPortal } from 'react-dom';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import styles from './MessageRow.module.css';
import { selectReadCount } from '../../../model/unread/state.ts';
import { useModel } from '../../../hooks/model.ts';
import { useOpened } from '../list/useOpened.ts';

const ReadersDialog = lazyComponent(
  async () => (await import('./ReadersDialog.tsx')).ReadersDialog,
  (words) => words.readers.failed,
);

/** The number of readers; a press lists them. The place is reserved until the number is known. */
export function Receipt({ messageId }: { readonly messageId: number }) {
  const words = useWords().readers;
  const count = useModel(selectReadCount, messageId) ?? 0;
  const [opened, setOpened] = useOpened<number>();
  const close = () => setOpened(undefined);
  return (
    <span className={styles['receipt']}>
      {count > 0 && (
        <PlainButton aria-haspopup="dialog" title={words.open} onClick={() => setOpened(messageId)}>
          {words.count(count)}
        </PlainButton>
      )}
      {/* Outside the list, whose keys and long presses would take input that is meant for the dialog. */}
      {opened !== undefined &&
        createPortal(<ReadersDialog messageId={opened} onClose={close} onLoadFailure={close} />, document.body)}
    </span>
  );
}
