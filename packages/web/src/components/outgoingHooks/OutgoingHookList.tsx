import { useId, useState } from 'react';
import type { OutgoingHook, OutgoingHookSecrets, outgoingHooks } from '@engawa/protocol/outgoing-hooks';
import type { z } from 'zod/mini';
import { useModel } from '../../hooks/model.ts';
import { useProductCall } from '../../hooks/mutation.ts';
import { useQuery } from '../../hooks/query.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useTimes } from '../../hooks/times.ts';
import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import { selectName } from '../../model/people/selectors.ts';
import { HookAction, HookRows } from '../HookRows.tsx';
import { Icon, Send } from '../icons.ts';
import { ConfirmMutation } from '../primitives/ConfirmMutation.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { changeOutgoing, deleteOutgoing, listAll, listOwn, renewSecret, retryNow } from './calls.ts';
import { HookSecret } from './HookSecret.tsx';
import { OutgoingHookForm } from './OutgoingHookForm.tsx';
import { useHookFailure } from './useHookFailure.ts';
import styles from '../HookRows.module.css';

type Listed = z.output<typeof outgoingHooks>;

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'renew' | 'delete'; readonly hook: OutgoingHook }
  | { readonly kind: 'secret'; readonly secrets: OutgoingHookSecrets };

/** The member's outgoing hooks, or everybody's for an administrator, who can only stop them, undo this, and delete them. */
export function OutgoingHookList({ of }: { readonly of: 'own' | 'all' }) {
  const words = useOutgoingHooksWords();
  const failureText = useHookFailure();
  const query = useQuery<Listed>(of === 'own' ? listOwn : listAll);
  const [open, setOpen] = useState<Open>();
  const id = useId();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    query.reload();
  };
  const showSecret = (secrets: OutgoingHookSecrets) => {
    setOpen({ kind: 'secret', secrets });
    query.reload();
  };
  const question = { danger: true, closeLabel: words.cancel, failureText, onClose: close };
  const form = { origins: query.answer?.origins ?? [], onClose: close, onCreated: showSecret, onChanged: done };
  return (
    <section className={styles['hooks']} aria-labelledby={id}>
      <h3 id={id}>{words.heading}</h3>
      <HookRows
        words={words}
        advice={of === 'own' ? words.advice : words.adviceAll}
        query={query}
        failureText={failureText}
        onCreate={of === 'own' && query.answer ? () => setOpen({ kind: 'create' }) : undefined}
      >
        {query.answer?.hooks.map((hook) => (
          <Row key={hook.id} hook={hook} of={of} onOpen={setOpen} onChanged={query.reload} />
        ))}
      </HookRows>
      {open?.kind === 'create' && <OutgoingHookForm hook={undefined} {...form} />}
      {open?.kind === 'edit' && <OutgoingHookForm hook={open.hook} {...form} />}
      {open?.kind === 'renew' && (
        <ConfirmMutation
          {...question}
          heading={words.renewHeading}
          submitLabel={words.renew}
          busyLabel={words.renew}
          call={renewSecret(open.hook.id)}
          onDone={showSecret}
        >
          <p>{words.renewQuestion(open.hook.name)}</p>
        </ConfirmMutation>
      )}
      {open?.kind === 'delete' && (
        <ConfirmMutation
          {...question}
          heading={words.deleteHeading}
          submitLabel={words.delete}
          busyLabel={words.delete}
          call={deleteOutgoing(open.hook.id)}
          onDone={done}
        >
          <p>{words.deleteQuestion(open.hook.name)}</p>
        </ConfirmMutation>
      )}
      {open?.kind === 'secret' && <HookSecret secrets={open.secrets} onClose={close} />}
    </section>
  );
}

interface RowProps {
  readonly hook: OutgoingHook;
  readonly of: 'own' | 'all';
  readonly onOpen: (open: Open) => void;
  readonly onChanged: () => void;
}

function Row({ hook, of, onOpen, onChanged }: RowProps) {
  const words = useOutgoingHooksWords();
  const times = useTimes();
  const owner = useModel(selectName, hook.owner_id ?? 0);
  const { id, name, address, off, last_success: success, last_error: error, retry, dropped } = hook;
  // An administrator can restart only a hook that an administrator stopped. A new owner must renew the secret before a restart.
  const mayTurnOn = of === 'all' ? off === 'administrator' : off !== null && off !== 'administrator' && off !== 'owner_changed';
  const opening = (kind: 'edit' | 'renew' | 'delete') => ({
    name,
    onClick: () => onOpen({ kind, hook }),
    'aria-haspopup': 'dialog' as const,
  });
  return (
    <li>
      <Icon of={Send} className={styles['icon']} size={18} strokeWidth={1.75} />
      <span className={styles['what']}>
        <span className={styles['name']}>{name}</span>
        <small>{address}</small>
        {of === 'all' && owner !== undefined && <small>{words.by(owner)}</small>}
        {off !== null && <small className={styles['error']}>{words.off[off]}</small>}
        <small>{success === null ? words.neverPosted : words.posted(times.recent(success))}</small>
        {error && (
          <small className={styles['error']}>
            {words.error(error.status === null ? words.errors[error.code] : words.status(error.status), times.recent(error.time))}
          </small>
        )}
        {retry && off === null && <small>{words.retry(retry.attempts)}</small>}
        {dropped > 0 && <small>{words.dropped(dropped)}</small>}
      </span>
      <span className={styles['actions']}>
        {of === 'own' && retry && off === null && (
          <Act label={words.retryNow} name={name} call={retryNow(id)} onDone={onChanged} />
        )}
        {of === 'own' && <HookAction label={words.edit} {...opening('edit')} />}
        {of === 'own' && <HookAction label={words.renew} {...opening('renew')} />}
        {/* One control, so that it keeps the focus when its label changes. */}
        {(off === null || mayTurnOn) && (
          <Act
            label={off === null ? words.turnOff : words.turnOn}
            name={name}
            call={changeOutgoing(id, { is_on: off !== null })}
            onDone={onChanged}
          />
        )}
        <HookAction label={words.delete} className={styles['danger']} {...opening('delete')} />
      </span>
    </li>
  );
}

interface ActProps {
  readonly label: string;
  readonly name: string;
  readonly call: ProductCall<unknown>;
  readonly onDone: () => void;
}

/** Makes a call at once. A failure is shown as a toast. */
function Act({ label, name, call, onDone }: ActProps) {
  const toast = useToast();
  const failureText = useHookFailure();
  const makeCall = useProductCall();
  const { busy, submit } = useSubmission();
  const act = async () => {
    const failure = await makeCall(call, onDone);
    if (!failure) return undefined;
    toast({ text: failureText(failure), tone: 'alert' });
    return failure;
  };
  return <HookAction label={label} name={name} aria-disabled={busy} onClick={() => void submit(act)} />;
}
