import { useId, useRef } from 'react';
import type { SentLink } from '@engawa/protocol/administration';
import { copied } from '../../../components/clipboard.ts';
import { DialogForm } from '../../../components/primitives/DialogForm.tsx';
import { Copy, Icon } from '../../../components/icons.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useTimes } from '../../../hooks/times.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import styles from './LinkDialog.module.css';

interface LinkDialogProps {
  readonly to: string;
  readonly sent: SentLink;
  readonly onClose: () => void;
}

/** A link that is shown only once, with a copy button and the result of the mail. A press outside does not close the dialog. */
export function LinkDialog({ to, sent, onClose }: LinkDialogProps) {
  const all = useAdministrationWords();
  const words = all.link;
  const toast = useToast();
  const times = useTimes();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);

  const copy = async () => {
    if (await copied(sent.link)) {
      toast({ text: words.copied, tone: 'note' });
      return;
    }
    field.current?.select();
    toast({ text: words.notCopied, tone: 'alert' });
  };

  return (
    <DialogForm
      heading={words.password}
      holds
      failure={undefined}
      closeLabel={all.close}
      submitLabel={words.copy}
      busy={false}
      onClose={onClose}
      onSubmit={() => void copy()}
    >
      <div className={styles['link']}>
        <p className={styles['to']}>{to}</p>
        <label htmlFor={id}>{words.label}</label>
        <span className={styles['field']}>
          <Icon of={Copy} size={16} />
          <input ref={field} id={id} type="text" readOnly value={sent.link} onFocus={(event) => event.currentTarget.select()} />
        </span>
        <p>{words.once}</p>
        <p>{sent.mailed ? words.mailed : words.notMailed}</p>
        <p>{words.ends(times.recent(sent.ends))}</p>
      </div>
    </DialogForm>
  );
}
