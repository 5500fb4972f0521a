import { TextButton } from '../../components/primitives/Button.tsx';
import { copied } from '../../components/clipboard.ts';
import { CircleAlert } from '../../components/icons.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useReturnFocus } from '../../hooks/returnFocus.ts';
import { useNoticesWords } from '../../i18n/notices.ts';
import notice from '../../components/primitives/Notice.module.css';
import { classes } from '../../components/classes.ts';
import styles from './UndeliverableNotice.module.css';
import { selectMessage } from '../../model/outbox/selectors.ts';
import { selectUndeliverable } from '../../model/outbox/undeliverable.ts';

/** R8.4: unsent messages whose conversation is no longer available, to be copied or discarded. */
export function UndeliverableNotice() {
  const key = useModel(selectUndeliverable);
  return <output>{key !== undefined && <Notice key={key} localKey={key} />}</output>;
}

function Notice({ localKey }: { readonly localKey: string }) {
  const words = useNoticesWords().undeliverable;
  const model = useCommands();
  const toast = useToast();
  const message = useModel(selectMessage, localKey);
  const { returnFocus, ...placed } = useReturnFocus();
  const { content = '', file } = message ?? {};

  const copy = async () => {
    if (await copied(content)) toast({ text: words.copied, tone: 'note' });
    else toast({ text: words.notCopied(content), tone: 'alert' });
  };
  const discard = () => {
    returnFocus();
    model.discard(localKey);
  };

  return (
    <span className={classes(notice['notice'], styles['notice'])} {...placed}>
      <CircleAlert aria-hidden size={16} strokeWidth={1.9} />
      <span className={classes(notice['text'], styles['text'])}>{words.notSent}</span>
      <q className={styles['content']}>{file?.name ?? content}</q>
      {!file && <TextButton onClick={() => void copy()}>{words.copy}</TextButton>}
      <TextButton onClick={discard}>{words.discard}</TextButton>
    </span>
  );
}
