import { useState } from 'react';
import type { Audience, AudienceSetting } from '@engawa/protocol';
import { departmentsWithin } from '@engawa/protocol/product';
import { TextButton } from '../../components/primitives/Button.tsx';
import { Select } from '../../components/primitives/Select.tsx';
import { Switch } from '../../components/primitives/Switch.tsx';
import { useChangeSettings } from '../../hooks/changeSettings.ts';
import { useCapability, useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { AudienceDialog } from './AudienceDialog.tsx';
import styles from './Sections.module.css';
import { selectDepartments, selectName, selectSendsReceipts, selectSettings } from '../../model/people/selectors.ts';
import { selectReceiptsShown } from '../../model/unread/state.ts';

const audiences = ['everyone', 'selected', 'nobody'] as const;
const mostNamed = 3;

const toEveryone: Audience = { audience: 'everyone', user_ids: [], departments: [] };

/** R2.24.2, R2.25.2, R2.25.3: the privacy settings. The server stores them, and each choice applies at once. */
export function Privacy() {
  const words = useSettingsWords().page;
  const own = useSettingsWords().privacy;
  const { elsewhere } = useSettingsWords();
  const settings = useModel(selectSettings);
  const hasAudiences = useCapability('audiences');
  const change = useChangeSettings();
  const { presence_enabled: shows, send_private_typing_notifications: types, enable_drafts_synchronization: saves } = settings;
  const switchTyping = (on: boolean) => change({ send_private_typing_notifications: on, send_stream_typing_notifications: on });

  return (
    <div className={styles['rows']}>
      {hasAudiences ? (
        <AudienceRow name={words.photo} setting="photo_audience" members={own.audienceMembers} />
      ) : (
        <p className={styles['note']}>{elsewhere.audiences}</p>
      )}
      {shows !== undefined && (
        <>
          <Switch label={words.lastSeen} on={shows} onToggle={() => change({ presence_enabled: !shows })} />
          <p className={styles['note']}>{own.lastSeenAdvice}</p>
        </>
      )}
      {hasAudiences && <AudienceRow name={words.status} setting="status_audience" members={own.audienceMembers} />}
      <ReadReceipts />
      {types !== undefined && (
        <>
          <Switch label={own.typing} on={types} onToggle={() => switchTyping(!types)} />
          <p className={styles['note']}>{own.typingAdvice}</p>
        </>
      )}
      {saves !== undefined && (
        <>
          <Switch label={own.drafts} on={saves} onToggle={() => change({ enable_drafts_synchronization: !saves })} />
          <p className={styles['note']}>{own.draftsAdvice}</p>
        </>
      )}
      {hasAudiences && settings.groups_audience && (
        <>
          <AudienceRow
            name={words.groups}
            setting="groups_audience"
            members={own.audienceMembersOfGroups}
            nobody={own.nobodyAdds}
          />
          <p className={styles['note']}>{own.groupsAdvice}</p>
        </>
      )}
    </div>
  );
}

interface AudienceRowProps {
  readonly name: string;
  readonly setting: AudienceSetting;
  readonly members: string;
  readonly nobody?: string;
}

/** Everyone, selected members, or nobody. Renders nothing if the server does not send the setting. */
function AudienceRow({ name, setting, members, nobody }: AudienceRowProps) {
  const { everyone, selected, nobody: hidden } = useSettingsWords().page;
  const labels = { everyone, selected, nobody: nobody ?? hidden };
  const { audienceFor } = useSettingsWords().privacy;
  const kept = useModel(selectSettings)[setting];
  const change = useChangeSettings();
  const [picking, setPicking] = useState(false);
  if (!kept) return null;

  const choose = (audience: Audience['audience']) => {
    // A stored selection applies again, so the dialog opens only if there is none.
    const isEmpty = kept.user_ids.length + kept.departments.length === 0;
    if (audience === 'selected' && isEmpty) setPicking(true);
    else change({ [setting]: { ...kept, audience } });
  };

  return (
    <>
      <div className={styles['row']}>
        <span>{name}</span>
        <Select
          className={styles['audience']}
          name={name}
          options={audiences.map((value) => ({ value, label: labels[value] }))}
          chosen={kept.audience}
          onChoose={choose}
        />
      </div>
      {kept.audience === 'selected' && <Selected audience={kept} name={name} onChange={() => setPicking(true)} />}
      {picking && (
        <AudienceDialog
          heading={audienceFor(name)}
          label={members}
          audience={kept}
          onSave={(picked) => {
            setPicking(false);
            change({ [setting]: { ...toEveryone, ...picked, audience: 'selected' } });
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}

interface SelectedProps {
  readonly audience: Audience;
  readonly name: string;
  readonly onChange: () => void;
}

function Selected({ audience: { user_ids, departments: codes }, name, onChange }: SelectedProps) {
  const words = useSettingsWords().privacy;
  const model = useCommands();
  const departments = (useModel(selectDepartments) ?? []).flatMap(departmentsWithin);
  const names = [
    ...codes.map((code) => departments.find(({ departmentCd }) => departmentCd === code)?.displayName ?? code),
    ...user_ids.flatMap((userId) => selectName(model.state(), userId) ?? []),
  ];
  return (
    <p className={styles['selected']}>
      <span>{words.chosenAudience(names.slice(0, mostNamed), Math.max(names.length - mostNamed, 0))}</span>
      <TextButton aria-label={`${name} ${words.changeAudience}`} aria-haspopup="dialog" onClick={onChange}>
        {words.changeAudience}
      </TextButton>
    </p>
  );
}

/** R2.25.1: whether the member sends receipts. There is no switch if the organisation shows no receipts. */
function ReadReceipts() {
  const { page: words, elsewhere } = useSettingsWords();
  const hidesThoseOfOthers = useCapability('read_receipts');
  const change = useChangeSettings();
  const sends = useModel(selectSendsReceipts);
  const shown = useModel(selectReceiptsShown);

  if (shown === 'none') {
    return (
      <>
        <div className={styles['row']}>
          <span>{words.readReceipts}</span>
          <span>{words.readReceiptsOff}</span>
        </div>
        <p className={styles['note']}>{words.readReceiptsOffAdvice}</p>
      </>
    );
  }
  if (sends === undefined) return null;
  return (
    <>
      <Switch label={words.readReceipts} on={sends} onToggle={() => change({ send_read_receipts: !sends })} />
      <p className={styles['note']}>{hidesThoseOfOthers ? words.readReceiptsAdvice : elsewhere.readReceipts}</p>
    </>
  );
}
