import { useEffect, useRef, useState, type ComponentProps, type ComponentType } from 'react';
import { paths, type Session } from '@engawa/protocol/product';
import { useToast } from '../components/Toasts.tsx';
import { Chat } from '../features/chat/Chat.tsx';
import type { EmojiPickerSlot } from '../features/chat/Composer.tsx';
import { createDrafts } from '../features/chat/drafts.ts';
import { plainText } from '../features/chat/markup.ts';
import { Organisation } from '../features/organisation/Organisation.tsx';
import { Settings } from '../features/settings/Settings.tsx';
import { Streams } from '../features/streams/Streams.tsx';
import { useNarrow } from '../hooks/media.ts';
import { useCurrent, useModel, useStream, useStreams, useTotalUnread } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import type { Failure } from '../model/view.ts';
import { tabStorage } from '../model/tabStorage.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import styles from './House.module.css';
import { Rail } from './Rail.tsx';
import { addressOfStream, addressOfTab, useRoute, type Route, type Router } from './route.ts';
import { chooseTheme, useTheme } from './theme.ts';

const fetchPicker = () => import('../features/emoji/EmojiPicker.tsx');

const emojiPicker: EmojiPickerSlot = {
  // Should it fail, opening the picker tries again and says so.
  preload: () => void fetchPicker().then(({ loadEmoji }) => loadEmoji()).catch(() => undefined),
  Picker: EmojiPickerOnDemand,
};

type EmojiPickerProps = ComponentProps<EmojiPickerSlot['Picker']>;

/** The picker is fetched when it is first opened; where that fails, nothing else breaks. */
function EmojiPickerOnDemand(props: EmojiPickerProps) {
  const words = useWords().emoji;
  const toast = useToast();
  const { onClose } = props;
  const [Picker, setPicker] = useState<ComponentType<EmojiPickerProps>>();

  useEffect(() => {
    const fail = () => {
      toast({ text: words.failed, tone: 'alert' });
      onClose();
    };
    fetchPicker().then(({ EmojiPicker }) => setPicker(() => EmojiPicker), fail);
  }, [onClose, toast, words]);

  return Picker && <Picker {...props} />;
}

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
  const [drafts] = useState(() => createDrafts(tabStorage(), memberId));
  const chatInFront = route.streamId !== undefined;
  useOpenStream(route, router);
  useStreamBeside(route, router);
  useFilesStayOut();
  useTitle();

  return (
    <>
      <ConnectionNotice />
      <div className={styles['house']}>
        {!(narrow && chatInFront) && (
          <>
            <Rail tab={route.tab} narrow={narrow} theme={theme} />
            <div className={styles['panel']} id="panel" role="tabpanel" aria-labelledby={`tab-${route.tab}`}>
              {route.tab === 'organisation' && (
                <Organisation onOpen={(streamId) => router.go(addressOfStream(streamId))} />
              )}
              {route.tab === 'streams' && <Streams addressOf={addressOfStream} plainText={plainText} />}
              {route.tab === 'settings' && (
                <Settings
                  session={session}
                  theme={theme}
                  onTheme={chooseTheme}
                  onSwitch={onSwitch}
                  logoutAddress={paths.logout}
                />
              )}
            </div>
          </>
        )}
        {(!narrow || chatInFront) && (
          <main className={styles['chat']}>
            <Chat drafts={drafts} emojiPicker={emojiPicker} onBack={narrow ? router.backToList : undefined} />
          </main>
        )}
      </div>
    </>
  );
}

/** Opens the stream that the address names; one that I may not read leads back to the list with a word. */
function useOpenStream({ streamId, tab }: Route, router: Router): void {
  const words = useWords().organisation;
  const model = useModel();
  const toast = useToast();
  const streams = useStreams();
  const readable = streamId !== undefined && streams?.includes(streamId);

  useEffect(() => {
    if (streamId === undefined || readable === undefined) return;
    if (readable) model.open(streamId);
    else {
      toast({ text: words.noAccess, tone: 'alert' });
      router.replace(addressOfTab(tab));
    }
  }, [streamId, readable, tab, model, router, toast, words]);
}

/** Going back to a list brings back the stream that stood beside it. */
function useStreamBeside(route: Route, router: Router): void {
  const model = useModel();
  const current = useCurrent();
  const arrivedAt = useRef<Route>(undefined);

  useEffect(() => {
    if (route.streamId !== undefined) return;
    const arrives = arrivedAt.current !== route;
    arrivedAt.current = route;
    if (arrives && route.beside !== undefined && model.stream(route.beside)) model.open(route.beside);
    else if (current !== undefined) router.keepBeside(current);
  }, [route, router, model, current]);
}

/** A file that is dropped beside the chat must not replace the page with itself. */
function useFilesStayOut(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => event.preventDefault();
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

function useTitle(): void {
  const words = useWords();
  const unread = useTotalUnread();
  const name = useStream(useCurrent() ?? 0)?.name;

  useEffect(() => {
    const place = name === undefined ? words.productLatin : `${name} - ${words.productLatin}`;
    document.title = unread > 0 ? `${words.inParentheses(unread)} ${place}` : place;
  }, [words, unread, name]);
}
