import { useRef, useState } from 'react';
import { imageRefusals } from '@engawa/protocol/uploads';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCapability, useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { Failure } from '../../model/connection/failure.ts';
import { type Me } from '../../model/people/selectors.ts';
import { selectPeople } from '../../model/people/peopleList.ts';
import { PictureField } from '../../components/PictureField.tsx';
import { urlOf, usePictureChoice } from '../../hooks/picture.ts';
import { complaintsAbout, profileFields, type ProfileField } from './profileFields.ts';

type TextFieldName = Exclude<ProfileField, 'image'>;

interface ProfileFormProps {
  readonly me: Me;
  readonly location: string;
  readonly onClose: () => void;
}

/** R2.24.1, R4.12, R5.1: edits the member's own profile. */
export function ProfileForm({ me, location, onClose }: ProfileFormProps) {
  const words = useWords();
  const settings = useSettingsWords();
  const model = useCommands();
  const people = useModel(selectPeople);
  const failureText = useFailureText();
  const choice = usePictureChoice(me.avatarUrl);
  const managesAccounts = useCapability('accounts');
  const hasBuiltIns = useCapability('built_in_pictures');
  // With passwords, the email is the sign-in name, so only administrators change it. Guests change neither email nor name,
  // because the refusal of a taken one would reveal who is in the organisation.
  const { nameFixed } = settings.profileForm;
  const isEmailFixed = me.isGuest || model.session.auth_mode === 'password' || !managesAccounts;
  const emailFixed = managesAccounts ? settings.profileForm.emailFixed : settings.elsewhere.email;
  const fixed: Partial<Texts> = { ...(me.isGuest ? { name: nameFixed } : {}), ...(isEmailFixed ? { email: emailFixed } : {}) };
  const isFixed = (field: ProfileField) => field !== 'image' && fixed[field] !== undefined;
  const [before] = useState<Texts>({ name: me.fullName, email: me.email, location });
  const [texts, setTexts] = useState(before);
  const [submitted, setSubmitted] = useState(false);
  const { busy, failure, submit } = useSubmission();
  const shown = { ...texts, ...(me.isGuest ? { name: me.fullName } : {}), ...(isEmailFixed ? { email: me.email } : {}) };
  const inputs = useRef(new Map<ProfileField, HTMLInputElement | null>());

  const others = people.filter(({ userId }) => userId !== me.userId).flatMap(({ email }) => email || []);
  const complaints = complaintsAbout({ ...texts, image: urlOf(choice.picture) ?? '' }, others);
  const complaintOf = (field: ProfileField): string | undefined => {
    const said: Readonly<Record<string, string>> = settings.profileForm.complaints[field];
    return submitted && !isFixed(field) ? said[complaints[field] ?? ''] : undefined;
  };
  const isChanged = choice.picture.kind !== 'current' || textFields.some((field) => texts[field] !== before[field]);

  const save = async () => {
    const picture = await choice.toSend();
    const failed = picture && (await model.saveProfile({ ...trimmed(shown), picture }));
    if (picture && !failed) onClose();
    return failed;
  };

  const onSubmit = () => {
    setSubmitted(true);
    // A picture that is still being read is validated when it is sent.
    const checked = profileFields.filter((field) => !isFixed(field) && !(field === 'image' && choice.isDecoding()));
    const first = checked.find((field) => complaints[field] !== undefined);
    if (first) inputs.current.get(first)?.focus();
    else void submit(save);
  };

  const textOf = (refusal: Failure): string => {
    if (refusal.kind === 'refused' && refusal.code === 'NAME_IN_USE') return settings.profileForm.complaints.name.taken;
    return isAboutImage(refusal) ? refusal.message : failureText(refusal);
  };

  const refFor = (field: ProfileField) => (input: HTMLInputElement | null) => void inputs.current.set(field, input);

  return (
    <DialogForm
      heading={settings.page.editProfile}
      holds={isChanged}
      failure={failure && textOf(failure)}
      closeLabel={words.close}
      submitLabel={busy ? settings.saving : settings.save}
      submitted={submitted}
      busy={busy}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <PictureField
        ref={refFor('image')}
        name={texts.name}
        id={me.userId}
        hasBuiltIns={hasBuiltIns}
        isRemovable={false}
        choice={choice}
        complaint={complaintOf('image')}
      />
      {textFields.map((field) => (
        <TextField
          key={field}
          ref={refFor(field)}
          label={settings.page[field]}
          {...inputOf[field]}
          value={shown[field]}
          readOnly={isFixed(field)}
          note={fixed[field]}
          complaint={complaintOf(field)}
          quiet
          onValue={(value) => setTexts({ ...texts, [field]: value })}
        />
      ))}
    </DialogForm>
  );
}

const textFields = ['name', 'email', 'location'] as const satisfies readonly TextFieldName[];

type Texts = Readonly<Record<TextFieldName, string>>;

function trimmed({ name, email, location }: Texts): Texts {
  return { name: name.trim(), email: email.trim(), location: location.trim() };
}

const inputOf: Readonly<Record<TextFieldName, { readonly type: 'text' | 'email'; readonly autoComplete: string }>> = {
  name: { type: 'text', autoComplete: 'name' },
  email: { type: 'email', autoComplete: 'email' },
  location: { type: 'text', autoComplete: 'off' },
};

/** R5.2: the server refuses pictures with the fixed texts of `imageRefusals`. */
function isAboutImage(failure: Failure): failure is Extract<Failure, { kind: 'refused' }> {
  return failure.kind === 'refused' && Object.values<string>(imageRefusals).includes(failure.message);
}
