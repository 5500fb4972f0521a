import { useState } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import { ListRow } from '../../components/primitives/ListRow.tsx';
import { ChevronRight, Icon } from '../../components/icons.ts';
import { Select } from '../../components/primitives/Select.tsx';
import { Switch } from '../../components/primitives/Switch.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useChangeSettings } from '../../hooks/changeSettings.ts';
import { useCapability, useCommands, useModel } from '../../hooks/model.ts';
import { askPermission, showNotification, usePermission } from '../../hooks/notifying.ts';
import { play, soundOf } from '../../hooks/sounds.ts';
import { useNotificationsWords } from '../../i18n/notifications.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { ApiKeys } from './ApiKeys.tsx';
import { OwnPassword } from './OwnPassword.tsx';
import styles from './Sections.module.css';
import { Sessions } from './Sessions.tsx';
import sessions from './Sessions.module.css';
import { StreamNotifications } from './StreamNotifications.tsx';
import { selectSettings } from '../../model/people/selectors.ts';

const sounds = ['chime', 'ding'] as const;

export function Security() {
  const hasPassword = useCommands().session.auth_mode === 'password';
  const managesAccounts = useCapability('accounts');
  const [passwords, setPasswords] = useState(0);
  return (
    <>
      <div className={styles['rows']}>
        <NotificationSwitch />
        <SoundChoice />
        <ByStream />
      </div>
      {hasPassword && managesAccounts && <OwnPassword onChanged={() => setPasswords(passwords + 1)} />}
      <Sessions key={`sessions ${passwords}`} />
      {managesAccounts ? <ApiKeys key={`keys ${passwords}`} /> : <KeysElsewhere />}
    </>
  );
}

/** Says where the password and the keys are, for members who look for them here. */
function KeysElsewhere() {
  const { keysHeading, keys } = useSettingsWords().elsewhere;
  return (
    <section className={sessions['sessions']} aria-labelledby="settings-keys">
      <h3 id="settings-keys">{keysHeading}</h3>
      <p className={sessions['advice']}>{keys}</p>
    </section>
  );
}

/** The levels can be chosen even if this device shows no notifications, because they apply to all devices. */
function ByStream() {
  const { heading } = useSettingsWords().streamNotifications;
  const [open, setOpen] = useState(false);
  return (
    <>
      <ListRow className={styles['link']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {heading}
        <Icon of={ChevronRight} size={16} />
      </ListRow>
      {open && <StreamNotifications onClose={() => setOpen(false)} />}
    </>
  );
}

/** R2.25.4: the member's choice applies to all devices, the browser's permission to one. The switch is on if both allow. */
function NotificationSwitch() {
  const words = useSettingsWords().page;
  const notifications = useNotificationsWords();
  const toast = useToast();
  const change = useChangeSettings();
  const permission = usePermission();
  const { enable_desktop_notifications: wanted = true } = useModel(selectSettings);
  const [asked, setAsked] = useState<'asking' | 'refused'>();
  const on = wanted && permission === 'granted';

  const toggle = async () => {
    if (on) return change({ enable_desktop_notifications: false });
    // Some browsers hide the question in the address bar, where it may stay open for long.
    setAsked('asking');
    const answer = await askPermission();
    setAsked(answer === 'granted' ? undefined : 'refused');
    if (answer === 'granted' && !wanted) change({ enable_desktop_notifications: true });
  };

  const test = () => {
    const sample = showNotification(notifications.sampleTitle, {
      body: notifications.sampleBody,
      tag: 'engawa test',
      icon: '/favicon.svg',
    });
    if (sample) toast({ text: notifications.sampleSent, tone: 'note' });
    else setAsked('refused');
  };

  const isBarred = permission === 'denied' || permission === 'unsupported';
  return (
    <>
      <Switch label={words.notifications} on={on} onToggle={() => void toggle()} />
      {isBarred && <p className={styles['note']}>{permission === 'denied' ? notifications.denied : notifications.unsupported}</p>}
      {!isBarred && asked && !on && (
        <p className={styles['note']} role="alert" data-tone={asked === 'refused' ? 'alert' : undefined}>
          {asked === 'asking' ? notifications.asking : notifications.notAllowed}
        </p>
      )}
      {!isBarred && !asked && !on && <p className={styles['note']}>{notifications.offAdvice}</p>}
      {on && (
        <>
          <p className={styles['note']}>{notifications.onAdvice}</p>
          <Button size="small" className={styles['button']} onClick={test}>
            {notifications.test}
          </Button>
        </>
      )}
    </>
  );
}

function SoundChoice() {
  const words = useNotificationsWords();
  const change = useChangeSettings();
  const { enable_sounds: on = true, notification_sound } = useModel(selectSettings);
  const sound = soundOf(notification_sound);
  return (
    <>
      <Switch label={words.sound} on={on} onToggle={() => change({ enable_sounds: !on })} />
      {on && (
        <div className={styles['row']}>
          <Select
            className={styles['audience']}
            name={words.whichSound}
            options={sounds.map((value) => ({ value, label: words.sounds[value] }))}
            chosen={sound === 'none' ? 'chime' : sound}
            onChoose={(chosen) => change({ notification_sound: chosen })}
          />
          <Button size="small" className={styles['button']} onClick={() => void play(sound)}>
            {words.listen}
          </Button>
        </div>
      )}
    </>
  );
}
