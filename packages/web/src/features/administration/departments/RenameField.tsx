import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { maxDepartmentName } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import type { AdministrationDictionary } from '../../../i18n/administration.ja.ts';
import { changeDepartment } from '../calls.ts';
import { find, isTaken } from './departmentModel.ts';
import styles from './RenameField.module.css';
import { nameComplaint } from '../nameComplaint.ts';
import { useMutation } from '../../../hooks/mutation.ts';
import { useRefusalText } from '../useRefusalText.ts';

interface RenameFieldProps {
  readonly tree: readonly DepartmentNode[];
  readonly code: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onRenamed: (name: string) => void;
}

/** Edits the name of a department in its row. Enter saves, Escape cancels. A refused name stays in the field. */
export function RenameField({ tree, code, name, onClose, onRenamed }: RenameFieldProps) {
  const all = useAdministrationWords();
  const refusal = useRefusalText();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { busy, failure, forget, act } = useMutation();
  const [typed, setTyped] = useState(name);
  const parent = find(tree, code)?.place.parent ?? null;
  const complaint = departmentNameComplaint(typed, isTaken(tree, parent, typed, code), all);

  useLayoutEffect(() => {
    // In some browsers `select` does not focus the field.
    field.current?.focus();
    field.current?.select();
  }, []);

  const save = () => {
    const displayName = typed.trim();
    if (busy || complaint !== undefined) return;
    if (displayName === name) onClose();
    else act(changeDepartment(code, { displayName }), () => onRenamed(displayName));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    event.stopPropagation();
    if (event.key === 'Enter') {
      event.preventDefault();
      save();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
  };

  return (
    <span className={styles['rename']}>
      <input
        ref={field}
        type="text"
        autoComplete="off"
        aria-label={all.departments.renameOf(name)}
        aria-invalid={complaint !== undefined}
        aria-describedby={id}
        readOnly={busy}
        value={typed}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          forget();
          setTyped(event.currentTarget.value);
        }}
      />
      <span id={id} role="alert">
        {complaint ?? (failure && refusal(failure))}
      </span>
    </span>
  );
}

export function departmentNameComplaint(
  typed: string,
  taken: boolean,
  words: Pick<AdministrationDictionary, 'missing' | 'tooLong' | 'departments'>,
): string | undefined {
  return nameComplaint(typed, maxDepartmentName, words) ?? (taken ? words.departments.taken : undefined);
}
