import { useCallback, useRef, useState } from 'react';
import { maxPrincipals, maxStreamDescriptionLength, maxStreamNameLength } from '@engawa/protocol';
import type { AdministeredStream, AdministeredStreams } from '@engawa/protocol/administration';
import { Archive, Icon, MessagesSquare, Network, Pencil, UserPlus } from '../../../components/icons.ts';
import { MemberPicker } from '../../../components/MemberPicker.tsx';
import { useMemberSections } from '../../../components/useMemberSections.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { EmptyState } from '../../../components/primitives/EmptyState.tsx';
import { StreamDeletion } from '../../../components/StreamDeletion.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useSubmission } from '../../../hooks/submission.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import type { StreamChange } from '../../../model/streams/streamChanges.ts';
import { listStreams } from '../calls.ts';
import list from '../List.module.css';
import { MutationForm } from '../MutationForm.tsx';
import { ListSearch, Mark, PagedList } from '../PagedList.tsx';
import { nameComplaint } from '../nameComplaint.ts';
import { trimmedLength } from '../../../validation/trimmedLength.ts';
import { RowMenu } from '../RowMenu.tsx';
import { Section } from '../Section.tsx';
import styles from './Streams.module.css';
import { usePagedQuery } from '../usePagedQuery.ts';
import { useRefusalText } from '../useRefusalText.ts';
import { useDebounced } from '../useDebounced.ts';
import { selectName } from '../../../model/people/selectors.ts';
import { selectStream } from '../../../model/conversations/selectors.ts';

const pageOf = ({ streams: rows, next }: AdministeredStreams) => ({ rows, next });

interface OpenDialog {
  readonly kind: 'edit' | 'members' | 'archive';
  readonly stream: AdministeredStream;
}

/** All streams, including those that the administrator has not joined. */
export function Streams({ backAddress }: { readonly backAddress: string | undefined }) {
  const words = useAdministrationWords();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<OpenDialog>();
  const search = useDebounced(typed.trim());
  const ask = useCallback((after: string | undefined) => listStreams({ search, after }), [search]);
  const query = usePagedQuery(ask, pageOf);
  const props = {
    onClose: () => setOpen(undefined),
    onDone: () => {
      // Keeps another dialog open that the member opened before the answer arrived.
      setOpen((now) => (now === open ? undefined : now));
      query.reload();
    },
  };
  return (
    <Section section="streams" backAddress={backAddress} top={<ListSearch label={words.streams.search} onQuery={setTyped} />}>
      <PagedList
        query={query}
        label={words.streams.list}
        empty={<EmptyState heading={words.streams.none}>{words.streams.noneAdvice}</EmptyState>}
      >
        {(stream) => <Row key={stream.stream_id} stream={stream} onOpen={setOpen} />}
      </PagedList>
      {open?.kind === 'edit' && <EditStream stream={open.stream} {...props} />}
      {open?.kind === 'members' && <AddMembers stream={open.stream} {...props} />}
      {open?.kind === 'archive' && <DeleteStream stream={open.stream} {...props} />}
    </Section>
  );
}

function Row({ stream, onOpen }: { readonly stream: AdministeredStream; readonly onOpen: (open: OpenDialog) => void }) {
  const all = useAdministrationWords();
  const words = all.streams;
  const model = useCommands();
  const isBound = stream.departmentCd !== null;
  const maker = stream.creator_id === null ? undefined : selectName(model.state(), stream.creator_id);
  const about = [stream.description, ...(maker === undefined || isBound ? [] : [words.madeBy(maker)])];
  const isIn = useModel(selectStream, stream.stream_id) !== undefined;
  const gone = stream.is_archived ? words.isArchived : undefined;
  const closed = isIn || stream.is_public ? undefined : words.notIn;
  const icon = isBound ? Network : MessagesSquare;
  const items: readonly MenuItem[] = [
    { name: words.edit, icon: Pencil, reason: gone, run: () => onOpen({ kind: 'edit', stream }) },
    { name: all.addMembers, icon: UserPlus, reason: gone ?? closed, run: () => onOpen({ kind: 'members', stream }) },
    {
      name: all.delete,
      icon: Archive,
      danger: true,
      reason: gone ?? (isBound ? words.archiveBound : undefined),
      run: () => onOpen({ kind: 'archive', stream }),
    },
  ];
  return (
    <li className={list['row']} data-archived={stream.is_archived}>
      <span className={styles['tile']} aria-hidden>
        <Icon of={icon} size={18} strokeWidth={1.75} />
      </span>
      <span className={styles['what']}>
        <span className={styles['name']}>
          {stream.name}
          <Mark tone={isBound ? 'department' : undefined}>{isBound ? words.department : words.group}</Mark>
          {stream.is_archived && <Mark tone="off">{words.archived}</Mark>}
        </span>
        <small>{about.filter((part) => part !== '').join('・')}</small>
      </span>
      <span className={styles['members']}>{all.people(stream.members)}</span>
      <RowMenu name={all.actionsFor(stream.name)} itemsOf={() => items} />
    </li>
  );
}

