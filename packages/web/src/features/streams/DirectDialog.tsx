import { useLayoutEffect, useRef, useState } from 'react';
import { maxDirectParticipants } from '@engawa/protocol';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { MemberPicker } from '../../components/MemberPicker.tsx';
import { useMemberSections } from '../../components/useMemberSections.ts';
import { useScreenKeyboard } from '../../hooks/media.ts';
import { useDirectsWords } from '../../i18n/directs.ts';
import { useGroupsWords } from '../../i18n/groups.ts';
import { directOf, type DirectKey } from '../../model/streams/conversation.ts';
import styles from './GroupDialog.module.css';
import { selectMe } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';

interface DirectDialogProps {
  readonly chosen: readonly number[];
  readonly onChoose: (userIds: readonly number[]) => void;
  readonly onOpen: (conversation: DirectKey) => void;
  readonly onClose: () => void;
}

/** R1.8: opens a direct conversation with the picked members. */
export function DirectDialog({ chosen, onChoose, onOpen, onClose }: DirectDialogProps) {
  const words = useDirectsWords();
  const { cancel } = useGroupsWords();
  const me = useModel(selectMe)?.userId;
  const field = useRef<HTMLInputElement>(null);
  const sections = useMemberSections();
  const [submitted, setSubmitted] = useState(false);
  const screenKeyboard = useScreenKeyboard();
  const others = chosen.filter((userId) => userId !== me);
  const most = maxDirectParticipants - 1;
  const isTooMany = others.length > most;

  useLayoutEffect(() => {
    if (!screenKeyboard) field.current?.focus();
  }, [screenKeyboard]);

  const submit = () => {
    setSubmitted(true);
    if (chosen.length === 0 || isTooMany || me === undefined) field.current?.focus();
    else onOpen(directOf([me, ...chosen]));
  };

  const complaint = isTooMany ? words.tooMany(most) : submitted && chosen.length === 0 ? words.nobody : undefined;
  return (
    <DialogForm
      tall
      heading={words.begin}
      holds={chosen.length > 0}
      failure={complaint}
      closeLabel={cancel}
      submitLabel={words.open}
      onClose={onClose}
      onSubmit={submit}
    >
      <MemberPicker field={field} label={words.to} sections={sections} chosen={chosen} onChoose={onChoose} />
      <p className={styles['advice']}>{words.advice}</p>
    </DialogForm>
  );
}
