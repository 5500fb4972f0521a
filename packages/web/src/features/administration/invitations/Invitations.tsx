import { useMemo, useRef, useState } from 'react';
import { roles, type Role } from '@engawa/protocol';
import type { Invitations as Answer, SentLink } from '@engawa/protocol/administration';
import type { DepartmentNode, Session } from '@engawa/protocol/product';
import { Button, TextButton } from '../../../components/primitives/Button.tsx';
import { UserPlus } from '../../../components/icons.ts';
import { EmptyState } from '../../../components/primitives/EmptyState.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { complaintOf, email as emailForm, required } from '../../../validation/validators.ts';
import { invite, listInvitations, takeBackInvitation } from '../calls.ts';
import { departmentNames } from '../departments/departmentModel.ts';
import styles from './Invitations.module.css';
import { LinkDialog } from './LinkDialog.tsx';
import list from '../List.module.css';
import { rolesFor } from '../members/memberDraft.ts';
import { RoleChoice } from '../members/MemberForm.tsx';
import form from '../members/MemberForm.module.css';
import { PostsField } from '../members/PostsField.tsx';
import { MutationForm } from '../MutationForm.tsx';
import { Mark, PagedList } from '../PagedList.tsx';
import { Section } from '../Section.tsx';
import { useMutation } from '../useMutation.ts';
import { useQuery } from '../useQuery.ts';
import { useDepartmentTree } from '../departments/useDepartmentTree.ts';
import { useIsOwner } from '../useOwnRole.ts';
import { useRefusalText } from '../useRefusalText.ts';
import { selectName } from '../../../model/people/selectors.ts';

type OpenDialog = { readonly kind: 'invite' } | { readonly kind: 'link'; readonly to: string; readonly sent: SentLink };

export function Invitations({ session, backAddress }: { readonly session: Session; readonly backAddress: string | undefined }) {
  const words = useAdministrationWords();
  if (session.auth_mode === 'password') return <OpenInvitations backAddress={backAddress} />;
  return (
    <Section section="invitations" backAddress={backAddress}>
      <EmptyState heading={words.invitations.notHere} />
    </Section>
  );
}

function OpenInvitations({ backAddress }: { readonly backAddress: string | undefined }) {
  const words = useAdministrationWords().invitations;
  const [open, setOpen] = useState<OpenDialog>();
  const { answer, failure, reload } = useQuery<Answer>(listInvitations);
  const { answer: tree } = useDepartmentTree();
  const names = useMemo(() => departmentNames(tree ?? []), [tree]);
  return (
    <Section
      section="invitations"
      backAddress={backAddress}
      action={
        <Button variant="primary" size="medium" className={list['add']} onClick={() => setOpen({ kind: 'invite' })}>
          <UserPlus aria-hidden size={18} strokeWidth={1.9} />
          {words.invite}
        </Button>
      }
    >
      <PagedList
        query={{ rows: answer?.invitations, failure, reload }}
        label={words.list}
        empty={<EmptyState heading={words.none}>{words.noneAdvice}</EmptyState>}
        skeletonRows={4}
      >
        {(each) => <Row key={each.id} invitation={each} names={names} onChanged={reload} />}
      </PagedList>
      {open?.kind === 'invite' && (
        <InviteForm
          tree={tree ?? []}
          onClose={() => setOpen(undefined)}
          onSent={(to, sent) => {
            reload();
            setOpen({ kind: 'link', to, sent });
          }}
        />
      )}
      {open?.kind === 'link' && <LinkDialog what="invitation" to={open.to} sent={open.sent} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

interface RowProps {
  readonly invitation: Answer['invitations'][number];
  readonly names: ReadonlyMap<string, string>;
  readonly onChanged: () => void;
}

function Row({ invitation: { id, email, role, departments, invited_by: invitedBy, made, ends }, names, onChanged }: RowProps) {
  const all = useAdministrationWords();
  const words = all.invitations;
  const model = useCommands();
  const times = useTimes();
  const toast = useToast();
  const refusal = useRefusalText();
  const [busy, setBusy] = useState(false);

  const takeBack = async () => {
    if (busy) return;
    setBusy(true);
    const answered = await model.ask(takeBackInvitation(id));
    setBusy(false);
    const text = 'answer' in answered ? words.takenBack(email) : refusal(answered);
    toast({ text, tone: 'answer' in answered ? 'note' : 'alert' });
    onChanged();
  };

  return (
    <li className={list['row']}>
      <span className={styles['who']}>
        <span className={styles['email']}>
          {email}
          {role !== roles.member && <Mark>{all.roles[role]}</Mark>}
        </span>
        <small>{all.list(departments.flatMap((code) => names.get(code) ?? []))}</small>
        <small>{words.by(selectName(model.state(), invitedBy) ?? '', times.recent(made))}</small>
      </span>
      <span className={styles['ends']}>{words.ends(times.recent(ends))}</span>
      <TextButton
        tone="danger"
        className={styles['takeBack']}
        aria-label={words.takeBackOf(email)}
        aria-disabled={busy}
        onClick={() => void takeBack()}
      >
        {words.takeBack}
      </TextButton>
    </li>
  );
}

interface InviteFormProps {
  readonly tree: readonly DepartmentNode[];
  readonly onClose: () => void;
  readonly onSent: (email: string, sent: SentLink) => void;
}

function InviteForm({ tree, onClose, onSent }: InviteFormProps) {
  const all = useAdministrationWords();
  const words = all.invitations;
  const isOwner = useIsOwner();
  const field = useRef<HTMLInputElement>(null);
  const mutation = useMutation();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(roles.member);
  const [departments, setDepartments] = useState<readonly string[]>([]);
  const [tried, setTried] = useState(false);
  const wrong = complaintOf(email.trim(), [required, emailForm]);
  const complaint = wrong === 'required' ? all.missing : all.members.emailMalformed;

  const submit = () => {
    setTried(true);
    if (wrong !== undefined) field.current?.focus();
    else mutation.act(invite({ email: email.trim(), role, departments: [...departments] }), (sent) => onSent(email.trim(), sent));
  };

  return (
    <MutationForm
      heading={words.heading}
      holds={email !== '' || departments.length > 0}
      mutation={mutation}
      submitLabel={words.invite}
      busyLabel={words.inviting}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        ref={field}
        label={all.members.email}
        value={email}
        complaint={tried && wrong !== undefined ? complaint : undefined}
        onValue={(value) => {
          mutation.forget();
          setEmail(value);
        }}
        onEnter={submit}
      />
      <div className={form['role']}>
        <span aria-hidden>{all.members.role}</span>
        <RoleChoice given={rolesFor({ isOwner, role: roles.member })} chosen={role} onChoose={setRole} />
      </div>
      <PostsField tree={tree} chosen={departments} onChoose={setDepartments} />
    </MutationForm>
  );
}
