import { useCallback, useRef, useState } from 'react';
import type { Hook, HookSecrets } from '@engawa/protocol/hooks';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWhenVisible } from '../../hooks/whenVisible.ts';
import { useHooksWords } from '../../i18n/hooks.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { ProductCall } from '../../model/connection/productCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { selectStream } from '../../model/conversations/selectors.ts';
import { selectName } from '../../model/people/selectors.ts';
import { Button } from '../primitives/Button.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { FailureState } from '../primitives/EmptyState.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { Plus, Webhook } from '../icons.ts';
import { deleteHook, listAllHooks, listOwnHooks, renewHook } from './calls.ts';
import { HookAddress } from './HookAddress.tsx';
import { HookForm } from './HookForm.tsx';
import styles from './HookList.module.css';

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'renew' | 'delete'; readonly hook: Hook }
  | { readonly kind: 'address'; readonly secrets: HookSecrets };

/** The member's hooks, or everybody's for an administrator, who gets no address of them. */
export function HookList({ of }: { readonly of: 'own' | 'all' }) {
  const words = useHooksWords();
  const { again } = useWords();
  const failureText = useFailureText();
  const { listed, load } = useListed(of === 'own' ? listOwnHooks : listAllHooks);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    load();
  };
  const showAddress = (secrets: HookSecrets) => {
    setOpen({ kind: 'address', secrets });
    load();
  };
  return (
    <div className={styles['hooks']}>
      <p className={styles['advice']}>{of === 'own' ? words.advice : words.adviceAll}</p>
      {listed === undefined && <output className={styles['advice']}>{words.loading}</output>}
      {listed !== undefined && 'kind' in listed && <FailureState text={failureText(listed)} again={again} onAgain={load} />}
      {listed !== undefined && !('kind' in listed) && listed.length === 0 && <p className={styles['none']}>{words.none}</p>}
      {listed !== undefined && !('kind' in listed) && listed.length > 0 && (
        <ul aria-label={words.list}>
          {listed.map((hook) => (
            <Row key={hook.id} hook={hook} of={of} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {of === 'own' && (
        <Button size="small" className={styles['create']} aria-haspopup="dialog" onClick={() => setOpen({ kind: 'create' })}>
          <Plus aria-hidden size={16} />
          {words.create}
        </Button>
      )}
      {open?.kind === 'create' && <HookForm hook={undefined} onClose={close} onCreated={showAddress} onChanged={done} />}
      {open?.kind === 'edit' && <HookForm hook={open.hook} onClose={close} onCreated={showAddress} onChanged={done} />}
      {open?.kind === 'renew' && <RenewHook hook={open.hook} onClose={close} onRenewed={showAddress} />}
      {open?.kind === 'delete' && <DeleteHook hook={open.hook} onClose={close} onDeleted={done} />}
      {open?.kind === 'address' && <HookAddress secrets={open.secrets} onClose={close} />}
    </div>
  );
}

/** Reads the list on mount and whenever the page becomes visible. */
function useListed(ask: typeof listOwnHooks | typeof listAllHooks) {
  const model = useCommands();
  const [listed, setListed] = useState<readonly Hook[] | Failure>();
  const asked = useRef(0);
  const load = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const found = await model.ask(ask());
    if (mine === asked.current) setListed('answer' in found ? found.answer.hooks : found);
  }, [model, ask]);
  useWhenVisible(load);
  return { listed, load: () => void load() };
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
  return (
    <li>
      <Webhook className={styles['icon']} aria-hidden size={18} strokeWidth={1.75} />
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
        <Button
          size="small"
          aria-haspopup="dialog"
          aria-label={`${words.edit} ${name}`}
          onClick={() => onOpen({ kind: 'edit', hook })}
        >
          {words.edit}
        </Button>
        {of === 'own' && isActive && (
          <Button
            size="small"
            aria-haspopup="dialog"
            aria-label={`${words.renew} ${name}`}
            onClick={() => onOpen({ kind: 'renew', hook })}
          >
            {words.renew}
          </Button>
        )}
        <Button
          size="small"
          className={styles['danger']}
          aria-haspopup="dialog"
          aria-label={`${words.delete} ${name}`}
          onClick={() => onOpen({ kind: 'delete', hook })}
        >
          {words.delete}
        </Button>
      </span>
    </li>
  );
}

interface QuestionProps<Answer> {
  readonly call: ProductCall<Answer>;
  readonly heading: string;
  readonly question: string;
  readonly submit: string;
  readonly busyLabel: string;
  readonly onClose: () => void;
  readonly onDone: (answer: Answer) => void;
}

function Question<Answer>({ call, heading, question, submit: label, busyLabel, onClose, onDone }: QuestionProps<Answer>) {
  const words = useHooksWords();
  const model = useCommands();
  const failureText = useFailureText();
  const { busy, failure, submit } = useSubmission();
  const act = () =>
    void submit(async () => {
      const answered = await model.ask(call);
      if (!('answer' in answered)) return answered;
      onDone(answered.answer);
      return undefined;
    });
  return (
    <DialogForm
      heading={heading}
      danger
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? busyLabel : label}
      busy={busy}
      onClose={onClose}
      onSubmit={act}
    >
      <p>{question}</p>
    </DialogForm>
  );
}

interface RenewProps {
  readonly hook: Hook;
  readonly onClose: () => void;
  readonly onRenewed: (secrets: HookSecrets) => void;
}

function RenewHook({ hook: { id, name }, onClose, onRenewed }: RenewProps) {
  const words = useHooksWords();
  return (
    <Question
      call={renewHook(id)}
      heading={words.renewHeading}
      question={words.renewQuestion(name)}
      submit={words.renew}
      busyLabel={words.renewing}
      onClose={onClose}
      onDone={onRenewed}
    />
  );
}

interface DeleteProps {
  readonly hook: Hook;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteHook({ hook: { id, name }, onClose, onDeleted }: DeleteProps) {
  const words = useHooksWords();
  const toast = useToast();
  return (
    <Question
      call={deleteHook(id)}
      heading={words.deleteHeading}
      question={words.deleteQuestion(name)}
      submit={words.delete}
      busyLabel={words.deleting}
      onClose={onClose}
      onDone={() => {
        toast({ text: words.deleted(name), tone: 'note' });
        onDeleted();
      }}
    />
  );
}
