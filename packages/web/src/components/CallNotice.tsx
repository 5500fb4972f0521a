import { useWords } from '../i18n/LocaleProvider.tsx';
import { Avatar } from './Avatar.tsx';
import styles from './CallNotice.module.css';
import { Dialog } from './Dialog.tsx';

/** Names whom a call would reach, and says that it cannot be made yet. */
export function CallNotice({
  heading,
  id,
  name,
  picture,
  onClose,
}: {
  readonly heading: string;
  /** Of the stream or the member. */
  readonly id: number;
  readonly name: string;
  readonly picture: string | undefined;
  readonly onClose: () => void;
}) {
  const words = useWords().streamTools;
  return (
    <Dialog heading={heading} onClose={onClose}>
      <div className={styles['notice']}>
        <p className={styles['about']}>
          <Avatar id={id} name={name} picture={picture} size="header" />
          {name}
        </p>
        <p>{words.callLater}</p>
      </div>
    </Dialog>
  );
}
