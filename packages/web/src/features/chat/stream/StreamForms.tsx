/** The forms of a stream's profile (R2.11.1). Each returns to the profile. */
import { NamedAvatar } from '../../../components/NamedPicture.tsx';
import { useMemo, useRef, useState } from 'react';
import { maxPrincipals, maxStreamDescriptionLength, maxStreamNameLength } from '@engawa/protocol';
import { TextButton } from '../../../components/primitives/Button.tsx';
import { DialogForm } from '../../../components/primitives/DialogForm.tsx';
import { MemberPicker } from '../../../components/MemberPicker.tsx';
import { memberSections, type Member } from '../../../components/memberSections.ts';
import { PictureField } from '../../../components/PictureField.tsx';
import { usePictureChoice } from '../../../hooks/picture.ts';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useGroupsWords } from '../../../i18n/groups.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import { useSettingsWords } from '../../../i18n/settings.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import type { StreamChange } from '../../../model/streams/streamChanges.ts';
import { trimmedLength } from '../../../validation/trimmedLength.ts';
import styles from './StreamForms.module.css';
import { useDenialReason, useStreamChange } from './streamActions.ts';
import { selectDepartments, selectName } from '../../../model/people/selectors.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';

interface FormProps {
  readonly stream: StreamView;
  readonly onClose: () => void;
}

export function EditStream({ stream, onClose }: FormProps) {
  const settings = useSettingsWords();
  const limits = useGroupsWords();
  const words = useStreamWords();
  const failureText = useFailureText();
  const reasonFor = useDenialReason(stream);
  const choice = usePictureChoice(stream.profile);
  const [name, setName] = useState(stream.name);
  const [description, setDescription] = useState(stream.description);
  const { failure, busy: submitting, submit } = useStreamChange(stream.streamId, onClose);
  const [preparing, setPreparing] = useState(false);
  const busy = submitting || preparing;
  const descriptionField = useRef<HTMLInputElement>(null);
  const pictureField = useRef<HTMLInputElement>(null);
  const [before] = useState({ name: stream.name, description: stream.description });
  const isRewritten = name.trim() !== before.name || description.trim() !== before.description;
  const tooLong = trimmedLength(name) > maxStreamNameLength ? limits.nameTooLong(maxStreamNameLength) : undefined;
  const complaint = trimmedLength(name) === 0 ? limits.nameMissing : tooLong;
  const tooMuch = trimmedLength(description) > maxStreamDescriptionLength;
  const whyNoName = reasonFor('rename');
  const whyNoPicture = reasonFor('picture');

  const save = async () => {
    if (complaint !== undefined || tooMuch || busy) return;
    setPreparing(true);
    const picture = await choice.toSend();
    setPreparing(false);
    if (picture === undefined) return;
    const changes: StreamChange[] = [];
    if (picture instanceof Blob || picture === 'none') changes.push({ kind: 'picture', image: picture });
    // Another member may have changed the stream meanwhile; untouched fields keep the current value.
    if (isRewritten) {
      changes.push({
        kind: 'change',
        name: name.trim() === before.name ? stream.name : name.trim(),
        description: description.trim() === before.description ? stream.description : description.trim(),
      });
    }
    submit(...changes);
  };

  return (
    <DialogForm
      heading={words.editHeading}
      holds={isRewritten || choice.picture.kind !== 'current'}
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? settings.saving : settings.save}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      {whyNoPicture === undefined && (
        <PictureField
          ref={pictureField}
          name={name}
          id={stream.streamId}
          hasBuiltIns={false}
          isRemovable
          choice={choice}
          complaint={undefined}
        />
      )}
      {whyNoName === undefined ? (
        <TextField
          label={words.name}
          value={name}
          counter={limits.counter(trimmedLength(name), maxStreamNameLength)}
          complaint={complaint}
          onValue={setName}
          onEnter={() => descriptionField.current?.focus()}
        />
      ) : (
        <p className={styles['advice']}>{whyNoName}</p>
      )}
      <TextField
        ref={descriptionField}
        optional
        label={words.description}
        value={description}
        counter={limits.counter(trimmedLength(description), maxStreamDescriptionLength)}
        complaint={tooMuch ? words.descriptionTooLong(maxStreamDescriptionLength) : undefined}
        onValue={setDescription}
        onEnter={() => void save()}
      />
    </DialogForm>
  );
}

