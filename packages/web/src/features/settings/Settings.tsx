import { useState, type MouseEvent } from 'react';
import type { Candidate, Session } from '@engawa/protocol/product';
import { Avatar } from '../../components/Avatar.tsx';
import { CandidatePicker } from '../../components/CandidatePicker.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { ChevronRight, LogOut, UserRound, UsersRound, Sun } from '../../components/icons.ts';
import { Panel, Skeleton } from '../../components/Panel.tsx';
import { useToast } from '../../components/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useMe, useModel } from '../../hooks/model.ts';
import { useLanguage } from '../../i18n/LocaleProvider.tsx';
import { locales, type Locale } from '../../i18n/locale.ts';
import type { Failure } from '../../model/view.ts';
import { Choice } from './Choice.tsx';
import styles from './Settings.module.css';

const themes = ['light', 'dark'] as const;
/** Milliseconds. Signing out does not wait longer for a server that does not answer. */
const leaveWithin = 1000;

export type ThemeChoice = (typeof themes)[number];

/** R2.24.1 as far as it goes: who I am, how it looks, and the way out. */
export function Settings({
  session,
  theme,
  onTheme,
  onSwitch,
  logoutAddress,
}: {
  readonly session: Session;
  readonly theme: ThemeChoice;
  readonly onTheme: (theme: ThemeChoice) => void;
  /** Answers why it could not be done. */
  readonly onSwitch: (email: string) => Promise<Failure | undefined>;
  readonly logoutAddress: string;
}) {
  const { words: all, locale, choose } = useLanguage();
  const words = all.settings;
  const model = useModel();
  const toast = useToast();
  const me = useMe();
  const languages: Readonly<Record<Locale, string>> = { ja: words.japanese, en: words.english };

  /** R2.1: the queue goes before the session that may end it. */
  const leave = async (event: MouseEvent) => {
    event.preventDefault();
    await Promise.race([model.stop(), new Promise((resolve) => setTimeout(resolve, leaveWithin))]);
    location.assign(logoutAddress);
  };

  const onLanguage = (chosen: Locale) => {
    choose(chosen).catch(() => toast({ text: words.languageFailed, tone: 'alert' }));
  };

  return (
    <Panel heading={words.heading}>
      <div className={styles['settings']}>
        {!me && <Skeleton rows={4} label={all.loading} />}
        {me && (
          <>
            <div className={styles['me']}>
              <Avatar id={me.userId} name={me.fullName} picture={me.avatarUrl} size="profile" />
              <p className={styles['name']}>{me.fullName}</p>
            </div>
            <section className={styles['card']} aria-labelledby="settings-profile">
              <h2 id="settings-profile">
                <UserRound aria-hidden size={18} strokeWidth={1.75} />
                {words.profile}
              </h2>
              <dl>
                <dt>{words.name}</dt>
                <dd>{me.fullName}</dd>
                <dt>{words.email}</dt>
                <dd>{me.email}</dd>
              </dl>
            </section>
          </>
        )}
        <section className={styles['card']} aria-labelledby="settings-display">
          <h2 id="settings-display">
            <Sun aria-hidden size={18} strokeWidth={1.75} />
            {words.display}
          </h2>
          <Choice
            label={words.language}
            options={locales.map((each) => ({ value: each, label: languages[each] }))}
            chosen={locale}
            onChoose={onLanguage}
          />
          <Choice
            label={words.theme}
            options={themes.map((each) => ({ value: each, label: words[each] }))}
            chosen={theme}
            onChoose={onTheme}
          />
        </section>
        {session.auth_mode === 'fake' && <SwitchMember session={session} current={me?.email} onSwitch={onSwitch} />}
        <a className={styles['logout']} href={logoutAddress} onClick={(event) => void leave(event)}>
          <LogOut aria-hidden size={16} strokeWidth={1.9} />
          {words.logout}
        </a>
      </div>
    </Panel>
  );
}

/** R1.5: the visible way to switch member. */
function SwitchMember({
  session,
  current,
  onSwitch,
}: {
  readonly session: Session;
  readonly current: string | undefined;
  readonly onSwitch: (email: string) => Promise<Failure | undefined>;
}) {
  const words = useLanguage().words.settings;
  const failureText = useFailureText();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);

  const pick = async (candidate: Candidate) => {
    setBusy(true);
    const failure = await onSwitch(candidate.email);
    setBusy(false);
    setOpen(false);
    if (failure) toast({ text: failureText(failure), tone: 'alert' });
  };

  return (
    <>
      <section className={styles['card']}>
        <button type="button" className={styles['switch']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <UsersRound aria-hidden size={18} strokeWidth={1.75} />
          <span>
            {words.switchMember}
            <small>{words.switchMemberAdvice}</small>
          </span>
          <ChevronRight aria-hidden size={16} />
        </button>
      </section>
      {open && (
        <Dialog heading={words.switchMember} onClose={() => setOpen(false)}>
          <CandidatePicker
            candidates={session.candidates}
            current={current}
            busy={busy}
            onPick={(candidate) => void pick(candidate)}
          />
        </Dialog>
      )}
    </>
  );
}
