import { useState } from 'react';
import { fullNameLength, maxTopicLength } from '@engawa/protocol';
import type { Hook, HookSecrets } from '@engawa/protocol/hooks';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useHooksWords } from '../../i18n/hooks.ts';
import { selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';
import { useBotFailure } from '../bots/useBotFailure.ts';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { Select } from '../primitives/Select.tsx';
import { TextField } from '../primitives/TextField.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { changeHook, createHook } from './calls.ts';
import styles from './HookList.module.css';

interface HookFormProps {
  /** Undefined for a new hook. */
  readonly hook: Hook | undefined;
  readonly onClose: () => void;
  readonly onCreated: (secrets: HookSecrets) => void;
  readonly onChanged: () => void;
}

export function HookForm({ hook, onClose, onCreated, onChanged }: HookFormProps) {
  const words = useHooksWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useBotFailure();
  const { busy, failure, submit } = useSubmission();
  const [name, setName] = useState(hook?.name ?? '');
  const [streamId, setStreamId] = useState(hook?.stream_id);
  const [topic, setTopic] = useState(hook?.topic ?? words.usualTopic);
  const [tried, setTried] = useState(false);
  const complaints = {
    name: name.trim().length < fullNameLength.least ? words.nameMissing : undefined,
    stream: streamId === undefined ? words.streamMissing : undefined,
    topic: topic.trim() === '' ? words.topicMissing : undefined,
  };

  const save = () => {
    setTried(true);
    if (streamId === undefined || complaints.name !== undefined || complaints.topic !== undefined) return;
    const body = { name: name.trim(), stream_id: streamId, topic: topic.trim() };
    void submit(async () => {
      if (!hook) {
        const created = await model.ask(createHook(body));
        if (!('answer' in created)) return created;
        onCreated(created.answer);
        return undefined;
      }
      const changed = await model.ask(changeHook(hook.id, body));
      if (!('answer' in changed)) return changed;
      toast({ text: words.saved(body.name), tone: 'note' });
      onChanged();
      return undefined;
    });
  };

  return (
    <DialogForm
      heading={hook ? words.editHeading : words.createHeading}
      holds={name !== (hook?.name ?? '')}
      failure={failure && failureText(failure)}
      submitted={tried}
      closeLabel={words.cancel}
      submitLabel={busy ? (hook ? words.saving : words.creating) : hook ? words.save : words.create}
      busy={busy}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        label={words.name}
        note={words.nameNote}
        value={name}
        maxLength={fullNameLength.most}
        complaint={tried ? complaints.name : undefined}
        onValue={setName}
      />
      <StreamChoice chosen={streamId} complaint={tried ? complaints.stream : undefined} onChoose={setStreamId} />
      <TextField
        label={words.topic}
        note={words.topicNote}
        value={topic}
        maxLength={maxTopicLength}
        complaint={tried ? complaints.topic : undefined}
        onValue={setTopic}
      />
    </DialogForm>
  );
}

interface StreamChoiceProps {
  readonly chosen: number | undefined;
  readonly complaint: string | undefined;
  readonly onChoose: (streamId: number | undefined) => void;
}

/** The member's groups. A hook of another member may be in a group that the member is not in. */
function StreamChoice({ chosen, complaint, onChoose }: StreamChoiceProps) {
  const words = useHooksWords();
  const model = useCommands();
  const ids = useModel(selectStreamIds) ?? [];
  const options = [...new Set([...(chosen === undefined ? [] : [chosen]), ...ids])].map((id) => ({
    value: String(id),
    label: selectStream(model.state(), id)?.name ?? words.hiddenStream,
  }));
  return (
    <div className={styles['choice']}>
      <span aria-hidden>{words.stream}</span>
      <Select
        name={words.stream}
        options={[{ value: '', label: words.chooseStream }, ...options]}
        chosen={chosen === undefined ? '' : String(chosen)}
        onChoose={(value) => onChoose(value === '' ? undefined : Number(value))}
      />
      <p role="alert">{complaint}</p>
    </div>
  );
}
