import { useCallback, useEffect, useRef, useState } from 'react';
import { paths, type Session } from '@engawa/protocol/product';
import { classes } from '../components/classes.ts';
import { lazyComponent, lazyInBackground, lazyPanel } from '../components/lazyComponent.tsx';
import { Chat } from '../features/chat/Chat.tsx';
import type { EmojiPickerSlot } from '../features/chat/composer/Composer.tsx';
import { Organisation } from '../features/organisation/Organisation.tsx';
import { Streams } from '../features/streams/Streams.tsx';
import { useNarrow } from '../hooks/media.ts';
import { useCommands, useModel } from '../hooks/model.ts';
import type { Failure } from '../model/connection/failure.ts';
import { selectSettled } from '../model/connection/state.ts';
import type { ConversationKey } from '../model/streams/conversation.ts';
import { selectCurrent, type ReadingPlace } from '../model/timeline/state.ts';
import type { BackgroundTasksProps } from './BackgroundTasks.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { useConversationBesideList, useKeepChatInFront, useOpenConversation } from './conversationRoute.ts';
import styles from './MainScreen.module.css';
import { AskBeforeUnload, useDropGuard, useTitle, useVisibleHeight } from './pageEffects.ts';
import { usePlainText } from './usePlainText.ts';
import { Rail } from './Rail.tsx';
import { addressOfConversation, addressOfMessage, addressOfStream } from '../model/streams/address.ts';
import { addressOfHelp, addressOfList, addressOfSection, tabOf, useRoute, type Route, type Router } from './route.ts';
import { Search, SearchOpener, useSearchOpening } from './SearchOpener.tsx';
import { useChooseTheme, useTheme, useThemeChoice } from './theme.ts';
import type { MessageText } from '../model/timeline/messageText.ts';

const loadEmojiPicker = () => import('../features/emoji/EmojiPicker.tsx');

const emojiPicker: EmojiPickerSlot = {
  // A failure is ignored here, because opening the picker loads its code again and reports a failure.
  preload: () =>
    void loadEmojiPicker()
      .then(({ loadEmoji }) => loadEmoji())
      .catch(() => undefined),
  reactionOf: async (emoji) => (await import('../features/emoji/reaction.ts')).reactionOf(emoji),
  Picker: lazyComponent(
    async () => (await loadEmojiPicker()).EmojiPicker,
    (words) => words.emoji.failed,
  ),
};

const backgroundRetryMs = 30_000;

const BackgroundTasks = lazyInBackground(
  async () => (await import('./BackgroundTasks.tsx')).BackgroundTasks,
  backgroundRetryMs,
  NoticePlace,
);
const Directs = lazyPanel(async () => (await import('../features/streams/Directs.tsx')).Directs);
const Mentions = lazyPanel(async () => (await import('../features/mentions/Mentions.tsx')).Mentions);
const Settings = lazyPanel(async () => (await import('../features/settings/Settings.tsx')).Settings);
const SwitchMember = lazyComponent(async () => (await import('../features/settings/SwitchMember.tsx')).SwitchMember);
const loadAdministration = () => import('../features/administration/Administration.tsx');
const Administration = lazyPanel(async () => (await loadAdministration()).Administration);
const NextStep = lazyInBackground(
  async () => (await import('../features/administration/firstSteps/NextStep.tsx')).NextStep,
  backgroundRetryMs,
);
const AdministrationSections = lazyPanel(async () => (await loadAdministration()).AdministrationSections);

/** Constant elements, so that the memoised parts around them do not render again. */
const nextStep = {
  list: <NextStep place="list" address={addressOfSection('start')} />,
  chat: <NextStep place="chat" address={addressOfSection('start')} />,
};

/** The demo organisation is set up, and other chat servers are set up elsewhere. */
const hasFirstSteps = ({ auth_mode, capabilities }: Session) => auth_mode === 'password' && capabilities.includes('accounts');

interface MainScreenProps {
  readonly session: Session;
  readonly memberId: number;
  readonly router: Router;
  readonly isFirstVisit: boolean;
  readonly onSwitch: (email: string) => Promise<Failure | undefined>;
}

