import { useRef, useState } from 'react';
import { fullNameLength, type Role } from '@engawa/protocol';
import type { AdministeredMember } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { Select } from '../../../components/primitives/Select.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { trimmedLength } from '../../../validation/trimmedLength.ts';
import { streamChanges, withPosts } from '../departments/departmentModel.ts';
import {
  complaintsAbout,
  draftOf,
  emptyMember,
  mostCharacters,
  rolesFor,
  type MemberDraft,
  type MemberField,
} from './memberDraft.ts';
import { ChoiceRow } from '../ChoiceRow.tsx';
import styles from './MemberForm.module.css';
import { PostsField } from './PostsField.tsx';
import { MutationForm } from '../MutationForm.tsx';
import type { useMutation } from '../../../hooks/mutation.ts';
import { useIsOwner } from '../useOwnRole.ts';

const fields = ['name', 'reading', 'email', 'title'] as const;

const nobody = 0;

interface MemberFormProps {
  readonly member: AdministeredMember | undefined;
  readonly tree: readonly DepartmentNode[] | undefined;
  readonly mutation: ReturnType<typeof useMutation>;
  readonly onSubmit: (draft: MemberDraft, before: MemberDraft) => void;
  readonly onClose: () => void;
}

export function MemberForm({ member, tree, mutation, onSubmit, onClose }: MemberFormProps) {
  const all = useAdministrationWords();
  const words = all.members;
  const [before] = useState(() => (member ? draftOf(member) : emptyMember));
  const [draft, setDraft] = useState(before);
  const [tried, setTried] = useState(false);
  const inputs = useRef(new Map<MemberField, HTMLInputElement>());
  const complaints = complaintsAbout(draft);
  const given = rolesFor({ isOwner: useIsOwner(), role: before.role });

  const change = (changes: Partial<MemberDraft>) => {
    mutation.forget();
    setDraft({ ...draft, ...changes });
  };

  const submit = () => {
    setTried(true);
    const wrong = fields.find((field) => complaints[field] !== undefined);
    if (wrong) inputs.current.get(wrong)?.focus();
    else onSubmit(draft, before);
  };

  const complaint = (field: MemberField) => {
    const found = tried ? complaints[field] : undefined;
    const said: Readonly<Record<string, string>> = {
      required: all.missing,
      minLength: words.nameTooShort(fullNameLength.least),
      maxLength: all.tooLong(mostCharacters[field]),
      email: words.emailMalformed,
    };
    return found && said[found];
  };

  return (
    <MutationForm
      heading={member ? words.editHeading : words.add}
      holds={draft !== before}
      mutation={mutation}
      submitLabel={member ? all.save : all.add}
      busyLabel={member ? all.saving : all.adding}
      onClose={onClose}
      onSubmit={submit}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          ref={(input) => {
            if (input) inputs.current.set(field, input);
          }}
          label={words[field]}
          optional={field === 'reading' || field === 'title'}
          value={draft[field]}
          counter={field === 'email' ? undefined : all.counter(trimmedLength(draft[field]), mostCharacters[field])}
          complaint={complaint(field)}
          onValue={(value) => change({ [field]: value })}
          onEnter={submit}
        />
      ))}
      <RoleField given={given} chosen={draft.role} onChoose={(role) => change({ role })} />
      {tree && (
        <>
          <PostsField tree={tree} chosen={draft.departments} onChoose={(departments) => change({ departments })} />
          {(member?.is_active ?? true) && (
            <Consequences tree={tree} userId={member?.user_id ?? nobody} departments={draft.departments} />
          )}
        </>
      )}
    </MutationForm>
  );
}

function RoleField({ given, chosen, onChoose }: RoleChoiceProps) {
  const words = useAdministrationWords();
  return (
    <ChoiceRow label={words.members.role}>
      {given.length === 1 ? (
        <span className={styles['fixed']}>
          {words.roles[chosen]}
          <small>{words.members.roleFixed}</small>
        </span>
      ) : (
        <RoleChoice given={given} chosen={chosen} onChoose={onChoose} />
      )}
    </ChoiceRow>
  );
}

interface RoleChoiceProps {
  readonly given: readonly Role[];
  readonly chosen: Role;
  readonly onChoose: (role: Role) => void;
}

export function RoleChoice({ given, chosen, onChoose }: RoleChoiceProps) {
  const words = useAdministrationWords();
  const choose = (value: string) => {
    const role = given.find((each) => String(each) === value);
    if (role !== undefined) onChoose(role);
  };
  return (
    <Select
      name={words.members.role}
      options={given.map((role) => ({ value: String(role), label: words.roles[role] }))}
      chosen={String(chosen)}
      onChoose={choose}
    />
  );
}

interface ConsequencesProps {
  readonly tree: readonly DepartmentNode[];
  readonly userId: number;
  readonly departments: readonly string[];
}

function Consequences({ tree, userId, departments }: ConsequencesProps) {
  const words = useAdministrationWords().posts;
  const changes = streamChanges(tree, withPosts(tree, userId, departments));
  const joins = changes.filter((change) => change.joins.includes(userId)).map(({ name }) => name);
  const leaves = changes.filter((change) => change.leaves.includes(userId)).map(({ name }) => name);
  return (
    <output className={styles['consequences']}>
      {joins.length > 0 && <span>{words.joins(joins)}</span>}
      {leaves.length > 0 && <span>{words.leaves(leaves)}</span>}
    </output>
  );
}
