import { useCallback, useMemo, useState } from 'react';
import { roles } from '@engawa/protocol';
import type { AdministeredMember, AdministeredMembers, SentLink } from '@engawa/protocol/administration';
import type { DepartmentNode, Session } from '@engawa/protocol/product';
import { Button } from '../../../components/primitives/Button.tsx';
import { ListRow } from '../../../components/primitives/ListRow.tsx';
import { Choice } from '../../../components/primitives/Choice.tsx';
import { Face } from '../../../components/Face.tsx';
import { Ban, Icon, Link2, LogOut, Pencil, Undo2, UserPlus } from '../../../components/icons.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { EmptyState } from '../../../components/primitives/EmptyState.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { changeMember, endSessionsOf, listMembers, makeMember, resetPassword, type MemberState } from '../calls.ts';
import { departmentNames } from '../departments/departmentModel.ts';
import { LinkDialog } from '../invitations/LinkDialog.tsx';
import list from '../List.module.css';
import { changeOf, type MemberDraft } from './memberDraft.ts';
import { MemberForm } from './MemberForm.tsx';
import styles from './Members.module.css';
import { ConfirmChange } from '../MutationForm.tsx';
import { ListSearch, Mark, PagedList } from '../PagedList.tsx';
import { RowMenu } from '../RowMenu.tsx';
import { Section } from '../Section.tsx';
import { useMutation } from '../../../hooks/mutation.ts';
import { useDepartmentTree } from '../departments/useDepartmentTree.ts';
import { useIsOwner } from '../useOwnRole.ts';
import { usePagedQuery } from '../usePagedQuery.ts';
import { useDebounced } from '../useDebounced.ts';
import { selectAvatarUrl, selectMe } from '../../../model/people/selectors.ts';
import { useModel } from '../../../hooks/model.ts';

const states = ['active', 'inactive', 'all'] as const;

const pageOf = ({ members: rows, next, total }: AdministeredMembers) => ({ rows, next, total });

type OpenDialog =
  | { readonly kind: 'make' }
  | { readonly kind: 'edit' | 'deactivate' | 'reactivate' | 'reset' | 'sessions'; readonly member: AdministeredMember }
  | { readonly kind: 'link'; readonly to: string; readonly sent: SentLink };

export function Members({ session, backAddress }: { readonly session: Session; readonly backAddress: string | undefined }) {
  const words = useAdministrationWords();
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<MemberState>('active');
  const [open, setOpen] = useState<OpenDialog>();
  const search = useDebounced(typed.trim());
  const ask = useCallback((after: number | undefined) => listMembers({ search, state, after }), [search, state]);
  const query = usePagedQuery(ask, pageOf);
  const departments = useDepartmentTree();
  const names = useMemo(() => departmentNames(departments.answer ?? []), [departments.answer]);

  const changed = () => {
    // Keeps another dialog open that the member opened before the answer arrived.
    setOpen((now) => (now === open ? undefined : now));
    query.reload();
    departments.reload();
  };

  return (
    <Section
      section="members"
      backAddress={backAddress}
      action={
        <Button variant="primary" size="medium" className={list['add']} onClick={() => setOpen({ kind: 'make' })}>
          <Icon of={UserPlus} size={18} strokeWidth={1.9} />
          {words.members.add}
        </Button>
      }
      top={
        <ListSearch label={words.members.search} onQuery={setTyped}>
          <Choice
            label={words.members.state}
            labelled={false}
            options={states.map((value) => ({ value, label: words.members.states[value] }))}
            chosen={state}
            onChoose={setState}
          />
          <output className={list['total']}>{query.total !== undefined && words.members.total(query.total)}</output>
        </ListSearch>
      }
    >
      <PagedList
        query={query}
        label={words.members.list}
        empty={<EmptyState heading={words.members.none}>{words.members.noneAdvice}</EmptyState>}
      >
        {(member) => (
          <MemberRow
            key={member.user_id}
            member={member}
            names={names}
            hasPasswords={session.auth_mode === 'password'}
            onOpen={setOpen}
          />
        )}
      </PagedList>
      {open && <Dialogs open={open} tree={departments.answer} onOpen={setOpen} onChanged={changed} />}
    </Section>
  );
}

