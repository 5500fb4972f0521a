import { useRef, useState, type Ref } from 'react';
import { fullNameLength, maxTopicLength } from '@engawa/protocol';
import type { Hook, HookSecrets } from '@engawa/protocol/hooks';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useHooksWords } from '../../i18n/hooks.ts';
import { selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';
import { useBotFailure } from '../bots/useBotFailure.ts';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { SelectField } from '../primitives/SelectField.tsx';
import { TextField } from '../primitives/TextField.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { changeHook, createHook } from './calls.ts';

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
  const nameField = useRef<HTMLInputElement>(null);
  const streamField = useRef<HTMLSelectElement>(null);
  const topicField = useRef<HTMLInputElement>(null);
  const complaints = {
    name: name.trim().length < fullNameLength.least ? words.nameMissing : undefined,
    stream: streamId === undefined ? words.streamMissing : undefined,
    topic: topic.trim() === '' ? words.topicMissing : undefined,
  };

  const save = () => {
    setTried(true);
    if (streamId === undefined || complaints.name !== undefined || complaints.topic !== undefined) {
      (complaints.name ? nameField : complaints.stream ? streamField : topicField).current?.focus();
      return;
    }
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
      holds={name !== (hook?.name ?? '') || streamId !== hook?.stream_id || topic !== (hook?.topic ?? words.usualTopic)}
      failure={failure && failureText(failure)}
      submitted={tried}
      closeLabel={words.cancel}
      submitLabel={busy ? (hook ? words.saving : words.creating) : hook ? words.save : words.create}
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
      <StreamChoice
        field={streamField}
        chosen={streamId}
        complaint={tried ? complaints.stream : undefined}
        onChoose={setStreamId}
      />
      <TextField
        ref={topicField}
        quiet
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
  readonly field: Ref<HTMLSelectElement>;
  readonly chosen: number | undefined;
  readonly complaint: string | undefined;
  readonly onChoose: (streamId: number | undefined) => void;
}

/** The member's groups. A hook of another member may be in a group that the member is not in. */
function StreamChoice({ field, chosen, complaint, onChoose }: StreamChoiceProps) {
  const words = useHooksWords();
  const model = useCommands();
  const ids = useModel(selectStreamIds) ?? [];
  const options = [...new Set([...(chosen === undefined ? [] : [chosen]), ...ids])].map((id) => ({
    value: String(id),
    label: selectStream(model.state(), id)?.name ?? words.hiddenStream,
  }));
  return (
    <SelectField
      ref={field}
      label={words.stream}
      complaint={complaint}
      options={[{ value: '', label: words.chooseStream }, ...options]}
      chosen={chosen === undefined ? '' : String(chosen)}
      onChoose={(value) => onChoose(value === '' ? undefined : Number(value))}
    />
  );
}
