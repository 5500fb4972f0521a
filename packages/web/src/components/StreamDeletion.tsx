import { NamedAvatar } from './NamedPicture.tsx';
import { useState } from 'react';
import { streamNameKey } from '@engawa/protocol';
import { useStreamWords } from '../i18n/stream.ts';
import { DialogForm } from './primitives/DialogForm.tsx';
import styles from './StreamDeletion.module.css';
import { TextField } from './primitives/TextField.tsx';

/** R2.11.4: the member types the name of the stream to delete it, which prevents mistakes. */
export function StreamDeletion({
  stream: { streamId, name, profile, members },
  failure,
  busy,
  onDelete,
  onClose,
}: {
  readonly stream: {
    readonly streamId: number;
    readonly name: string;
    readonly profile: string | undefined;
    readonly members: number;
  };
  readonly failure: string | undefined;
  readonly busy: boolean;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}) {
  const words = useStreamWords();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const isSame = streamNameKey(typed) === streamNameKey(name);
  const submit = () => {
    setTried(true);
    if (isSame) onDelete();
  };
  return (
    <DialogForm
      heading={words.deleteHeading}
      holds={typed !== ''}
      failure={failure}
      closeLabel={words.cancel}
      submitLabel={busy ? words.deleting : words.deleteIt}
      danger
      busy={busy}
      onClose={onClose}
      onSubmit={submit}
    >
      <NamedAvatar id={streamId} name={name} picture={profile} />
      <p className={styles['question']}>{words.deleteQuestion(members)}</p>
      <TextField
        label={words.typeName(name)}
        value={typed}
        counter=""
        complaint={tried && !isSame ? words.otherName : undefined}
        onValue={(text) => {
          setTyped(text);
          setTried(false);
        }}
        onEnter={submit}
      />
    </DialogForm>
  );
}
