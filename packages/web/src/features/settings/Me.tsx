import { useState } from 'react';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { Avatar } from '../../components/Avatar.tsx';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { Icon, Pencil } from '../../components/icons.ts';
import { Select } from '../../components/primitives/Select.tsx';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import { useMembersWords } from '../../i18n/members.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { type Me as Member, selectStatus } from '../../model/people/selectors.ts';
import styles from './Me.module.css';
import { ProfileDialog } from './ProfileDialog.tsx';
import { StatusDialog } from './StatusDialog.tsx';

/** R2.24.1: the member's picture with its edit button, name and status. */
export function Me({ me }: { readonly me: Member }) {
  const words = useSettingsWords().page;
  const [editing, setEditing] = useState(false);
  return (
    <div className={styles['me']}>
      <div className={styles['picture']}>
        <Avatar id={me.userId} name={me.fullName} picture={me.avatarUrl} size="profile" />
        <span className={styles['edit']}>
          <IconButton name={words.editProfile} icon={Pencil} expanded={editing} onClick={() => setEditing(true)} />
        </span>
      </div>
      <p className={styles['name']}>{me.fullName}</p>
      <StatusChoice userId={me.userId} />
      {editing && <ProfileDialog me={me} onClose={() => setEditing(false)} />}
    </div>
  );
}

const statuses = ['available', 'busy'] as const;

function StatusChoice({ userId }: { readonly userId: number }) {
  const words = useSettingsWords().page;
  const statusWords = useSettingsWords().status;
  const { card } = useMembersWords();
  const model = useCommands();
  const showFailure = useFailureToast();
  const times = useTimes();
  const status = useModel(selectStatus, userId);
  const [writing, setWriting] = useState(false);
  const { busy = false, text = '', until } = status ?? {};

  const end = until === undefined ? '' : card.until(times.recent(until));
  return (
    <>
      <div className={styles['status']} data-status={busy ? 'busy' : 'available'}>
        <Select
          name={words.status}
          options={statuses.map((each) => ({ value: each, label: words[each] }))}
          chosen={busy ? 'busy' : 'available'}
          onChoose={(chosen) => void model.setStatus({ busy: chosen === 'busy', text, until }).then(showFailure)}
        />
      </div>
      <PlainButton className={styles['words']} aria-haspopup="dialog" onClick={() => setWriting(true)}>
        <Icon of={Pencil} size={13} strokeWidth={1.9} />
        <span>{statusWords.summary(text, end) || statusWords.open}</span>
      </PlainButton>
      {writing && <StatusDialog status={status} onClose={() => setWriting(false)} />}
    </>
  );
}
