import { ConversationPicture } from '../../components/ConversationPicture.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Archive, BellOff, Ellipsis, Phone, Search, Trash2, UsersRound, Video } from '../../components/icons.ts';
import { Lazily } from '../../components/Lazily.tsx';
import { Menu } from '../../components/Menu.tsx';
import { onDemand } from '../../components/onDemand.ts';
import { useToast } from '../../components/Toasts.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { StreamView } from '../../model/view.ts';
import styles from './StreamTools.module.css';
import { streamProfilePart } from './toolParts.ts';
import { useConversationState } from './useConversationState.ts';

const callPart = onDemand(() => import('../../components/CallNotice.tsx'));

type Tool = 'audioCall' | 'videoCall' | 'profile';

/** The search is another feature; the app puts it here. */
export interface SearchSlot {
  /** Fetches what opening will need. */
  preload(): void;
  open(): void;
}

/** R2.8: what can be done with the stream that is open. What cannot be done yet says so. */
export function StreamTools({ stream, search }: { readonly stream: StreamView; readonly search: SearchSlot }) {
  const all = useWords();
  const words = all.streamTools;
  const toast = useToast();
  const [opened, setOpened] = useConversationState<Tool | undefined>(stream.streamId, () => undefined);
  const open = (tool: Tool) => () => setOpened(tool);
  const close = () => setOpened(undefined);
  const fail = () => {
    toast({ text: all.notLoaded, tone: 'alert' });
    close();
  };
  const say = (text: string) => () => toast({ text, tone: 'note' });

  return (
    <div className={styles['tools']}>
      <IconButton
        name={words.search}
        icon={Search}
        tooltip="bottom"
        onClick={search.open}
        onApproach={search.preload}
      />
      <IconButton name={words.audioCall} icon={Phone} tooltip="bottom" onClick={open('audioCall')} />
      <IconButton name={words.videoCall} icon={Video} tooltip="bottom" onClick={open('videoCall')} />
      <Menu
        name={words.more}
        icon={Ellipsis}
        items={[
          { name: words.profile, icon: UsersRound, run: open('profile') },
          { name: words.archive, icon: Archive, run: say(words.archiveLater) },
          { name: words.mute, icon: BellOff, run: say(words.muteLater) },
          { name: words.delete, icon: Trash2, danger: true, run: say(words.deleteLater) },
        ]}
      />
      {(opened === 'audioCall' || opened === 'videoCall') && (
        <Lazily part={callPart} onFail={fail}>
          {({ CallNotice }) => (
            <CallNotice
              heading={words[opened]}
              name={stream.name}
              face={<ConversationPicture of={stream} size="header" />}
              onClose={close}
            />
          )}
        </Lazily>
      )}
      {opened === 'profile' && (
        <Lazily part={streamProfilePart} onFail={fail}>
          {({ StreamProfile }) => <StreamProfile stream={stream} onClose={close} />}
        </Lazily>
      )}
    </div>
  );
}