interface FormProps {
  readonly stream: AdministeredStream;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function useStreamChange({ stream, onDone }: FormProps, said: (name: string) => string) {
  const model = useCommands();
  const toast = useToast();
  const { submit, ...state } = useSubmission();
  const change = async (what: StreamChange, name = stream.name) => {
    if (!(await submit(() => model.changeStream(stream.stream_id, what, stream)))) return;
    toast({ text: said(name), tone: 'note' });
    onDone();
  };
  return { ...state, change: (what: StreamChange, name?: string) => void change(what, name) };
}

function EditStream(props: FormProps) {
  const { stream, onClose } = props;
  const all = useAdministrationWords();
  const words = all.streams;
  const descriptionField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(stream.name);
  const [description, setDescription] = useState(stream.description);
  const mutation = useStreamChange(props, words.saved);
  const isBound = stream.departmentCd !== null;
  const complaint = nameComplaint(name, maxStreamNameLength, all);
  const tooMuch = trimmedLength(description) > maxStreamDescriptionLength;

  const save = () => {
    if (complaint !== undefined || tooMuch) return;
    mutation.change({ kind: 'change', name: name.trim(), description: description.trim() }, name.trim());
  };

  return (
    <MutationForm
      heading={words.editHeading}
      holds={name !== stream.name || description !== stream.description}
      mutation={mutation}
      submitLabel={all.save}
      busyLabel={all.saving}
      onClose={onClose}
      onSubmit={save}
    >
      {isBound ? (
        <p className={styles['advice']}>
          <strong>{stream.name}</strong>
          {words.nameBound}
        </p>
      ) : (
        <TextField
          label={all.members.name}
          value={name}
          counter={all.counter(trimmedLength(name), maxStreamNameLength)}
          complaint={complaint}
          onValue={setName}
          onEnter={() => descriptionField.current?.focus()}
        />
      )}
      <TextField
        ref={descriptionField}
        optional
        label={all.organisation.description}
        value={description}
        counter={all.counter(trimmedLength(description), maxStreamDescriptionLength)}
        complaint={tooMuch ? all.tooLong(maxStreamDescriptionLength) : undefined}
        onValue={setDescription}
        onEnter={save}
      />
    </MutationForm>
  );
}

function AddMembers(props: FormProps) {
  const { stream, onClose } = props;
  const all = useAdministrationWords();
  const words = all.streams;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const mutation = useStreamChange(props, words.membersAdded);
  // The model knows the subscribers of own streams only. In others, the server ignores members who are already in.
  const sections = useMemberSections(useModel(selectStream, stream.stream_id)?.subscribers);
  const tooMany = chosen.length > maxPrincipals ? all.tooManyMembers(maxPrincipals) : undefined;

  const add = () => {
    if (chosen.length === 0) onClose();
    else if (tooMany === undefined) mutation.change({ kind: 'invite', userIds: chosen });
  };

  return (
    <MutationForm
      tall
      heading={all.addMembersHeading(stream.name)}
      holds={chosen.length > 0}
      failure={tooMany}
      mutation={mutation}
      submitLabel={all.add}
      busyLabel={all.adding}
      onClose={onClose}
      onSubmit={add}
    >
      <MemberPicker field={field} label={words.members} sections={sections} chosen={chosen} onChoose={setChosen} />
    </MutationForm>
  );
}

function DeleteStream(props: FormProps) {
  const { stream, onClose } = props;
  const words = useAdministrationWords();
  const refusal = useRefusalText();
  const { busy, failure, change } = useStreamChange(props, words.deleted);
  return (
    <StreamDeletion
      stream={{ streamId: stream.stream_id, name: stream.name, profile: undefined, members: stream.members }}
      failure={failure && refusal(failure)}
      busy={busy}
      onDelete={() => change({ kind: 'delete' })}
      onClose={onClose}
    />
  );
}
