import { useRef, useState } from 'react';
import { maxAudienceDepartments, maxAudienceMembers, type Audience } from '@engawa/protocol';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { MemberPicker } from '../../components/MemberPicker.tsx';
import { useMemberSections } from '../../components/useMemberSections.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import styles from './AudienceDialog.module.css';
import { selectMe } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';

type Picked = Pick<Audience, 'user_ids' | 'departments'>;

interface AudienceDialogProps {
  readonly heading: string;
  readonly label: string;
  readonly audience: Audience;
  readonly onSave: (picked: Picked) => void;
  readonly onClose: () => void;
}

/** R2.25.3: selects the members and departments of an audience. */
export function AudienceDialog({ heading, label, audience, onSave, onClose }: AudienceDialogProps) {
  const { privacy: words, cancel, save } = useSettingsWords();
  const field = useRef<HTMLInputElement>(null);
  // Leaves out the own member, who always sees their own data.
  const sections = useMemberSections(useModel(selectMe)?.userId);
  const [before] = useState<Picked>({ user_ids: audience.user_ids, departments: audience.departments });
  const [picked, setPicked] = useState(before);
  const [submitted, setSubmitted] = useState(false);
  const { user_ids: userIds, departments: codes } = picked;
  const isTooMany = userIds.length > maxAudienceMembers || codes.length > maxAudienceDepartments;
  const isEmpty = userIds.length + codes.length === 0;

  const submit = () => {
    setSubmitted(true);
    if (isTooMany || isEmpty) field.current?.focus();
    else onSave(picked);
  };

  return (
    <DialogForm
      tall
      heading={heading}
      holds={picked !== before}
      failure={
        (isTooMany && words.audienceTooMany(maxAudienceMembers, maxAudienceDepartments)) ||
        (submitted && isEmpty && words.audienceEmpty)
      }
      closeLabel={cancel}
      submitLabel={save}
      onClose={onClose}
      onSubmit={submit}
    >
      <MemberPicker
        field={field}
        label={label}
        sections={sections}
        chosen={userIds}
        onChoose={(chosen) => setPicked({ ...picked, user_ids: [...chosen] })}
        departments={{ chosen: codes, onChoose: (chosen) => setPicked({ ...picked, departments: [...chosen] }) }}
      />
      <p className={styles['advice']}>{words.audienceAdvice}</p>
    </DialogForm>
  );
}
