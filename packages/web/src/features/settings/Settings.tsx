import { useEffect, useState } from 'react';
import type { Capability, Session } from '@engawa/protocol/product';
import { ListLink, ListRow } from '../../components/primitives/ListRow.tsx';
import { Bot, Building2, ChevronRight, CircleQuestionMark, Highlighter, Icon, UsersRound } from '../../components/icons.ts';
import { TextLink } from '../../components/primitives/Button.tsx';
import { Skeleton } from '../../components/primitives/EmptyState.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { Panel } from '../../components/primitives/Panel.tsx';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { AlertWords } from './AlertWords.tsx';
import { Display, type ThemeChoice } from './Display.tsx';
import { Me } from './Me.tsx';
import { OrganisationSettings } from './OrganisationSettings.tsx';
import { Sections, type HelpPage } from './Sections.tsx';
import styles from './Settings.module.css';
import { SignOut, type SignOutProps } from './SignOut.tsx';
import { selectMe } from '../../model/people/selectors.ts';
import { selectStreamIds } from '../../model/conversations/selectors.ts';

/** Each of these is a section of the administration. */
const administered: readonly Capability[] = [
  'accounts',
  'departments',
  'all_streams',
  'bots',
  'hooks',
  'realm_settings',
  'server_status',
];

/**
 * R2.24.1: profile, preferences, appearance and sign-out. They appear together, so that no control moves under the pointer. Only the
 * sign-out is there before, for a member whose settings do not load.
 */
export function Settings({
  session,
  theme,
  onTheme,
  addressOfHelp,
  administrationAddress,
  onSwitchMember,
  ...signOut
}: {
  readonly session: Session;
  readonly theme: ThemeChoice;
  readonly onTheme: (theme: ThemeChoice) => void;
  readonly addressOfHelp: (page: HelpPage) => string;
  readonly administrationAddress: string;
  readonly onSwitchMember: (() => void) | undefined;
} & SignOutProps) {
  const all = useWords();
  const settings = useSettingsWords();
  const words = settings.page;
  const can = (capability: Capability) => session.capabilities.includes(capability);
  const profile = useModel(selectMe);
  // The member's current choices arrive with the streams.
  const me = useModel(selectStreamIds) && profile;
  useProfileLoaded();

  return (
    <Panel
      heading={words.heading}
      action={
        <TextLink href={addressOfHelp('faqs')} className={styles['help']}>
          <Icon of={CircleQuestionMark} size={16} />
          {words.help}
        </TextLink>
      }
    >
      <div className={styles['settings']}>
        {!me && <Skeleton rows={4} label={all.loading} />}
        {me && (
          <>
            <div>
              <Me me={me} />
              <Sections me={me} addressOfHelp={addressOfHelp} />
            </div>
            <div>
              <section className={styles['card']} aria-labelledby="settings-alert-words">
                <h2 id="settings-alert-words">
                  <Icon of={Highlighter} size={18} strokeWidth={1.75} />
                  {settings.alertWords.heading}
                </h2>
                <AlertWords />
              </section>
              <Display theme={theme} onTheme={onTheme} />
              {can('bots') && <BotsCard />}
              {me.isAdministrator && can('realm_settings') && <OrganisationSettings />}
              {me.isAdministrator && administered.some(can) && (
                <section className={styles['card']}>
                  <ListLink className={styles['switch']} href={administrationAddress}>
                    <Icon of={Building2} size={18} strokeWidth={1.75} />
                    <span>
                      {words.administration}
                      <small>
                        {can('accounts')
                          ? words.administrationAdvice
                          : settings.elsewhere.administrationAdvice(can('all_streams'))}
                      </small>
                    </span>
                    <Icon of={ChevronRight} size={16} />
                  </ListLink>
                </section>
              )}
              {onSwitchMember && (
                <section className={styles['card']}>
                  <ListRow className={styles['switch']} aria-haspopup="dialog" onClick={onSwitchMember}>
                    <Icon of={UsersRound} size={18} strokeWidth={1.75} />
                    <span>
                      {words.switchMember}
                      <small>{words.switchMemberAdvice}</small>
                    </span>
                    <Icon of={ChevronRight} size={16} />
                  </ListRow>
                </section>
              )}
            </div>
          </>
        )}
        <SignOut {...signOut} />
      </div>
    </Panel>
  );
}

const Bots = lazyComponent(async () => (await import('./Bots.tsx')).Bots);

function BotsCard() {
  const { openBots, openBotsAdvice } = useSettingsWords().page;
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <section className={styles['card']}>
        <ListRow className={styles['switch']} aria-haspopup="dialog" onPointerEnter={Bots.preload} onClick={() => setOpen(true)}>
          <Icon of={Bot} size={18} strokeWidth={1.75} />
          <span>
            {openBots}
            <small>{openBotsAdvice}</small>
          </span>
          <Icon of={ChevronRight} size={16} />
        </ListRow>
      </section>
      {/* Outside the card, because `.card h2` would also style the heading of the dialog. */}
      {open && <Bots onClose={close} onLoadFailure={close} />}
    </>
  );
}

/** Reloads when the page becomes visible, because another device may have changed it. */
function useProfileLoaded(): void {
  const model = useCommands();
  useEffect(() => {
    const load = () => {
      if (document.visibilityState === 'visible') model.loadProfile();
    };
    load();
    document.addEventListener('visibilitychange', load);
    return () => document.removeEventListener('visibilitychange', load);
  }, [model]);
}
