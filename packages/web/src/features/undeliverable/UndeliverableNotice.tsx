import { TextButton } from '../../components/primitives/Button.tsx';
import { CircleAlert, Icon } from '../../components/icons.ts';
import { useCopy } from '../../hooks/copy.ts';
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
  const copy = useCopy();
  const message = useModel(selectMessage, localKey);
  const { returnFocus, ...placed } = useReturnFocus();
  const { content = '', file } = message ?? {};

  const discard = () => {
    returnFocus();
    model.discard(localKey);
  };

  return (
    <span className={classes(notice['notice'], styles['notice'])} {...placed}>
      <Icon of={CircleAlert} size={16} strokeWidth={1.9} />
      <span className={classes(notice['text'], styles['text'])}>{words.notSent}</span>
      <q className={styles['content']}>{file?.name ?? content}</q>
      {!file && (
        <TextButton onClick={() => copy(content, { copied: words.copied, notCopied: words.notCopied(content) })}>
          {words.copy}
        </TextButton>
      )}
      <TextButton onClick={discard}>{words.discard}</TextButton>
    </span>
  );
}
