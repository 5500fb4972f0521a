import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { maxStreamDescriptionLength, maxStreamNameLength } from '@engawa/protocol';
import { TextButton } from '../../components/primitives/Button.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { MemberPicker } from '../../components/MemberPicker.tsx';
import { useMemberSections } from '../../components/useMemberSections.ts';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useScreenKeyboard } from '../../hooks/media.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useGroupsWords } from '../../i18n/groups.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { Failure } from '../../model/connection/failure.ts';
import { trimmedLength } from '../../validation/trimmedLength.ts';
import styles from './GroupDialog.module.css';
import { complaintsAbout, mostMembers } from './groupComplaints.ts';
import { emptyGroup, type GroupDraft } from './groupDraft.ts';
import { selectMe, selectName } from '../../model/people/selectors.ts';

interface GroupDialogProps {
  readonly draft: GroupDraft;
  readonly onDraft: (draft: GroupDraft) => void;
  readonly onMade: () => void;
  readonly onOpen: (streamId: number) => void;
  readonly onClose: () => void;
}

/** R2.7.2: creates a group. A refusal is shown in the dialog, and the input is kept. */
export function GroupDialog({ draft, onDraft, onMade, onOpen, onClose }: GroupDialogProps) {
  const words = useGroupsWords();
  const nameField = useRef<HTMLInputElement>(null);
  const descriptionField = useRef<HTMLInputElement>(null);
  const memberField = useRef<HTMLInputElement>(null);
  // Leaves out the creator, who always belongs to the group.
  const sections = useMemberSections(useModel(selectMe)?.userId);
  const [submitted, setSubmitted] = useState(false);
  const { busy, failure, create, dismiss } = useCreation({ draft, onMade, onOpen });
  const complaints = complaintsAbout(draft, submitted);
  const screenKeyboard = useScreenKeyboard();

  useLayoutEffect(() => {
    if (!screenKeyboard) nameField.current?.focus();
  }, [screenKeyboard]);

  const change = (changes: Partial<GroupDraft>) => {
    dismiss();
    onDraft({ ...draft, ...changes });
  };

  const openExisting = (streamId: number) => {
    onClose();
    onOpen(streamId);
  };

  const goOnWithout = (unwanting: readonly number[]) => {
    const userIds = draft.userIds.filter((userId) => !unwanting.includes(userId));
    change({ userIds });
    void create(userIds);
  };

  const submit = () => {
    setSubmitted(true);
    const wrong = complaintsAbout(draft, true);
    if (wrong.name) nameField.current?.focus();
    else if (wrong.description) descriptionField.current?.focus();
    else if (wrong.members) memberField.current?.focus();
    else void create();
  };

  return (
    <DialogForm
      tall
      heading={words.heading}
      holds={draft !== emptyGroup}
      failure={failure && <Refusal failure={failure} onOpen={openExisting} onWithout={goOnWithout} />}
      closeLabel={words.cancel}
      submitLabel={busy ? words.creating : words.create}
      busy={busy}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        ref={nameField}
        label={words.name}
        value={draft.name}
        counter={words.counter(trimmedLength(draft.name), maxStreamNameLength)}
        complaint={
          complaints.name && (complaints.name === 'missing' ? words.nameMissing : words.nameTooLong(maxStreamNameLength))
        }
        onValue={(name) => change({ name })}
        onEnter={() => descriptionField.current?.focus()}
      />
      <TextField
        ref={descriptionField}
        optional
        label={words.description}
        value={draft.description}
        counter={words.counter(trimmedLength(draft.description), maxStreamDescriptionLength)}
        complaint={complaints.description && words.descriptionTooLong(maxStreamDescriptionLength)}
        onValue={(description) => change({ description })}
        onEnter={() => memberField.current?.focus()}
      />
      <MemberPicker
        field={memberField}
        label={words.members}
        sections={sections}
        chosen={draft.userIds}
        onChoose={(userIds) => change({ userIds })}
      />
      <p className={styles['advice']}>{complaints.members ? words.tooManyMembers(mostMembers) : words.advice}</p>
    </DialogForm>
  );
}

interface CreationOptions {
  readonly draft: GroupDraft;
  readonly onMade: () => void;
  readonly onOpen: (streamId: number) => void;
}

function useCreation({ draft, onMade, onOpen }: CreationOptions) {
  const model = useCommands();
  const isShown = useIsShown();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const create = async (userIds = draft.userIds) => {
    setBusy(true);
    setFailure(undefined);
    const made = await model.createGroup(draft.name, userIds, draft.description);
    setBusy(false);
    if (typeof made === 'object') {
      setFailure(made);
      return;
    }
    onMade();
    // A member who closed the dialog meanwhile is not interrupted.
    if (isShown.current) onOpen(made);
  };

  return { busy, failure, create, dismiss: () => setFailure(undefined) };
}

function useIsShown() {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}

interface RefusalProps {
  readonly failure: Failure;
  readonly onOpen: (streamId: number) => void;
  readonly onWithout: (userIds: readonly number[]) => void;
}

function Refusal({ failure, onOpen, onWithout }: RefusalProps) {
  const { names } = useWords().messageTools;
  const words = useGroupsWords();
  const model = useCommands();
  const failureText = useFailureText();
  const existing = failure.kind === 'name-taken' ? failure.streamId : undefined;
  if (failure.kind === 'not-wanted') {
    return (
      <div>
        <p>{failureText(failure)}</p>
        <p>{names(failure.userIds.flatMap((userId) => selectName(model.state(), userId) ?? []))}</p>
        <TextButton underlined onClick={() => onWithout(failure.userIds)}>
          {words.withoutThem}
        </TextButton>
      </div>
    );
  }
  return (
    <p>
      {failureText(failure)}
      {existing !== undefined && (
        <TextButton underlined className={styles['openThat']} onClick={() => onOpen(existing)}>
          {words.openThat}
        </TextButton>
      )}
    </p>
  );
}
