import { useId, useRef, useState } from 'react';
import { roles } from '@engawa/protocol';
import type { DepartmentNode } from '@engawa/protocol/product';
import { Button } from '../../../components/primitives/Button.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { ChoiceRow } from '../ChoiceRow.tsx';
import type { InvitationState } from '../drafts.ts';
import { rolesFor } from '../members/memberDraft.ts';
import { RoleChoice } from '../members/MemberForm.tsx';
import { PostsField } from '../members/PostsField.tsx';
import { useIsOwner } from '../useOwnRole.ts';
import { useRefusalText } from '../useRefusalText.ts';
import styles from './InvitationForm.module.css';
import { SentInvitations } from './SentInvitations.tsx';
import { useInviting } from './useInviting.ts';

interface InvitationFormProps {
  readonly tree: readonly DepartmentNode[];
  readonly onInvited: () => void;
}

/** Invites everybody in a pasted list, with one role and the same departments. */
export function InvitationForm({ tree, onInvited }: InvitationFormProps) {
  const all = useAdministrationWords();
  const words = all.invitations;
  const refusal = useRefusalText();
  const isOwner = useIsOwner();
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const { state, count, hasMalformed, busy, failure, invite, change } = useInviting(onInvited);
  const isEmpty = count === 0 && !hasMalformed;

  const submit = () => {
    setTried(isEmpty);
    if (isEmpty) form.current?.querySelector('textarea')?.focus();
    else invite();
  };

  return (
    <form
      ref={form}
      className={styles['form']}
      aria-label={words.heading}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={words.addresses}
        note={words.addressesAdvice}
        rows={4}
        readOnly={busy}
        value={state.text}
        complaint={tried && isEmpty ? all.missing : undefined}
        onValue={(text) => change({ text })}
      />
      <Refused refused={state.refused} text={state.text} />
      <PostsField tree={tree} chosen={state.departments} onChoose={(departments) => change({ departments })} />
      {state.departments.length === 0 && <p className={styles['note']}>{words.noDepartment}</p>}
      <ChoiceRow label={all.members.role}>
        <RoleChoice given={rolesFor({ isOwner, role: roles.member })} chosen={state.role} onChoose={(role) => change({ role })} />
      </ChoiceRow>
      {failure && <p role="alert">{refusal(failure)}</p>}
      <Button variant="primary" size="medium" type="submit" className={styles['submit']} aria-disabled={busy}>
        {busy ? words.inviting : words.inviteMany(count)}
      </Button>
      {state.sent.length > 0 && <SentInvitations sent={state.sent} onCopied={() => change({ isCopied: true })} />}
    </form>
  );
}

/** An address that the member has corrected or removed is no longer listed. */
function Refused({ refused, text }: Pick<InvitationState, 'refused' | 'text'>) {
  const words = useAdministrationWords().invitations;
  const id = useId();
  const reasons: Readonly<Record<string, string | undefined>> = words.reasons;
  const still = refused.filter(({ email }) => text.split('\n').includes(email));
  if (still.length === 0) return null;
  return (
    <div role="alert" className={styles['refused']}>
      <p id={id}>{words.notInvited(still.length)}</p>
      <ul aria-labelledby={id}>
        {still.map(({ email, code }) => (
          <li key={email}>
            <span>{email}</span>
            <small>{reasons[code] ?? words.reasons.BAD_REQUEST}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
