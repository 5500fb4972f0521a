import { useCallback, useMemo, useRef, useState } from 'react';
import { maxPrincipals, maxStreamDescriptionLength, maxStreamNameLength } from '@engawa/protocol';
import type { AdministeredStream, AdministeredStreams } from '@engawa/protocol/administration';
import { TextButton } from '../../../components/primitives/Button.tsx';
import { DialogForm } from '../../../components/primitives/DialogForm.tsx';
import { Archive, MessagesSquare, Network, Pencil, UserPlus } from '../../../components/icons.ts';
import { MemberPicker } from '../../../components/MemberPicker.tsx';
import { memberSections } from '../../../components/memberSections.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { EmptyState, FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { SearchField } from '../../../components/primitives/SearchField.tsx';
import { StreamDeletion } from '../../../components/StreamDeletion.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { Failure } from '../../../model/connection/failure.ts';
import type { StreamChange } from '../../../model/streams/streamChanges.ts';
import { listStreams } from '../calls.ts';
import list from '../List.module.css';
import { RowMenu } from '../RowMenu.tsx';
import { Section } from '../Section.tsx';
import styles from './Streams.module.css';
import { usePagedQuery } from '../usePagedQuery.ts';
import { useRefusalText } from '../useRefusalText.ts';
import { useDebounced } from '../useDebounced.ts';
import { selectDepartments, selectName, selectPeople } from '../../../model/people/selectors.ts';
import { selectStream } from '../../../model/conversations/selectors.ts';

const pageOf = ({ streams: rows, next }: AdministeredStreams) => ({ rows, next });

interface Open {
  readonly kind: 'edit' | 'members' | 'archive';
  readonly stream: AdministeredStream;
}

