import { useId, useRef, useState, type SubmitEvent } from 'react';
import { maxEmojiBytes, maxEmojiNameLength } from '@engawa/protocol';
import { Button } from '../../../components/primitives/Button.tsx';
import { EmptyState } from '../../../components/primitives/EmptyState.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { CircleAlert, Icon, Trash2 } from '../../../components/icons.ts';
import { useModel } from '../../../hooks/model.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { selectCustomEmoji } from '../../../model/people/customEmoji.ts';
import { addEmoji, deleteEmoji } from '../calls.ts';
import list from '../List.module.css';
import { ConfirmChange } from '../MutationForm.tsx';
import { RowMenu } from '../RowMenu.tsx';
import { Section } from '../Section.tsx';
import { useMutation } from '../../../hooks/mutation.ts';
import { useRefusalText } from '../useRefusalText.ts';
import styles from './CustomEmoji.module.css';

const types = ['image/png', 'image/gif', 'image/jpeg', 'image/webp'];

/** The organisation's own emoji. The list follows the events of the chat server. */
export function CustomEmoji({ backAddress }: { readonly backAddress: string | undefined }) {
  const all = useAdministrationWords();
  const words = all.emoji;
  const toast = useToast();
  const emoji = [...useModel(selectCustomEmoji).values()];
  const [deleting, setDeleting] = useState<string>();
  return (
    <Section section="emoji" backAddress={backAddress}>
      <AddForm taken={new Set(emoji.map(({ name }) => name))} />
      {emoji.length === 0 ? (
        <EmptyState heading={words.none}>{words.noneAdvice}</EmptyState>
      ) : (
        <ul className={styles['list']} aria-label={words.list}>
          {emoji.map(({ id, name, source_url: url }) => (
            <li key={id} className={list['row']}>
              <img className={styles['picture']} src={url} alt="" />
              <span className={styles['name']}>{`:${name}:`}</span>
              <RowMenu
                name={all.actionsFor(name)}
                itemsOf={() => [{ name: all.delete, icon: Trash2, danger: true, run: () => setDeleting(name) }]}
              />
            </li>
          ))}
        </ul>
      )}
      {deleting !== undefined && (
        <ConfirmChange
          heading={words.deleteHeading}
          submitLabel={all.delete}
          busyLabel={all.delete}
          call={deleteEmoji(deleting)}
          onClose={() => setDeleting(undefined)}
          onDone={() => {
            toast({ text: all.deleted(deleting), tone: 'note' });
            setDeleting(undefined);
          }}
        >
          <p>{words.deleteQuestion(deleting)}</p>
        </ConfirmChange>
      )}
    </Section>
  );
}

function AddForm({ taken }: { readonly taken: ReadonlySet<string> }) {
  const all = useAdministrationWords();
  const words = all.emoji;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const refusal = useRefusalText();
  const { busy, failure, forget, act } = useMutation();
  const [name, setName] = useState('');
  const [picture, setPicture] = useState<File>();
  const [isTried, setTried] = useState(false);
  const nameComplaint = complaintOf(name, taken);
  const pictureComplaint = picture === undefined ? 'missing' : !types.includes(picture.type) ? 'badPicture' : tooLarge(picture);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || nameComplaint || pictureComplaint || !picture) return;
    act(addEmoji(name, picture), () => {
      toast({ text: words.added(name), tone: 'note' });
      setName('');
      setPicture(undefined);
      setTried(false);
      if (input.current) input.current.value = '';
    });
  };
  const textOf = (complaint: Complaint | undefined) =>
    complaint === undefined ? undefined : complaint === 'missing' ? all.missing : words[complaint];

  return (
    <form className={styles['form']} noValidate aria-label={words.addHeading} onSubmit={submit}>
      <TextField
        label={words.name}
        value={name}
        note={words.nameAdvice}
        autoCapitalize="none"
        complaint={isTried || name !== '' ? textOf(nameComplaint) : undefined}
        onValue={(typed) => {
          forget();
          setName(typed.trim().toLowerCase());
        }}
      />
      <label className={styles['file']} htmlFor={id}>
        <span>{words.picture}</span>
        <input
          ref={input}
          id={id}
          type="file"
          accept={types.join()}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => {
            forget();
            setPicture(target.files?.[0]);
          }}
        />
      </label>
      <p id={`${id}-note`} className={styles['note']} role={isTried && pictureComplaint ? 'alert' : undefined}>
        {(isTried || picture) && pictureComplaint ? textOf(pictureComplaint) : words.pictureAdvice}
      </p>
      {failure && (
        <p role="alert" className={styles['failure']}>
          <Icon of={CircleAlert} size={16} />
          {refusal(failure)}
        </p>
      )}
      <Button variant="primary" type="submit" aria-disabled={busy}>
        {busy ? all.adding : all.add}
      </Button>
    </form>
  );
}

type Complaint = 'missing' | 'badName' | 'taken' | 'badPicture' | 'tooLarge';

function complaintOf(name: string, taken: ReadonlySet<string>): Complaint | undefined {
  if (name === '') return 'missing';
  if (name.length > maxEmojiNameLength || !/^[0-9a-z._-]*[0-9a-z]$/.test(name)) return 'badName';
  return taken.has(name) ? 'taken' : undefined;
}

const tooLarge = ({ size }: File): Complaint | undefined => (size > maxEmojiBytes ? 'tooLarge' : undefined);