interface MemberRowProps {
  readonly member: AdministeredMember;
  readonly names: ReadonlyMap<string, string>;
  readonly hasPasswords: boolean;
  readonly onOpen: (open: OpenDialog) => void;
}

function MemberRow({ member, names, hasPasswords, onOpen }: MemberRowProps) {
  const all = useAdministrationWords();
  const words = all.members;
  const me = useModel(selectMe);
  const face = useModel(selectAvatarUrl, member.user_id, undefined);
  const departments = all.list(member.departments.flatMap((code) => names.get(code) ?? []));
  const items = useActions(member, { hasPasswords, onOpen });
  const isMe = me?.userId === member.user_id;
  return (
    <li className={list['row']} data-inactive={!member.is_active}>
      <ListRow className={styles['member']} onClick={() => onOpen({ kind: 'edit', member })}>
        <Face id={member.user_id} name={member.full_name} picture={face} size="list" />
        <span className={styles['who']}>
          <span className={styles['name']}>
            {member.full_name}
            {isMe && <Mark>{words.you}</Mark>}
            {!member.is_active && <Mark tone="off">{words.states.inactive}</Mark>}
            {hasPasswords && member.is_active && !member.has_password && <Mark tone="open">{words.noPassword}</Mark>}
          </span>
          <small>{[member.reading, member.title].filter((part) => part !== '').join('・')}</small>
        </span>
        <span className={styles['email']}>{member.email}</span>
        <span className={styles['departments']}>{departments === '' ? words.noDepartment : departments}</span>
        <span className={styles['role']} data-plain={member.role === roles.member}>
          {all.roles[member.role]}
        </span>
      </ListRow>
      <RowMenu name={all.actionsFor(member.full_name)} itemsOf={() => items} />
    </li>
  );
}

function useActions(
  member: AdministeredMember,
  { hasPasswords, onOpen }: { readonly hasPasswords: boolean; readonly onOpen: (open: OpenDialog) => void },
): readonly MenuItem[] {
  const words = useAdministrationWords().members;
  const me = useModel(selectMe);
  const isOwner = useIsOwner();
  const notOwner = member.role === roles.owner && !isOwner ? words.notOwner : undefined;
  const notSelf = me?.userId === member.user_id ? words.notSelf : undefined;

  const edit: MenuItem = { name: words.edit, icon: Pencil, run: () => onOpen({ kind: 'edit', member }) };
  if (!member.is_active) {
    return [edit, { name: words.reactivate, icon: Undo2, reason: notOwner, run: () => onOpen({ kind: 'reactivate', member }) }];
  }
  const reset: MenuItem = { name: words.reset, icon: Link2, reason: notOwner, run: () => onOpen({ kind: 'reset', member }) };
  return [
    edit,
    ...(hasPasswords ? [reset] : []),
    { name: words.endSessions, icon: LogOut, reason: notOwner, run: () => onOpen({ kind: 'sessions', member }) },
    {
      name: words.deactivate,
      icon: Ban,
      danger: true,
      reason: notSelf ?? notOwner,
      run: () => onOpen({ kind: 'deactivate', member }),
    },
  ];
}

interface DialogProps {
  readonly tree: readonly DepartmentNode[] | undefined;
  readonly onOpen: (open: OpenDialog | undefined) => void;
  readonly onChanged: () => void;
}