/** All streams, including those that the administrator has not joined. */
export function Streams({ backAddress }: { readonly backAddress: string | undefined }) {
  const all = useWords();
  const words = useAdministrationWords();
  const refusal = useRefusalText();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<Open>();
  const search = useDebounced(typed.trim());
  const ask = useCallback((after: string | undefined) => listStreams({ search, after }), [search]);
  const { rows, isAll, loading, failure, more, reload } = usePagedQuery(ask, pageOf);
  const props = {
    onClose: () => setOpen(undefined),
    onDone: () => {
      // The member may have opened another dialog before the answer.
      setOpen((now) => (now === open ? undefined : now));
      reload();
    },
  };
  return (
    <Section
      section="streams"
      backAddress={backAddress}
      top={
        <div className={list['tools']}>
          <div className={list['search']}>
            <SearchField label={words.streams.search} maxLength={200} onQuery={setTyped} />
          </div>
        </div>
      }
    >
      {!rows && !failure && <Skeleton rows={8} label={all.loading} />}
      {rows?.length === 0 && <EmptyState heading={words.streams.none}>{words.streams.noneAdvice}</EmptyState>}
      {rows && rows.length > 0 && (
        <ul className={list['list']} aria-label={words.streams.list} aria-busy={loading}>
          {rows.map((stream) => (
            <Row key={stream.stream_id} stream={stream} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {!failure && rows && !isAll && (
        <TextButton className={list['more']} aria-disabled={loading} onClick={() => loading || more()}>
          {loading ? all.loading : words.more}
        </TextButton>
      )}
      {open?.kind === 'edit' && <Edit stream={open.stream} {...props} />}
      {open?.kind === 'members' && <AddMembers stream={open.stream} {...props} />}
      {open?.kind === 'archive' && <Close stream={open.stream} {...props} />}
    </Section>
  );
}

function Row({ stream, onOpen }: { readonly stream: AdministeredStream; readonly onOpen: (open: Open) => void }) {
  const all = useAdministrationWords();
  const words = all.streams;
  const model = useCommands();
  const isBound = stream.departmentCd !== null;
  const maker = stream.creator_id === null ? undefined : selectName(model.state(), stream.creator_id);
  const about = [stream.description, ...(maker === undefined || isBound ? [] : [words.madeBy(maker)])];
  const isIn = useModel(selectStream, stream.stream_id) !== undefined;
  const gone = stream.is_archived ? words.isArchived : undefined;
  const closed = isIn || stream.is_public ? undefined : words.notIn;
  const Icon = isBound ? Network : MessagesSquare;
  const items: readonly MenuItem[] = [
    { name: words.edit, icon: Pencil, reason: gone, run: () => onOpen({ kind: 'edit', stream }) },
    { name: words.addMembers, icon: UserPlus, reason: gone ?? closed, run: () => onOpen({ kind: 'members', stream }) },
    {
      name: words.archive,
      icon: Archive,
      danger: true,
      reason: gone ?? (isBound ? words.archiveBound : undefined),
      run: () => onOpen({ kind: 'archive', stream }),
    },
  ];
  return (
    <li className={list['row']} data-archived={stream.is_archived}>
      <span className={styles['tile']} aria-hidden>
        <Icon size={18} strokeWidth={1.75} />
      </span>
      <span className={styles['what']}>
        <span className={styles['name']}>
          {stream.name}
          <em className={list['mark']} data-tone={isBound ? 'department' : undefined}>
            {isBound ? words.department : words.group}
          </em>
          {stream.is_archived && (
            <em className={list['mark']} data-tone="off">
              {words.archived}
            </em>
          )}
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

/** Sends a stream change by the calls of the chat server. */
function useStreamChange({ stream, onDone }: FormProps, said: (name: string) => string) {
  const model = useCommands();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const submit = async (what: StreamChange, name = stream.name) => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    const failed = await model.changeStream(stream.stream_id, what, stream);
    setBusy(false);
    setFailure(failed);
    if (failed) return;
    toast({ text: said(name), tone: 'note' });
    onDone();
  };
  return { busy, failure, submit: (what: StreamChange, name?: string) => void submit(what, name) };
}

const lengthOf = (text: string): number => [...text.trim()].length;

function Edit(props: FormProps) {
  const { stream, onClose } = props;
  const all = useAdministrationWords();
  const words = all.streams;
  const refusal = useRefusalText();
  const descriptionField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(stream.name);
  const [description, setDescription] = useState(stream.description);
  const { busy, failure, submit } = useStreamChange(props, words.saved);
  const isBound = stream.departmentCd !== null;
  const nameTooLong = lengthOf(name) > maxStreamNameLength ? all.tooLong(maxStreamNameLength) : undefined;
  const nameComplaint = lengthOf(name) === 0 ? all.missing : nameTooLong;
  const tooMuch = lengthOf(description) > maxStreamDescriptionLength;

  const save = () => {
    if (nameComplaint !== undefined || tooMuch) return;
    submit({ kind: 'change', name: name.trim(), description: description.trim() }, name.trim());
  };

  return (
    <DialogForm
      heading={words.editHeading}
      holds={name !== stream.name || description !== stream.description}
      failure={failure && refusal(failure)}
      closeLabel={all.cancel}
      submitLabel={busy ? all.saving : all.save}
      busy={busy}
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
          label={words.name}
          value={name}
          counter={all.counter(lengthOf(name), maxStreamNameLength)}
          complaint={nameComplaint}
          onValue={setName}
          onEnter={() => descriptionField.current?.focus()}
        />
      )}
      <TextField
        ref={descriptionField}
        optional
        label={words.description}
        value={description}
        counter={all.counter(lengthOf(description), maxStreamDescriptionLength)}
        complaint={tooMuch ? all.tooLong(maxStreamDescriptionLength) : undefined}
        onValue={setDescription}
        onEnter={save}
      />
    </DialogForm>
  );
}

function AddMembers(props: FormProps) {
  const { stream, onClose } = props;
  const all = useAdministrationWords();
  const words = all.streams;
  const refusal = useRefusalText();
  const people = useModel(selectPeople);
  const departments = useModel(selectDepartments);
  // Subscribers are known for the administrator's own streams only. For others the server ignores current subscribers.
  const inside = useModel(selectStream, stream.stream_id)?.subscribers;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const { busy, failure, submit } = useStreamChange(props, words.membersAdded);
  const sections = useMemo(() => {
    const there = new Set(inside);
    const others = people.filter(({ userId }) => !there.has(userId));
    return memberSections(others, departments ?? []);
  }, [people, departments, inside]);
  const tooMany = chosen.length > maxPrincipals ? all.tooManyMembers(maxPrincipals) : undefined;

  const add = () => {
    if (chosen.length === 0) onClose();
    else if (tooMany === undefined) submit({ kind: 'invite', userIds: chosen });
  };

  return (
    <DialogForm
      tall
      heading={words.addMembersHeading(stream.name)}
      holds={chosen.length > 0}
      failure={tooMany ?? (failure && refusal(failure))}
      closeLabel={all.cancel}
      submitLabel={busy ? words.adding : words.add}
      busy={busy}
      onClose={onClose}
      onSubmit={add}
    >
      <MemberPicker field={field} label={words.members} sections={sections} chosen={chosen} onChoose={setChosen} />
    </DialogForm>
  );
}

function Close(props: FormProps) {
  const { stream, onClose } = props;
  const words = useAdministrationWords().streams;
  const refusal = useRefusalText();
  const { busy, failure, submit } = useStreamChange(props, words.archivedIt);
  return (
    <StreamDeletion
      stream={{ streamId: stream.stream_id, name: stream.name, profile: undefined, members: stream.members }}
      failure={failure && refusal(failure)}
      busy={busy}
      onDelete={() => submit({ kind: 'delete' })}
      onClose={onClose}
    />
  );
}
