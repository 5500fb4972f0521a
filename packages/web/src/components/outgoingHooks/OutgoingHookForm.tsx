import { useRef, useState } from 'react';
import { fullNameLength } from '@engawa/protocol';
import {
  type OutgoingHook,
  type OutgoingHookSecrets,
  maxHookAddressLength,
  maxHookStreams,
} from '@engawa/protocol/outgoing-hooks';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import { selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';
import { Button } from '../primitives/Button.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { SelectField } from '../primitives/SelectField.tsx';
import { TextField } from '../primitives/TextField.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { changeOutgoing, createOutgoing } from './calls.ts';
import { useHookFailure } from './useHookFailure.ts';
import styles from '../HookRows.module.css';

interface OutgoingHookFormProps {
  /** Undefined for a new hook. */
  readonly hook: OutgoingHook | undefined;
  readonly origins: readonly string[];
  readonly onClose: () => void;
  readonly onCreated: (secrets: OutgoingHookSecrets) => void;
  readonly onChanged: () => void;
}

export function OutgoingHookForm({ hook, origins, onClose, onCreated, onChanged }: OutgoingHookFormProps) {
  const words = useOutgoingHooksWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useHookFailure();
  const { busy, failure, submit } = useSubmission();
  const [name, setName] = useState(hook?.name ?? '');
  const [address, setAddress] = useState(hook?.address ?? '');
  const [streamIds, setStreamIds] = useState<readonly number[]>(hook?.stream_ids ?? []);
  const [tried, setTried] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const addressField = useRef<HTMLInputElement>(null);
  const complaints = {
    name: name.trim().length < fullNameLength.least ? words.nameMissing : undefined,
    address: origins.includes(URL.parse(address.trim())?.origin ?? '') ? undefined : words.addressRefused,
  };

  const save = () => {
    setTried(true);
    if (complaints.name !== undefined || complaints.address !== undefined) {
      (complaints.name ? nameField : addressField).current?.focus();
      return;
    }
    const body = { name: name.trim(), address: address.trim(), stream_ids: [...streamIds] };
    void submit(async () => {
      if (!hook) {
        const created = await model.ask(createOutgoing(body));
        if (!('answer' in created)) return created;
        onCreated(created.answer);
        return undefined;
      }
      const { name: changedName, ...rest } = body;
      const changed = await model.ask(changeOutgoing(hook.id, changedName === hook.name ? rest : body));
      if (!('answer' in changed)) return changed;
      toast({ text: words.saved(body.name), tone: 'note' });
      onChanged();
      return undefined;
    });
  };

  return (
    <DialogForm
      heading={hook ? words.editHeading : words.createHeading}
      holds={
        name !== (hook?.name ?? '') || address !== (hook?.address ?? '') || streamIds.join() !== (hook?.stream_ids ?? []).join()
      }
      failure={failure && failureText(failure)}
      submitted={tried}
      closeLabel={words.cancel}
      submitLabel={busy ? words.saving : hook ? words.save : words.create}
      busy={busy}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        ref={nameField}
        quiet
        label={words.name}
        note={words.nameNote}
        value={name}
        maxLength={fullNameLength.most}
        complaint={tried ? complaints.name : undefined}
        onValue={setName}
      />
      <TextField
        ref={addressField}
        quiet
        label={words.address}
        note={origins.length === 0 ? words.noOrigins : words.addressNote(origins.join(words.and))}
        type="url"
        value={address}
        maxLength={maxHookAddressLength}
        complaint={tried ? complaints.address : undefined}
        onValue={setAddress}
      />
      <Streams chosen={streamIds} onChoose={setStreamIds} />
    </DialogForm>
  );
}

interface StreamsProps {
  readonly chosen: readonly number[];
  readonly onChoose: (streamIds: readonly number[]) => void;
}

function Streams({ chosen, onChoose }: StreamsProps) {
  const words = useOutgoingHooksWords();
  const model = useCommands();
  const field = useRef<HTMLSelectElement>(null);
  const ids = useModel(selectStreamIds) ?? [];
  const nameOf = (id: number) => selectStream(model.state(), id)?.name ?? words.hiddenStream;
  const others = chosen.length < maxHookStreams ? ids.filter((id) => !chosen.includes(id)) : [];
  return (
    <div className={styles['streams']}>
      <SelectField
        ref={field}
        label={words.streams}
        note={words.streamsNote}
        options={[{ value: '', label: words.addStream }, ...others.map((id) => ({ value: String(id), label: nameOf(id) }))]}
        chosen=""
        onChoose={(value) => {
          if (value !== '') onChoose([...chosen, Number(value)]);
        }}
      />
      {chosen.length > 0 && (
        <ul aria-label={words.chosenStreams} className={styles['chosen']}>
          {chosen.map((id) => (
            <li key={id}>
              <span className={styles['what']}>{nameOf(id)}</span>
              <Button
                size="small"
                aria-label={words.removeStream(nameOf(id))}
                onClick={() => {
                  field.current?.focus();
                  onChoose(chosen.filter((each) => each !== id));
                }}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
