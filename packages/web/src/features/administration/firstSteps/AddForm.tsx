import { useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../components/primitives/Button.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import { trimmedLength } from '../../../validation/trimmedLength.ts';
import { useRefusalText } from '../useRefusalText.ts';
import styles from './FirstSteps.module.css';

interface AddFormProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly typed: string;
  readonly most: number;
  readonly complaint: string | undefined;
  readonly submission: { readonly busy: boolean; readonly failure: Failure | undefined; readonly forget: () => void };
  readonly onType: (name: string) => void;
  readonly onAdd: () => void;
  readonly children?: ReactNode;
}

/** Adds one name after another: Enter adds, and the field keeps the focus for the next name. */
export function AddForm({ label, placeholder, typed, most, complaint, submission, onType, onAdd, children }: AddFormProps) {
  const all = useAdministrationWords();
  const refusal = useRefusalText();
  const field = useRef<HTMLInputElement>(null);
  const [tried, setTried] = useState(false);
  const { busy, failure, forget } = submission;

  const add = () => {
    setTried(complaint !== undefined);
    field.current?.focus();
    if (complaint === undefined) onAdd();
  };

  return (
    <>
      <form
        className={styles['add']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          ref={field}
          label={label}
          placeholder={placeholder}
          value={typed}
          counter={all.counter(trimmedLength(typed), most)}
          complaint={tried ? complaint : undefined}
          onValue={(name) => {
            setTried(false);
            forget();
            onType(name);
          }}
          onEnter={add}
        />
        {children}
        <Button variant="primary" size="medium" type="submit" aria-disabled={busy}>
          {busy ? all.adding : all.add}
        </Button>
      </form>
      {failure && <p role="alert">{refusal(failure)}</p>}
    </>
  );
}
