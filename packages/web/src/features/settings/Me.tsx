import { useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Pencil } from '../../components/icons.ts';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { Me as Member } from '../../model/view.ts';
import styles from './Me.module.css';
import { ProfileDialog, preloadProfileForm } from './ProfileDialog.tsx';
import { statuses, useStatus } from './status.ts';

/** R2.24.1: my picture with the way to edit it, my name and my status. */
export function Me({ me }: { readonly me: Member }) {
  const words = useWords().settings;
  const [editing, setEditing] = useState(false);
  return (
    <div className={styles['me']}>
      <div className={styles['picture']}>
        <Avatar id={me.userId} name={me.fullName} picture={me.avatarUrl} size="profile" />
        <span className={styles['edit']}>
          <IconButton
            name={words.editProfile}
            icon={Pencil}
            expanded={editing}
            onApproach={preloadProfileForm}
            onClick={() => setEditing(true)}
          />
        </span>
      </div>
      <p className={styles['name']}>{me.fullName}</p>
      <StatusChoice userId={me.userId} />
      {editing && <ProfileDialog me={me} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Others do not see it yet, and it says so. */
function StatusChoice({ userId }: { readonly userId: number }) {
  const words = useWords().settings;
  const [status, choose] = useStatus(userId);
  return (
    <>
      <div className={styles['status']} data-status={status}>
        <Select
          name={words.status}
          options={statuses.map((each) => ({ value: each, label: words[each] }))}
          chosen={status}
          onChoose={choose}
        />
      </div>
      <p className={styles['advice']}>{words.statusHere}</p>
    </>
  );
}
