import { useMemo, useRef, useState } from 'react';
import { maxDepartmentDepth, maxDepartmentName } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useSubmission } from '../../../hooks/submission.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { changeDepartment, deleteDepartment, makeDepartment } from '../calls.ts';
import { trimmedLength } from '../../../validation/trimmedLength.ts';
import { find, isTaken, mayStand, moved, streamChanges, type DepartmentMove, type DepartmentPlace } from './departmentModel.ts';
import { departmentOptions } from './departmentOptions.ts';
import { DepartmentPicker, type DepartmentOption } from './DepartmentPicker.tsx';
import { ConfirmChange, MutationForm } from '../MutationForm.tsx';
import { departmentNameComplaint } from './RenameField.tsx';
import { StreamChanges } from './StreamChanges.tsx';
import { useMutation } from '../../../hooks/mutation.ts';
import { useRefusalText } from '../useRefusalText.ts';

interface DialogProps {
  readonly tree: readonly DepartmentNode[];
  readonly onClose: () => void;
  readonly onChanged: (text: string) => void;
}

export type OpenDepartmentDialog =
  /** `at` is the parent or the previous sibling. Undefined stands for the end of the top level. */
  | { readonly kind: 'add'; readonly how: 'below' | 'beside'; readonly at: DepartmentNode | undefined }
  | { readonly kind: 'move' | 'delete'; readonly node: DepartmentNode }
  | { readonly kind: 'confirm'; readonly move: DepartmentMove };

export function DepartmentDialog({ open, ...props }: DialogProps & { readonly open: OpenDepartmentDialog }) {
  if (open.kind === 'add') return <AddDepartment {...props} how={open.how} at={open.at} />;
  if (open.kind === 'confirm') return <ConfirmMove {...props} move={open.move} />;
  if (open.kind === 'move') return <MoveDepartment {...props} node={open.node} />;
  return <DeleteDepartment node={open.node} onClose={props.onClose} onChanged={props.onChanged} />;
}

type AddDepartmentProps = DialogProps & { readonly how: 'below' | 'beside'; readonly at: DepartmentNode | undefined };

function AddDepartment({ tree, how, at, onClose, onChanged }: AddDepartmentProps) {
  const all = useAdministrationWords();
  const words = all.departments;
  const refusal = useRefusalText();
  const model = useCommands();
  const toast = useToast();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const { submit, forget, ...mutation } = useSubmission();
  const place = at && find(tree, at.departmentCd)?.place;
  const parent = how === 'below' ? (at?.departmentCd ?? null) : (place?.parent ?? null);
  const complaint = departmentNameComplaint(typed, isTaken(tree, parent, typed), all);
  const parentName = parent === null ? undefined : find(tree, parent)?.node.displayName;

  const add = async () => {
    const displayName = typed.trim();
    const made = await model.ask(makeDepartment({ displayName, parent }));
    if (!('answer' in made)) return made;
    const placed = how === 'beside' && place ? await model.ask(putBehind(made.answer.departmentCd, place)) : made;
    onChanged(words.added(displayName));
    // The department exists already, as the last sibling. Only the move failed.
    if (!('answer' in placed)) toast({ text: refusal(placed), tone: 'alert' });
    return undefined;
  };

  const trySubmit = () => {
    setTried(true);
    if (complaint !== undefined) field.current?.focus();
    else void submit(add);
  };

  return (
    <MutationForm
      heading={words.addHeading}
      holds={typed !== ''}
      mutation={mutation}
      submitLabel={all.add}
      busyLabel={all.adding}
      onClose={onClose}
      onSubmit={trySubmit}
    >
      <TextField
        ref={field}
        label={words.name}
        value={typed}
        counter={all.counter(trimmedLength(typed), maxDepartmentName)}
        complaint={tried ? complaint : undefined}
        onValue={(value) => {
          forget();
          setTyped(value);
        }}
        onEnter={trySubmit}
      />
      <p>{parentName === undefined ? words.addAtTop : words.addUnder(parentName)}</p>
    </MutationForm>
  );
}

function putBehind(code: string, { parent, position }: DepartmentPlace) {
  return changeDepartment(code, { parent, position: position + 1 });
}

/** Chooses the new parent from a list, as an alternative to dragging. */
function MoveDepartment({ tree, node, onClose, onChanged }: DialogProps & { readonly node: DepartmentNode }) {
  const words = useAdministrationWords().departments;
  const mutation = useMutation();
  const here = find(tree, node.departmentCd)?.place.parent;
  const [chosen, setChosen] = useState<DepartmentOption>();
  const options = useMemo((): readonly DepartmentOption[] => {
    const may = departmentOptions(tree).filter(({ code }) => mayStand(tree, node, code, maxDepartmentDepth));
    return [{ code: null, name: words.moveToTop, above: '' }, ...may].filter(({ code }) => code !== here);
  }, [tree, node, here, words]);
  const siblings = chosen && (chosen.code === null ? tree : (find(tree, chosen.code)?.node.children ?? []));
  const place = chosen && siblings && { parent: chosen.code, position: siblings.length };
  const after = place && moved(tree, node.departmentCd, place, maxDepartmentDepth);

  return (
    <MutationForm
      heading={words.moveHeading(node.displayName)}
      holds={chosen !== undefined}
      mutation={mutation}
      submitLabel={words.moveIt}
      busyLabel={words.moving}
      disabled={!place}
      onClose={onClose}
      onSubmit={() =>
        place && mutation.act(changeDepartment(node.departmentCd, place), () => onChanged(words.moved(node.displayName)))
      }
    >
      <DepartmentPicker
        label={words.moveTo}
        options={options}
        chosen={chosen?.code}
        onPick={(option) => {
          mutation.forget();
          setChosen(option);
        }}
      />
      {after && <StreamChanges changes={streamChanges(tree, after)} />}
    </MutationForm>
  );
}

function ConfirmMove({ tree, move: { code, place }, onClose, onChanged }: DialogProps & { readonly move: DepartmentMove }) {
  const words = useAdministrationWords().departments;
  const name = find(tree, code)?.node.displayName ?? '';
  const after = moved(tree, code, place, maxDepartmentDepth) ?? tree;
  return (
    <ConfirmChange
      heading={words.moveHeading(name)}
      submitLabel={words.moveIt}
      busyLabel={words.moving}
      call={changeDepartment(code, place)}
      onDone={() => onChanged(words.moved(name))}
      onClose={onClose}
    >
      <p>{words.moveAsk(name)}</p>
      <StreamChanges changes={streamChanges(tree, after)} />
    </ConfirmChange>
  );
}

function DeleteDepartment({ node, onClose, onChanged }: Omit<DialogProps, 'tree'> & { readonly node: DepartmentNode }) {
  const all = useAdministrationWords();
  const words = all.departments;
  const { departmentCd: code, displayName: name } = node;
  return (
    <ConfirmChange
      heading={words.deleteHeading}
      submitLabel={all.delete}
      busyLabel={words.deleting}
      danger
      call={deleteDepartment(code)}
      onDone={() => onChanged(all.deleted(name))}
      onClose={onClose}
    >
      <p>{words.deleteQuestion(name)}</p>
    </ConfirmChange>
  );
}
