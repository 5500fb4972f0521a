import { useCallback, useEffect, useEffectEvent, useRef, useState, type ComponentProps } from 'react';
import { paths, type Session } from '@engawa/protocol/product';
import { classes } from '../components/classes.ts';
import { Lazily } from '../components/Lazily.tsx';
import { onDemand, usePart } from '../components/onDemand.ts';
import { useToast } from '../components/primitives/Toasts.tsx';
import { WhenThere } from '../components/WhenThere.tsx';
import { Chat } from '../features/chat/Chat.tsx';
import type { EmojiPickerSlot } from '../features/chat/composer/Composer.tsx';
import { createDrafts } from '../features/chat/composer/drafts.ts';
import { Organisation } from '../features/organisation/Organisation.tsx';
import { Streams } from '../features/streams/Streams.tsx';
import { useNarrow } from '../hooks/media.ts';
import { useCommands, useModel } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { withMember, type ConversationKey } from '../model/streams/conversation.ts';
import type { Failure } from '../model/connection/failure.ts';
import { type ReadingPlace, selectCurrent } from '../model/timeline/state.ts';
import { browserStorage, onOtherTab, tabStorage } from '../model/browserStorage.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import styles from './House.module.css';
import { usePlainText } from './plainText.ts';
import { Rail } from './Rail.tsx';
import {
  addressOfConversation,
  addressOfHelp,
  addressOfList,
  addressOfMessage,
  addressOfSection,
  addressOfStream,
  tabOf,
  useRoute,
  type Route,
  type Router,
} from './route.ts';
import { SearchOnDemand, searchPart, useSearchOpening } from './SearchOnDemand.tsx';
import { useTheme, useThemeChoice } from './theme.ts';
import { useChooseTheme } from './useChooseTheme.ts';
import { useVisibleHeight } from './visibleHeight.ts';
import { selectConversation, selectMayOpen, selectTotalUnread } from '../model/conversations/selectors.ts';
import { selectHoldsUnstored } from '../model/outbox/selectors.ts';
import { selectSettled } from '../model/connection/state.ts';
import { selectLostStream } from '../model/streams/state.ts';

const pickerPart = onDemand(() => import('../features/emoji/EmojiPicker.tsx'));

const emojiPicker: EmojiPickerSlot = {
  // Should it fail, opening the picker tries again and says so.
  preload: () =>
    void pickerPart
      .load()
      .then(({ loadEmoji }) => loadEmoji())
      .catch(() => undefined),
  reactionOf: (emoji) => import('../features/emoji/reaction.ts').then(({ reactionOf }) => reactionOf(emoji)),
  Picker: EmojiPickerOnDemand,
};

type EmojiPickerProps = ComponentProps<EmojiPickerSlot['Picker']>;

/** The picker is fetched when it is first opened; where that fails, nothing else breaks. */
function EmojiPickerOnDemand(props: EmojiPickerProps) {
  const words = useWords().emoji;
  const toast = useToast();
  const { onClose } = props;
  const fail = () => {
    toast({ text: words.failed, tone: 'alert' });
    onClose();
  };
  const part = usePart(pickerPart, fail);
  return part && <part.EmojiPicker {...props} />;
}

/** None of them stands on the first screen, and all are there by the time somebody asks. */
const directsPart = onDemand(() => import('../features/streams/Directs.tsx'));
const mentionsPart = onDemand(() => import('../features/mentions/Mentions.tsx'));
const settingsPart = onDemand(() => import('../features/settings/Settings.tsx'));
const administrationPart = onDemand(() => import('../features/administration/Administration.tsx'));

