import { useRef, useState } from 'react';
import type { BotType } from '@engawa/protocol';
import { useCommands } from '../../hooks/model.ts';
import { urlOf, usePictureChoice } from '../../hooks/picture.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import type { BotView } from '../../model/people/bots.ts';
import { PictureField } from '../PictureField.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { SelectField } from '../primitives/SelectField.tsx';
import { TextField } from '../primitives/TextField.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { isShortName, nameComplaint } from './botDraft.ts';
import { useBotFailure } from './useBotFailure.ts';

/** Outgoing webhook bots need an address, which another screen has. */
const offered = [2, 1] as const satisfies readonly BotType[];

export function NewBotForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (userId: number) => void;
}) {
  const words = useBotsWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useBotFailure();
  const { busy, failure, submit } = useSubmission();
  const [name, setName] = useState('');
  const [shortName, setShortName] = useState('');
  const [type, setType] = useState<(typeof offered)[number]>(offered[0]);
  const [submitted, setSubmitted] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const shortNameField = useRef<HTMLInputElement>(null);
  const wrongName = nameComplaint(name);

  const onSubmit = async () => {
    setSubmitted(true);
    if (wrongName) nameField.current?.focus();
    else if (!isShortName(shortName)) shortNameField.current?.focus();
    else {
      await submit(async () => {
        const fullName = name.trim();
        const created = await model.account((own) => own.createBot({ fullName, shortName: shortName.trim(), type }));
        if ('kind' in created) return created;
        toast({ text: words.created(fullName), tone: 'note' });
        onCreated(created.userId);
        return undefined;
      });
    }
  };

  return (
    <DialogForm
      heading={words.add}
      holds={name !== '' || shortName !== '' || type !== offered[0]}
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? words.adding : words.add}
      submitted={submitted}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void onSubmit()}
    >
      <TextField
        ref={nameField}
        label={words.name}
        value={name}
        complaint={submitted && wrongName ? words.complaints[wrongName] : undefined}
        quiet
        onValue={setName}
        onEnter={() => shortNameField.current?.focus()}
      />
      <TextField
        ref={shortNameField}
        label={words.shortName}
        value={shortName}
        note={words.shortNameAdvice}
        autoCapitalize="none"
        spellCheck={false}
        complaint={submitted && !isShortName(shortName) ? words.complaints.shortName : undefined}
        quiet
        onValue={setShortName}
      />
      <SelectField
        label={words.type}
        note={words.typeAdvice[type]}
        options={offered.map((value) => ({ value: String(value), label: words.types[value] }))}
        chosen={String(type)}
        onChoose={(chosen) => setType(offered.find((each) => String(each) === chosen) ?? offered[0])}
      />
    </DialogForm>
  );
}

export function EditBotForm({ bot, onClose }: { readonly bot: BotView; readonly onClose: () => void }) {
  const words = useBotsWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useBotFailure();
  const { busy, failure, submit } = useSubmission();
  const [name, setName] = useState(bot.fullName);
  const choice = usePictureChoice(bot.avatarUrl);
  const file = useRef<HTMLInputElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const wrongName = nameComplaint(name);

  const save = async () => {
    const picture = await choice.toSend();
    if (picture === undefined) return undefined;
    const fullName = name.trim();
    if (fullName !== bot.fullName) {
      const failed = await model.account((own) => own.renameBot(bot.userId, fullName));
      if (failed) return failed;
    }
    if (picture instanceof Blob || picture === 'none') {
      const failed = await model.account((own) => own.setBotPicture(bot.userId, picture));
      if (failed) return failed;
    }
    toast({ text: words.saved(fullName), tone: 'note' });
    onClose();
    return undefined;
  };

  return (
    <DialogForm
      heading={words.edit}
      holds={name !== bot.fullName || choice.picture.kind !== 'current'}
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? words.saving : words.save}
      busy={busy}
      onClose={onClose}
      onSubmit={() => (wrongName === undefined ? void submit(save) : nameField.current?.focus())}
    >
      <PictureField
        ref={file}
        name={name}
        id={bot.userId}
        hasBuiltIns={false}
        isRemovable={urlOf(choice.picture) !== undefined}
        choice={choice}
        complaint={undefined}
      />
      <TextField
        ref={nameField}
        label={words.name}
        value={name}
        complaint={wrongName && words.complaints[wrongName]}
        onValue={setName}
      />
    </DialogForm>
  );
}
