import { useState } from 'react';
import type { Hook, HookSecrets, hooks } from '@engawa/protocol/hooks';
import type { z } from 'zod/mini';
import { useFailureText } from '../../hooks/failures.ts';
import { useModel } from '../../hooks/model.ts';
import { useQuery } from '../../hooks/query.ts';
import { useTimes } from '../../hooks/times.ts';
import { useHooksWords } from '../../i18n/hooks.ts';
import { selectStream } from '../../model/conversations/selectors.ts';
import { selectName } from '../../model/people/selectors.ts';
import { ConfirmMutation } from '../primitives/ConfirmMutation.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { HookAction, HookRows } from '../HookRows.tsx';
import { Icon, Webhook } from '../icons.ts';
import { deleteHook, listAllHooks, listOwnHooks, renewHook } from './calls.ts';
import { HookAddress } from './HookAddress.tsx';
import { HookForm } from './HookForm.tsx';
import styles from '../HookRows.module.css';

type Hooks = z.output<typeof hooks>;

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'renew' | 'delete'; readonly hook: Hook }
  | { readonly kind: 'address'; readonly secrets: HookSecrets };

/** The member's hooks, or everybody's for an administrator, who gets no address of them. */
export function HookList({ of }: { readonly of: 'own' | 'all' }) {
  const words = useHooksWords();
  const failureText = useFailureText();
  const toast = useToast();
  const query = useQuery<Hooks>(of === 'own' ? listOwnHooks : listAllHooks);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    query.reload();
  };
  const showAddress = (secrets: HookSecrets) => {
    setOpen({ kind: 'address', secrets });
    query.reload();
  };
  const question = { danger: true, closeLabel: words.cancel, failureText, onClose: close };
  return (
    <div className={styles['hooks']}>
      <HookRows
        words={words}
        advice={of === 'own' ? words.advice : words.adviceAll}
        query={query}
        failureText={failureText}
        onCreate={of === 'own' ? () => setOpen({ kind: 'create' }) : undefined}
      >
        {query.answer?.hooks.map((hook) => (
          <Row key={hook.id} hook={hook} of={of} onOpen={setOpen} />
        ))}
      </HookRows>
      {open?.kind === 'create' && <HookForm hook={undefined} onClose={close} onCreated={showAddress} onChanged={done} />}
      {open?.kind === 'edit' && <HookForm hook={open.hook} onClose={close} onCreated={showAddress} onChanged={done} />}
      {open?.kind === 'renew' && (
        <ConfirmMutation
          {...question}
          heading={words.renewHeading}
          submitLabel={words.renew}
          busyLabel={words.renewing}
          call={renewHook(open.hook.id)}
          onDone={showAddress}
        >
          <p>{words.renewQuestion(open.hook.name)}</p>
        </ConfirmMutation>
      )}
      {open?.kind === 'delete' && (
        <ConfirmMutation
          {...question}
          heading={words.deleteHeading}
          submitLabel={words.delete}
          busyLabel={words.deleting}
          call={deleteHook(open.hook.id)}
          onDone={() => {
            toast({ text: words.deleted(open.hook.name), tone: 'note' });
            done();
          }}
        >
          <p>{words.deleteQuestion(open.hook.name)}</p>
        </ConfirmMutation>
      )}
      {open?.kind === 'address' && <HookAddress secrets={open.secrets} onClose={close} />}
    </div>
  );
}

interface RowProps {
  readonly hook: Hook;
  readonly of: 'own' | 'all';
  readonly onOpen: (open: Open) => void;
}

function Row({ hook, of, onOpen }: RowProps) {
  const words = useHooksWords();
  const times = useTimes();
  const stream = useModel(selectStream, hook.stream_id);
  const owner = useModel(selectName, hook.owner_id ?? 0);
  const { name, topic, is_active: isActive, used, last_error: error } = hook;
  const opening = (kind: 'edit' | 'renew' | 'delete') => ({
    name,
    onClick: () => onOpen({ kind, hook }),
    'aria-haspopup': 'dialog' as const,
  });
  return (
    <li>
      <Icon of={Webhook} className={styles['icon']} size={18} strokeWidth={1.75} />
      <span className={styles['what']}>
        <span className={styles['name']}>
          {name}
          {!isActive && <em>{words.off}</em>}
        </span>
        <small>{words.place(stream?.name ?? words.hiddenStream, topic)}</small>
        {of === 'all' && owner !== undefined && <small>{words.by(owner)}</small>}
        <small>{used === null ? words.neverUsed : words.used(times.recent(used))}</small>
        {error && <small className={styles['error']}>{words.error(words.errors[error.code], times.recent(error.time))}</small>}
      </span>
      <span className={styles['actions']}>
        <HookAction label={words.edit} {...opening('edit')} />
        {of === 'own' && isActive && <HookAction label={words.renew} {...opening('renew')} />}
        <HookAction label={words.delete} className={styles['danger']} {...opening('delete')} />
      </span>
    </li>
  );
}