/** The main screen (R2.1): rail, list and chat side by side, or one of them at a time in a narrow window (R2.21). */
export function House({
  session,
  memberId,
  router,
  onSwitch,
}: {
  readonly session: Session;
  readonly memberId: number;
  readonly router: Router;
  readonly onSwitch: (email: string) => Promise<Failure | undefined>;
}) {
  const route = useRoute(router);
  const narrow = useNarrow();
  const theme = useTheme();
  const themeChoice = useThemeChoice();
  const chooseTheme = useChooseTheme();
  const current = useModel(selectCurrent);
  const [drafts] = useState(() => createDrafts({ browser: browserStorage(), tab: tabStorage(), onOtherTab }, memberId));
  const search = useSearchOpening();
  const plainText = usePlainText();
  const openStream = useCallback((streamId: number) => router.go(addressOfStream(streamId)), [router]);
  const chatInFront = route.conversation !== undefined;
  const administers = route.list === 'administration' && !chatInFront;
  const mainInFront = chatInFront || route.section !== undefined;
  const mainShown = !narrow || mainInFront;
  const refuseAdministration = () => router.replace(addressOfList('settings'));
  const placeRef = useRef<() => ReadingPlace | undefined>(null);
  useEffect(() => router.onLeave(() => placeRef.current?.()), [router]);
  useOpenConversation(route, router, memberId);
  useChatInFrontWhileIn(narrow, router);
  useConversationBeside(route, router);
  useFilesStayOut();
  useTitle(route.list !== 'administration');
  useVisibleHeight();

  return (
    <>
      <AskBeforeLeaving />
      <ConnectionNotice />
      <HouseholdLater
        memberId={memberId}
        shown={mainShown && !administers ? current : undefined}
        plainText={plainText}
        addressOf={addressOfMessage}
        onGo={router.go}
        update={{ holdsChosenFiles: drafts.holdsFiles }}
        help={{ page: route.help, onLeave: () => router.go(addressOfList('settings')) }}
      />
      <div className={classes(styles['house'], narrow && !mainInFront && styles['alone'])}>
        {!(narrow && mainInFront) && (
          <>
            <Rail tab={tabOf(route.list)} narrow={narrow} theme={theme} />
            <div className={styles['panel']} id="panel" role="tabpanel" aria-labelledby={`tab-${tabOf(route.list)}`}>
              {route.list === 'organisation' && <Organisation onOpen={openStream} />}
              {route.list === 'streams' && (
                <Streams
                  directsAddress={addressOfList('directs')}
                  mentionsAddress={addressOfList('mentions')}
                  addressOf={addressOfStream}
                  plainText={plainText}
                  onOpen={openStream}
                />
              )}
              {route.list === 'directs' && (
                <WhenThere part={directsPart}>
                  {({ Directs }) => (
                    <Directs
                      addressOf={addressOfConversation}
                      streamsAddress={addressOfList('streams')}
                      plainText={plainText}
                      onOpen={(conversation) => router.go(addressOfConversation(conversation))}
                    />
                  )}
                </WhenThere>
              )}
              {route.list === 'mentions' && (
                <WhenThere part={mentionsPart}>
                  {({ Mentions }) => (
                    <Mentions
                      addressOf={addressOfMessage}
                      backAddress={addressOfList('streams')}
                      settingsAddress={addressOfList('settings')}
                      plainText={plainText}
                    />
                  )}
                </WhenThere>
              )}
              {route.list === 'settings' && (
                <WhenThere part={settingsPart}>
                  {({ Settings }) => (
                    <Settings
                      session={session}
                      theme={themeChoice}
                      onTheme={chooseTheme}
                      addressOfHelp={addressOfHelp}
                      administrationAddress={addressOfList('administration')}
                      onSwitch={onSwitch}
                      logoutAddress={paths.logout}
                    />
                  )}
                </WhenThere>
              )}
              {administers && (
                <WhenThere part={administrationPart}>
                  {({ AdministrationSections }) => (
                    <AdministrationSections
                      session={session}
                      shown={route.section ?? (narrow ? undefined : 'members')}
                      addressOf={addressOfSection}
                      backAddress={addressOfList('settings')}
                      onRefused={narrow ? refuseAdministration : undefined}
                    />
                  )}
                </WhenThere>
              )}
            </div>
          </>
        )}
        {mainShown && administers && (
          <main className={styles['chat']}>
            <WhenThere part={administrationPart}>
              {({ Administration }) => (
                <Administration
                  session={session}
                  section={route.section ?? 'members'}
                  backAddress={narrow ? addressOfList('administration') : undefined}
                  onRefused={refuseAdministration}
                />
              )}
            </WhenThere>
          </main>
        )}
        {mainShown && !administers && (
          <main className={styles['chat']}>
            <Chat
              drafts={drafts}
              emojiPicker={emojiPicker}
              search={search.slot}
              addressOfMessage={addressOfMessage}
              onBack={narrow ? router.backToList : undefined}
              placeRef={placeRef}
            />
          </main>
        )}
      </div>
      <SearchOnDemand opening={search} addressOf={addressOfHit} onGo={(...hit) => router.go(addressOfHit(...hit))} />
    </>
  );
}

function addressOfHit(conversation: ConversationKey, messageId?: number): string {
  return messageId === undefined ? addressOfConversation(conversation) : addressOfMessage(conversation, messageId);
}

const householdPart = onDemand(() => import('./Household.tsx'));
/** Milliseconds after which it is fetched again where that failed: nobody has asked for it, so nobody asks again. */
const againAfter = 30_000;

