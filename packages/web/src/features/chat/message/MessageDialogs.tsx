import { useEffect, useRef, useState } from 'react';
import type { Dialect } from '@engawa/markup';
import { ListRow } from '../../../components/primitives/ListRow.tsx';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { DialogForm } from '../../../components/primitives/DialogForm.tsx';
import { Icon, SmilePlus } from '../../../components/icons.ts';
import { FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useMessageToolsWords } from '../../../i18n/messageTools.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { Failure } from '../../../model/connection/failure.ts';
import type { MessageView } from '../../../model/timeline/message.ts';
import type { Version } from '../../../model/timeline/edit.ts';
import { Markup } from './Markup.tsx';
import type { MessageDialogProps } from './MessageTools.tsx';
import styles from './MessageTools.module.css';
import { plainTextOf } from '../../../model/timeline/messageText.ts';

export function MessageDialog(props: MessageDialogProps) {
  switch (props.kind) {
    case 'sheet':
      return <Sheet {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
    case 'history':
      return <HistoryDialog {...props} />;
  }
}

function Sheet({ message, items, onReact, onClose }: MessageDialogProps) {
  const words = useMessageToolsWords();
  const choose = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Dialog heading={words.label} onClose={onClose}>
      <p className={styles['about']}>{`${message.senderFullName}: ${saidIn(message)}`}</p>
      <div className={styles['sheet']}>
        <ListRow onClick={choose(onReact)}>
          <Icon of={SmilePlus} size={20} strokeWidth={1.75} />
          {words.react}
        </ListRow>
        {items.map(({ name, icon, danger, run }) => (
          <ListRow key={name} data-danger={danger} onClick={choose(run)}>
            <Icon of={icon} size={20} strokeWidth={1.75} />
            {name}
          </ListRow>
        ))}
      </div>
    </Dialog>
  );
}

function saidIn(message: MessageView): string {
  return message.file?.name ?? plainTextOf(message);
}

function DeleteDialog({ messageId, message, onClose }: MessageDialogProps) {
  const words = useMessageToolsWords();
  const model = useCommands();
  const failureText = useFailureText();
  const toast = useToast();
  const question = useRef<HTMLParagraphElement>(null);
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);

  const remove = async () => {
    setBusy(true);
    const refused = await model.remove(messageId);
    setBusy(false);
    if (question.current) {
      setFailure(refused);
      if (!refused) onClose();
    } else if (refused) toast({ text: refusal(refused), tone: 'alert' });
  };

  const refusal = (refused: Failure) =>
    refused.kind === 'refused' && !model.rights(messageId).delete ? words.deleteTooLate : failureText(refused);

  return (
    <DialogForm
      heading={words.deleteHeading}
      holds={false}
      failure={failure && refusal(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? words.deleting : words.delete}
      danger
      busy={busy}
      onClose={onClose}
      onSubmit={() => void remove()}
    >
      <p ref={question} className={styles['question']}>
        {words.deleteQuestion}
      </p>
      <div className={styles['quoted']}>{saidIn(message)}</div>
    </DialogForm>
  );
}

/** R4.9: the versions of the message, newest first. */
function HistoryDialog({ messageId, message, onClose }: MessageDialogProps) {
  const words = useMessageToolsWords();
  const [attempt, setAttempt] = useState(0);
  return (
    <Dialog heading={words.history} onClose={onClose}>
      <Versions key={attempt} messageId={messageId} dialect={message.dialect} onAgain={() => setAttempt(attempt + 1)} />
    </Dialog>
  );
}

interface VersionsProps {
  readonly messageId: number;
  readonly dialect: Dialect;
  readonly onAgain: () => void;
}

function Versions({ messageId, dialect, onAgain }: VersionsProps) {
  const words = useWords();
  const { historyNow, historyFirst } = useMessageToolsWords();
  const times = useTimes();
  const model = useCommands();
  const failureText = useFailureText();
  const [versions, setVersions] = useState<readonly Version[] | Failure>();

  useEffect(() => {
    let isWanted = true;
    const show = async () => {
      const answer = await model.history(messageId);
      if (isWanted) setVersions(answer);
    };
    void show();
    return () => {
      isWanted = false;
    };
  }, [model, messageId]);

  if (!versions) return <Skeleton rows={3} label={words.loading} />;
  if ('kind' in versions) return <FailureState text={failureText(versions)} again={words.again} onAgain={onAgain} />;
  const last = versions.length - 1;
  return (
    <ol className={styles['versions']}>
      {versions.map(({ content, timestamp }, index) => (
        <li key={last - index}>
          <time dateTime={new Date(timestamp * 1000).toISOString()}>{times.full(timestamp)}</time>
          <span className={styles['which']}>{index === 0 ? historyNow : index === last && historyFirst}</span>
          <div className={styles['quoted']}>
            <Markup source={content} dialect={dialect} alerted={false} />
          </div>
        </li>
      ))}
    </ol>
  );
}