function Dialogs({ open, ...props }: DialogProps & { readonly open: OpenDialog }) {
  const { onOpen } = props;
  switch (open.kind) {
    case 'make':
      return <AddMember {...props} />;
    case 'link':
      return <LinkDialog to={open.to} sent={open.sent} onClose={() => onOpen(undefined)} />;
    case 'edit':
      return <EditMember member={open.member} {...props} />;
    default:
      return <ConfirmAction kind={open.kind} member={open.member} {...props} />;
  }
}

function AddMember({ tree, onOpen, onChanged }: DialogProps) {
  const words = useAdministrationWords().members;
  const toast = useToast();
  const mutation = useMutation();
  const add = ({ name, reading, email, title, role, departments }: MemberDraft) => {
    const full_name = name.trim();
    mutation.act(makeMember({ full_name, reading, email, title, role, departments: [...departments] }), ({ link: sent }) => {
      onChanged();
      toast({ text: words.added(full_name), tone: 'note' });
      if (sent) onOpen({ kind: 'link', to: full_name, sent });
    });
  };
  return <MemberForm member={undefined} tree={tree} mutation={mutation} onSubmit={add} onClose={() => onOpen(undefined)} />;
}

function EditMember({ member, tree, onOpen, onChanged }: DialogProps & { readonly member: AdministeredMember }) {
  const words = useAdministrationWords().members;
  const toast = useToast();
  const mutation = useMutation();
  const close = () => onOpen(undefined);
  const save = (draft: MemberDraft, before: MemberDraft) => {
    const change = changeOf(before, draft);
    if (Object.keys(change).length === 0) return close();
    return mutation.act(changeMember(member.user_id, change), () => {
      toast({ text: words.saved(draft.name.trim()), tone: 'note' });
      onChanged();
    });
  };
  return <MemberForm member={member} tree={tree} mutation={mutation} onSubmit={save} onClose={close} />;
}

type ConfirmActionProps = DialogProps & {
  readonly kind: 'deactivate' | 'reactivate' | 'reset' | 'sessions';
  readonly member: AdministeredMember;
};

function ConfirmAction({ kind, member: { user_id: userId, full_name: name }, onOpen, onChanged }: ConfirmActionProps) {
  const words = useAdministrationWords().members;
  const toast = useToast();
  const close = { onClose: () => onOpen(undefined) };
  const done = (text: string) => {
    toast({ text, tone: 'note' });
    onChanged();
  };
  switch (kind) {
    case 'deactivate':
      return (
        <ConfirmChange
          heading={words.deactivateHeading}
          submitLabel={words.deactivate}
          busyLabel={words.deactivating}
          danger
          call={changeMember(userId, { is_active: false })}
          onDone={() => done(words.deactivated(name))}
          {...close}
        >
          <p>{words.deactivateQuestion(name)}</p>
          <ul>
            {words.deactivateConsequences.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </ConfirmChange>
      );
    case 'reactivate':
      return (
        <ConfirmChange
          heading={words.reactivateHeading}
          submitLabel={words.reactivate}
          busyLabel={words.reactivating}
          call={changeMember(userId, { is_active: true })}
          onDone={() => done(words.reactivated(name))}
          {...close}
        >
          <p>{words.reactivateQuestion(name)}</p>
        </ConfirmChange>
      );
    case 'reset':
      return (
        <ConfirmChange
          heading={words.resetHeading}
          submitLabel={words.makeLink}
          busyLabel={words.makingLink}
          call={resetPassword(userId)}
          onDone={(sent) => onOpen({ kind: 'link', to: name, sent })}
          {...close}
        >
          <p>{words.resetQuestion(name)}</p>
        </ConfirmChange>
      );
    case 'sessions':
      return (
        <ConfirmChange
          heading={words.endSessionsHeading}
          submitLabel={words.endThem}
          busyLabel={words.ending}
          danger
          call={endSessionsOf(userId)}
          onDone={() => done(words.sessionsEnded(name))}
          {...close}
        >
          <p>{words.endSessionsQuestion(name)}</p>
        </ConfirmChange>
      );
  }
}