/** Nothing of it is needed before the first messages stand, nor of the screens that the member may go to next. */
function HouseholdLater(props: ComponentProps<Awaited<ReturnType<typeof householdPart.load>>['Household']>) {
  const settled = useModel(selectSettled);
  const [tries, setTries] = useState(0);
  const again = () => setTimeout(() => setTries(tries + 1), againAfter);
  useEffect(() => {
    // The search opens by a key: where it took its time, what is typed next would go where the focus is.
    if (settled) for (const part of [directsPart, settingsPart, mentionsPart, searchPart]) part.preload();
  }, [settled]);
  return (
    settled && (
      <Lazily key={tries} part={householdPart} onFail={again}>
        {({ Household }) => <Household {...props} />}
      </Lazily>
    )
  );
}

/** Opens the conversation that the address names; one that I may not read leads back to the list with a word. */
function useOpenConversation(route: Route, router: Router, memberId: number): void {
  const words = useWords();
  const model = useCommands();
  const toast = useToast();
  const { conversation: named } = route;
  const conversation = named === undefined ? undefined : withMember(named, memberId);
  const readable = useModel(selectMayOpen, conversation);
  const refuse = useEffectEvent(() => {
    const lost = selectLostStream(model.state());
    const isStream = typeof conversation === 'number';
    const noWay = isStream ? words.organisation.noAccess : words.direct.notThere;
    if (lost && lost.streamId === conversation) toast({ text: words.streamTools[lost.how](lost.name), tone: 'note' });
    else toast({ text: noWay, tone: 'alert' });
    router.replace(addressOfList(route.list));
  });

  // Again with each arrival, also at the same address.
  useEffect(() => {
    const { messageId, place } = route;
    if (conversation === undefined || readable === undefined) return;
    if (!readable) refuse();
    else if (place?.conversation === conversation) model.returnTo(place);
    else if (messageId === undefined) model.open(conversation);
    else model.openAt(conversation, messageId);
  }, [route, conversation, readable, model]);
}

/** Whoever zooms in or turns the telephone while they are in the chat goes on there, and not in the list. */
function useChatInFrontWhileIn(narrow: boolean, router: Router): void {
  const current = useModel(selectCurrent);
  const isInChat = useRef(false);

  useEffect(() => {
    // Nothing tells that what had the focus has gone, so it counts as being there until something else has it.
    const look = ({ target }: FocusEvent) => {
      isInChat.current = target instanceof Element && target.closest('main') !== null;
    };
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, []);

  const goOn = useEffectEvent(() => {
    const { conversation, list } = router.route();
    // What is in front of the administration is no chat, and has an address of its own.
    if (!isInChat.current || current === undefined || conversation !== undefined || list === 'administration') return;
    router.go(addressOfConversation(current));
  });
  useEffect(() => {
    if (narrow) goOn();
  }, [narrow]);
}

/** Going back to a list brings back the conversation that stood beside it, as it stood there; but not from another list. */
function useConversationBeside(route: Route, router: Router): void {
  const model = useCommands();
  const current = useModel(selectCurrent);
  const arrivedAt = useRef<Route>(undefined);

  useEffect(() => {
    const { conversation, beside, place } = route;
    const before = arrivedAt.current;
    arrivedAt.current = route;
    if (conversation !== undefined) return;
    const arrives = before !== route && beside !== undefined && selectConversation(model.state(), beside) !== undefined;
    const isStillThere = beside === current && before !== undefined && before.conversation === undefined;
    if (arrives && isStillThere) return;
    if (arrives && place?.conversation === beside) model.returnTo(place);
    else if (arrives) model.open(beside);
    else if (current !== undefined) router.keepBeside(current);
  }, [route, router, model, current]);
}

/** A file or link that is dropped beside the chat must not replace the page with itself; text goes into a field. */
function useFilesStayOut(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      const { target, dataTransfer } = event;
      const intoField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
      if (!intoField || dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

/** R4.8.2: what the disk does not have would be lost. A page that listens for nothing comes back faster, so it listens only then. */
function AskBeforeLeaving() {
  const asks = useModel(selectHoldsUnstored);
  useEffect(() => {
    if (!asks) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [asks]);
  return null;
}

/** @param isChatShown whether the conversation that is open is on the screen, too. */
function useTitle(isChatShown: boolean): void {
  const words = useWords();
  const unread = useModel(selectTotalUnread);
  const current = useModel(selectConversation, useModel(selectCurrent))?.name;
  const name = isChatShown ? current : undefined;

  useEffect(() => {
    const place = name === undefined ? words.productLatin : `${name} - ${words.productLatin}`;
    document.title = unread > 0 ? `${words.inParentheses(unread)} ${place}` : place;
  }, [words, unread, name]);
}
