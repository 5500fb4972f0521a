import { useMemo, useState } from 'react';
import { roles } from '@engawa/protocol';
import type { Invitations as Answer } from '@engawa/protocol/administration';
import { TextButton } from '../../../components/primitives/Button.tsx';
import { EmptyState } from '../../../components/primitives/EmptyState.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { listInvitations, takeBackInvitation } from '../calls.ts';
import { departmentNames } from '../departments/departmentModel.ts';
import { InvitationForm } from './InvitationForm.tsx';
import styles from './Invitations.module.css';
import list from '../List.module.css';
import { Mark, PagedList } from '../PagedList.tsx';
import { Section } from '../Section.tsx';
import { useQuery } from '../../../hooks/query.ts';
import { useDepartmentTree } from '../departments/useDepartmentTree.ts';
import { useRefusalText } from '../useRefusalText.ts';
import { selectName } from '../../../model/people/selectors.ts';

export function Invitations({ backAddress }: { readonly backAddress: string | undefined }) {
  const words = useAdministrationWords().invitations;
  const { answer, failure, reload } = useQuery<Answer>(listInvitations);
  const { answer: tree } = useDepartmentTree();
  const names = useMemo(() => departmentNames(tree ?? []), [tree]);
  return (
    <Section section="invitations" backAddress={backAddress}>
      <div className={styles['card']}>
        <InvitationForm tree={tree ?? []} onInvited={reload} />
      </div>
      <h3 className={styles['heading']}>{words.list}</h3>
      <PagedList
        query={{ rows: answer?.invitations, failure, reload }}
        label={words.list}
        empty={<EmptyState heading={words.none}>{words.noneAdvice}</EmptyState>}
        skeletonRows={4}
      >
        {(each) => <Row key={each.id} invitation={each} names={names} onChanged={reload} />}
      </PagedList>
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
