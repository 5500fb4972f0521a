import { useCallback, useMemo, useRef, useState, type ComponentProps } from 'react';
import type { AdministeredMember, AdministeredMembers } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { Button } from '../../../components/primitives/Button.tsx';
import { Avatar } from '../../../components/Avatar.tsx';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Icon, UserMinus, UserPlus } from '../../../components/icons.ts';
import { MemberPicker } from '../../../components/MemberPicker.tsx';
import { memberSections } from '../../../components/memberSections.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { changeMembersOf, listMembers } from '../calls.ts';
import styles from './DepartmentDetails.module.css';
import { codesOf, streamChanges, withPosts, type LocatedDepartment } from './departmentModel.ts';
import { ConfirmChange, MutationForm } from '../MutationForm.tsx';
import { Mark, PagedList } from '../PagedList.tsx';
import { StreamChanges } from './StreamChanges.tsx';
import { useMutation } from '../../../hooks/mutation.ts';
import { usePagedQuery } from '../usePagedQuery.ts';
import { selectMember } from '../../../model/people/memberView.ts';
import { selectAvatarUrl } from '../../../model/people/selectors.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';
import { useCapability, useCommands, useModel } from '../../../hooks/model.ts';

const pageOf = ({ members: rows, next, total }: AdministeredMembers) => ({ rows, next, total });

interface DetailsProps {
  readonly tree: readonly DepartmentNode[];
  readonly department: LocatedDepartment;
  readonly onChanged: (text: string) => void;
}

type DepartmentMember = Pick<AdministeredMember, 'user_id' | 'full_name' | 'reading' | 'title' | 'departments'>;
type Members = ComponentProps<typeof PagedList<DepartmentMember>>['query'];

export function DepartmentDetails(props: DetailsProps) {
  return useCapability('accounts') ? <AdministeredDetails {...props} /> : <KnownDetails {...props} />;
}

function AdministeredDetails(props: DetailsProps) {
  const { departmentCd: code } = props.department.node;
  const ask = useCallback(
    (after: number | undefined) => listMembers({ search: '', state: 'active', department: code, after }),
    [code],
  );
  return <Details {...props} members={usePagedQuery(ask, pageOf)} />;
}

/** The product lists no members if the chat server manages them, so these are the members that every screen knows. */
function KnownDetails(props: DetailsProps) {
  const { memberIds = [] } = props.department.node;
  const model = useCommands();
  const people = useModel(selectPeople);
  const rows = people
    .filter(({ userId }) => memberIds.includes(userId))
    .map(({ userId, fullName, reading, title }) => {
      const departments = selectMember(model.state(), userId)?.departments ?? [];
      const codes = departments.map(({ department }) => department.departmentCd);
      return { user_id: userId, full_name: fullName, reading, title, departments: codes };
    });
  return <Details {...props} members={{ rows, failure: undefined, reload: () => undefined }} />;
}

function Details({ tree, department: { node, path }, members, onChanged }: DetailsProps & { readonly members: Members }) {
  const all = useAdministrationWords();
  const words = all.departments;
  const { departmentCd: code, displayName: name } = node;
  const [open, setOpen] = useState<'add' | DepartmentMember>();
  const above = path.slice(0, -1).map(({ displayName }) => displayName);
  const changed = (text: string) => {
    // Keeps another dialog open that the member opened before the answer arrived.
    setOpen((now) => (now === open ? undefined : now));
    members.reload();
    onChanged(text);
  };

  return (
    <section className={styles['details']} aria-labelledby="administration-department">
      <div className={styles['head']}>
        <div>
          {above.length > 0 && <p>{above.join(' › ')}</p>}
          <h3 id="administration-department">{name}</h3>
        </div>
        <Button size="medium" className={styles['add']} onClick={() => setOpen('add')}>
          <Icon of={UserPlus} size={16} strokeWidth={1.9} />
          {all.addMembers}
        </Button>
      </div>
      <PagedList
        query={members}
        label={words.members}
        empty={<p className={styles['nobody']}>{words.nobody}</p>}
        skeletonRows={3}
        framed={false}
      >
        {(member) => <Row key={member.user_id} member={member} code={code} onRemove={() => setOpen(member)} />}
      </PagedList>
      {open === 'add' && <AddMembers tree={tree} node={node} onChanged={changed} onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'add' && (
        <ConfirmChange
          heading={words.removeHeading}
          submitLabel={words.removeIt}
          busyLabel={words.removing}
          danger
          call={changeMembersOf(code, { remove: [open.user_id] })}
          onDone={() => changed(words.removed(open.full_name))}
          onClose={() => setOpen(undefined)}
        >
          <p>{words.removeQuestion(open.full_name, name)}</p>
          <StreamChanges changes={streamChanges(tree, withPosts(tree, open.user_id, withoutCode(tree, open.user_id, code)))} />
        </ConfirmChange>
      )}
    </section>
  );
}

function withoutCode(tree: readonly DepartmentNode[], userId: number, code: string): readonly string[] {
  return codesOf(tree, userId).filter((each) => each !== code);
}

interface RowProps {
  readonly member: DepartmentMember;
  readonly code: string;
  readonly onRemove: () => void;
}

function Row({ member: { user_id: userId, full_name: name, reading, title, departments }, code, onRemove }: RowProps) {
  const { departments: words, posts } = useAdministrationWords();
  const face = useModel(selectAvatarUrl, userId, undefined);
  const isMain = departments[0] === code;
  return (
    <li>
      <Avatar id={userId} name={name} picture={face} size="message" />
      <span className={styles['who']}>
        <span>
          {name}
          <Mark tone={isMain ? 'department' : undefined}>{isMain ? posts.main : posts.concurrent}</Mark>
        </span>
        <small>{[reading, title].filter((part) => part !== '').join('・')}</small>
      </span>
      <IconButton name={words.remove(name)} icon={UserMinus} onClick={onRemove} />
    </li>
  );
}

interface AddMembersProps {
  readonly tree: readonly DepartmentNode[];
  readonly node: DepartmentNode;
  readonly onChanged: (text: string) => void;
  readonly onClose: () => void;
}

function AddMembers({ tree, node, onChanged, onClose }: AddMembersProps) {
  const all = useAdministrationWords();
  const words = all.departments;
  const people = useModel(selectPeople);
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const mutation = useMutation();
  const { departmentCd: code, displayName: name } = node;
  const sections = useMemo(() => {
    const inside = new Set(node.memberIds);
    return memberSections(
      people.filter(({ userId, isBot }) => !isBot && !inside.has(userId)),
      tree,
    );
  }, [people, node, tree]);
  const after = useMemo(
    () => chosen.reduce((changing, userId) => withPosts(changing, userId, [...codesOf(tree, userId), code]), tree),
    [tree, chosen, code],
  );

  const add = () => {
    if (chosen.length === 0) onClose();
    else mutation.act(changeMembersOf(code, { add: [...chosen] }), () => onChanged(words.membersAdded(chosen.length)));
  };

  return (
    <MutationForm
      tall
      heading={all.addMembersHeading(name)}
      holds={chosen.length > 0}
      mutation={mutation}
      submitLabel={all.add}
      busyLabel={all.adding}
      onClose={onClose}
      onSubmit={add}
    >
      <MemberPicker
        field={field}
        label={words.members}
        sections={sections}
        chosen={chosen}
        onChoose={(next) => {
          mutation.forget();
          setChosen(next);
        }}
      />
      <div className={styles['advice']}>
        {chosen.length === 0 ? words.addMembersAdvice : <StreamChanges changes={streamChanges(tree, after)} />}
      </div>
    </MutationForm>
  );
}
