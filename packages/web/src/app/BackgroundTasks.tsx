import { useEffect, useEffectEvent } from 'react';
import type { UserSettings } from '@engawa/protocol';
import { useToast } from '../components/primitives/Toasts.tsx';
import { FirstVisitNotice, type FirstVisitNoticeProps } from '../features/firstVisit/FirstVisitNotice.tsx';
import { Notifications, type NotificationsProps } from '../features/notifications/Notifications.tsx';
import { UndeliverableNotice } from '../features/undeliverable/UndeliverableNotice.tsx';
import { UpdateNotice, type UpdateNoticeProps } from '../features/update/UpdateNotice.tsx';
import { useAttendance } from '../hooks/attendance.ts';
import { useLanguage } from '../i18n/LocaleProvider.tsx';
import { locales } from '../i18n/locale.ts';
import { useSettingsWords } from '../i18n/settings.ts';
import { browserStorage } from '../model/browserStorage.ts';
import { storedSettings, isChangedElsewhere, themeOf, type StoredSettings, type SyncedSetting } from './syncedSettings.ts';
import { CallOpener } from './CallOpener.tsx';
import { HelpOpener, type HelpOpenerProps } from './HelpOpener.tsx';
import { chooseTheme } from './theme.ts';
import { addressOfConversation } from '../model/streams/address.ts';
import { selectSettings } from '../model/people/selectors.ts';
import { useModel } from '../hooks/model.ts';

export interface BackgroundTasksProps extends NotificationsProps {
  readonly help: HelpOpenerProps;
  /** Undefined after the first visit. */
  readonly firstVisit: FirstVisitNoticeProps | undefined;
  readonly update: UpdateNoticeProps;
}

export function BackgroundTasks({ help, firstVisit, update, ...notifications }: BackgroundTasksProps) {
  useAttendance();
  useSyncedSettings(notifications.memberId);
  return (
    <>
      <Notifications {...notifications} />
      <CallOpener addressOf={addressOfConversation} onGo={notifications.onGo} />
      <HelpOpener {...help} />
      {firstVisit && <FirstVisitNotice {...firstVisit} />}
      <UndeliverableNotice />
      <UpdateNotice {...update} />
    </>
  );
}

const storageKey = 'engawa:heard';

/** R2.25.1: applies the language and theme that the member chose on any device, and stores a copy for the next start. */
function useSyncedSettings(memberId: number): void {
  const words = useSettingsWords().page;
  const toast = useToast();
  const { choose } = useLanguage();
  const { color_scheme, default_language } = useModel(selectSettings);

  const takeOver = useEffectEvent((settings: Pick<UserSettings, SyncedSetting>) => {
    const { color_scheme, default_language } = settings;
    const before = readStoredSettings();
    if (isChangedElsewhere('color_scheme', color_scheme, memberId, before)) chooseTheme(themeOf(color_scheme));
    const language = locales.find((each) => each === default_language);
    if (language && isChangedElsewhere('default_language', default_language, memberId, before)) {
      choose(language).catch(() => toast({ text: words.languageFailed, tone: 'alert' }));
    }
    remember({ memberId, settings });
  });

  useEffect(() => {
    if (color_scheme !== undefined || default_language !== undefined) takeOver({ color_scheme, default_language });
  }, [color_scheme, default_language]);
}

function readStoredSettings(): StoredSettings | undefined {
  try {
    return storedSettings.safeParse(JSON.parse(browserStorage()?.getItem(storageKey) ?? 'null')).data;
  } catch (error) {
    // Malformed JSON is treated as if nothing were stored.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function remember(now: StoredSettings): void {
  try {
    browserStorage()?.setItem(storageKey, JSON.stringify(now));
  } catch (error) {
    // If the storage is full, only the copy for the next start is missing.
    if (!(error instanceof DOMException)) throw error;
  }
}