export function InviteMembers({ stream, onClose }: FormProps) {
  const words = useStreamWords();
  const { tooManyMembers } = useGroupsWords();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { failure, busy, submit } = useStreamChange(stream.streamId, onClose);
  const field = useRef<HTMLInputElement>(null);
  const sections = useOthers(stream.subscribers);
  const tooMany = chosen.length > maxPrincipals;
  const invite = (userIds: readonly number[]) => {
    if (userIds.length === 0) onClose();
    else if (userIds.length <= maxPrincipals) submit({ kind: 'invite', userIds });
  };
  const withoutThem = (failed: Failure & { readonly kind: 'not-wanted' }) => {
    const rest = chosen.filter((userId) => !failed.userIds.includes(userId));
    setChosen(rest);
    invite(rest);
  };
  return (
    <DialogForm
      tall
      heading={words.inviteHeading(stream.name)}
      holds={chosen.length > 0}
      failure={failure && <Refusal failure={failure} onWithout={withoutThem} />}
      closeLabel={words.cancel}
      submitLabel={busy ? words.inviting : words.inviteThem}
      busy={busy}
      onClose={onClose}
      onSubmit={() => invite(chosen)}
    >
      <MemberPicker field={field} label={words.membersHeading} sections={sections} chosen={chosen} onChoose={setChosen} />
      <p className={styles['advice']}>{tooMany ? tooManyMembers(maxPrincipals) : words.inviteAdvice}</p>
    </DialogForm>
  );
}

function Refusal({
  failure,
  onWithout,
}: {
  readonly failure: Failure;
  readonly onWithout: (failure: Failure & { readonly kind: 'not-wanted' }) => void;
}) {
  const words = useWords().messageTools;
  const { withoutThem } = useGroupsWords();
  const failureText = useFailureText();
  const model = useCommands();
  if (failure.kind !== 'not-wanted') return failureText(failure);
  const names = failure.userIds.flatMap((userId) => selectName(model.state(), userId) ?? []);
  return (
    <div>
      <p>{failureText(failure)}</p>
      <p>{words.names(names)}</p>
      <TextButton underlined onClick={() => onWithout(failure)}>
        {withoutThem}
      </TextButton>
    </div>
  );
}

function useOthers(subscribers: readonly number[]) {
  const people = useModel(selectPeople);
  const departments = useModel(selectDepartments);
  return useMemo(() => {
    const inside = new Set(subscribers);
    const others = people.filter(({ userId }) => !inside.has(userId));
    return memberSections(others, departments ?? []);
  }, [people, departments, subscribers]);
}

export function LeaveStream({ stream, onClose }: FormProps) {
  const words = useStreamWords();
  const failureText = useFailureText();
  const { failure, busy, submit } = useStreamChange(stream.streamId, onClose);
  const isLast = stream.subscribers.length <= 1;
  return (
    <DialogForm
      heading={words.leaveHeading}
      holds={false}
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? words.leaving : words.leaveIt}
      danger
      busy={busy}
      onClose={onClose}
      onSubmit={() => submit({ kind: 'leave' })}
    >
      <NamedAvatar id={stream.streamId} name={stream.name} picture={stream.profile} />
      <p className={styles['question']}>{isLast ? words.leaveLast : words.leaveQuestion}</p>
    </DialogForm>
  );
}

export function RemoveMember({ stream, member, onClose }: FormProps & { readonly member: Member }) {
  const words = useStreamWords();
  const failureText = useFailureText();
  const { failure, busy, submit } = useStreamChange(stream.streamId, onClose);
  return (
    <DialogForm
      heading={words.removeHeading}
      holds={false}
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? words.removing : words.removeThem}
      danger
      busy={busy}
      onClose={onClose}
      onSubmit={() => submit({ kind: 'remove', userIds: [member.userId] })}
    >
      <NamedAvatar id={member.userId} name={member.fullName} picture={member.avatarUrl} />
      <p className={styles['question']}>{words.removeQuestion(stream.name)}</p>
    </DialogForm>
  );
}