/** R2.1: rail, list and chat side by side, or only one of them in a narrow window (R2.21). */
export function MainScreen({ session, memberId, router, isFirstVisit, onSwitch }: MainScreenProps) {
  const route = useRoute(router);
  const narrow = useNarrow();
  const theme = useTheme();
  const current = useModel(selectCurrent);
  const { drafts } = useCommands();
  const search = useSearchOpening();
  const [switching, setSwitching] = useState(false);
  const openSwitching = useCallback(() => setSwitching(true), []);
  const onSwitchMember = session.auth_mode === 'fake' ? openSwitching : undefined;
  const stopSwitching = () => setSwitching(false);
  const plainText = usePlainText();
  const chatInFront = route.conversation !== undefined;
  const administers = route.list === 'administration' && !chatInFront;
  const mainInFront = chatInFront || route.section !== undefined;
  const mainShown = !narrow || mainInFront;
  const refuseAdministration = () => router.replace(addressOfList('settings'));
  const placeRef = useRef<() => ReadingPlace | undefined>(null);
  useEffect(() => router.onLeave(() => placeRef.current?.()), [router]);
  useOpenConversation(route, router, memberId);
  useKeepChatInFront(narrow, router);
  useConversationBesideList(route, router);
  useDropGuard();
  useTitle(route.list !== 'administration');
  useVisibleHeight();

  return (
    <>
      <AskBeforeUnload />
      <ConnectionNotice />
      <SettledTasks
        memberId={memberId}
        shown={mainShown && !administers ? current : undefined}
        plainText={plainText}
        addressOf={addressOfMessage}
        onGo={router.go}
        update={{ holdsChosenFiles: drafts.holdsFiles }}
        firstVisit={isFirstVisit && onSwitchMember ? { onSwitchMember } : undefined}
        help={{ page: route.help, onLeave: router.backToList }}
      />
      <div className={classes(styles['screen'], narrow && !mainInFront && styles['alone'])}>
        {!(narrow && mainInFront) && (
          <>
            <Rail tab={tabOf(route.list)} narrow={narrow} theme={theme} onSwitchMember={onSwitchMember} />
            <div
              className={styles['panel']}
              data-list={route.list}
              id="panel"
              role="tabpanel"
              aria-labelledby={`tab-${tabOf(route.list)}`}
            >
              {administers ? (
                <AdministrationSections
                  session={session}
                  section={route.section}
                  isBesideSection={!narrow}
                  addressOf={addressOfSection}
                  backAddress={addressOfList('settings')}
                  onRefused={narrow ? refuseAdministration : undefined}
                />
              ) : (
                <List route={route} router={router} session={session} plainText={plainText} onSwitchMember={onSwitchMember} />
              )}
            </div>
          </>
        )}
        {mainShown && (
          <main className={styles['chat']}>
            {administers ? (
              <Administration
                session={session}
                section={route.section}
                addressOf={addressOfSection}
                chatAddress={addressOfList('organisation')}
                backAddress={narrow ? addressOfList('administration') : undefined}
                onRefused={refuseAdministration}
              />
            ) : (
              <Chat
                drafts={drafts}
                emojiPicker={emojiPicker}
                search={search.slot}
                onBack={narrow ? router.backToList : undefined}
                placeRef={placeRef}
                visit={chatInFront && route.messageId === undefined ? route : undefined}
                isInFront={chatInFront}
                nextStep={hasFirstSteps(session) && nextStep.chat}
              />
            )}
          </main>
        )}
      </div>
      {switching && <SwitchMember session={session} onSwitch={onSwitch} onClose={stopSwitching} onLoadFailure={stopSwitching} />}
      <SearchOpener opening={search} addressOf={addressOfHit} onGo={(...hit) => router.go(addressOfHit(...hit))} />
    </>
  );
}

function List({
  route,
  router,
  session,
  plainText,
  onSwitchMember,
}: Pick<MainScreenProps, 'router' | 'session'> & {
  readonly route: Route;
  readonly plainText: (message: MessageText) => string;
  readonly onSwitchMember: (() => void) | undefined;
}) {
  const themeChoice = useThemeChoice();
  const chooseTheme = useChooseTheme();
  const openStream = useCallback((streamId: number) => router.go(addressOfStream(streamId)), [router]);
  switch (route.list) {
    case 'organisation':
      return <Organisation nextStep={hasFirstSteps(session) && nextStep.list} onOpen={openStream} />;
    case 'streams':
      return (
        <Streams
          directsAddress={addressOfList('directs')}
          mentionsAddress={addressOfList('mentions')}
          addressOf={addressOfStream}
          plainText={plainText}
          onOpen={openStream}
        />
      );
    case 'directs':
      return (
        <Directs
          addressOf={addressOfConversation}
          streamsAddress={addressOfList('streams')}
          plainText={plainText}
          onOpen={(conversation) => router.go(addressOfConversation(conversation))}
        />
      );
    case 'mentions':
      return (
        <Mentions
          addressOf={addressOfMessage}
          backAddress={addressOfList('streams')}
          settingsAddress={addressOfList('settings')}
          plainText={plainText}
        />
      );
    case 'settings':
      return (
        <Settings
          session={session}
          theme={themeChoice}
          onTheme={chooseTheme}
          addressOfHelp={addressOfHelp}
          administrationAddress={addressOfList('administration')}
          onSwitchMember={onSwitchMember}
          logoutAddress={paths.logout}
          asksToSignOut={route.asksToSignOut}
          onStay={() => router.replace(addressOfList('settings'))}
        />
      );
    case 'administration':
      return null;
  }
}

function addressOfHit(conversation: ConversationKey, messageId?: number): string {
  return messageId === undefined ? addressOfConversation(conversation) : addressOfMessage(conversation, messageId);
}

function SettledTasks(props: BackgroundTasksProps) {
  const settled = useModel(selectSettled);
  useEffect(() => {
    // Loaded in advance: a key opens the search, and keys typed while its code loads would go to the focused element.
    if (settled) for (const screen of [Directs, Settings, Mentions, Search]) screen.preload();
  }, [settled]);
  return settled ? <BackgroundTasks {...props} /> : <NoticePlace {...props} />;
}

/** Keeps the place of the first visit's notice: the screen would move under the pointer when the notice appears. */
function NoticePlace({ firstVisit }: BackgroundTasksProps) {
  return firstVisit && <div className={styles['noticePlace']} />;
}
