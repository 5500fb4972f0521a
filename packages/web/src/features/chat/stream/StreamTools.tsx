import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Ellipsis, Phone, Search, Video } from '../../../components/icons.ts';
import { Lazily } from '../../../components/Lazily.tsx';
import { MenuButton } from '../../../components/primitives/MenuButton.tsx';
import { onDemand } from '../../../components/onDemand.ts';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import type { SearchSlot, Tool } from './streamSlots.ts';
import styles from './StreamTools.module.css';
import { useConversationState } from '../useConversationState.ts';
import { selectSettled } from '../../../model/connection/state.ts';
import { useModel } from '../../../hooks/model.ts';

const menuPart = onDemand(() => import('./StreamMenu.tsx'));
const dialogsPart = onDemand(() => import('./StreamDialogs.tsx'));

/** R2.8: what can be done with the stream that is open. */
export function StreamTools({ stream, search }: { readonly stream: StreamView; readonly search: SearchSlot }) {
  const all = useWords();
  const words = all.streamTools;
  const toast = useToast();
  const [opened, setOpened] = useConversationState<Tool | undefined>(stream.streamId, () => undefined);
  const settled = useModel(selectSettled);
  const sayNotLoaded = () => toast({ text: all.notLoaded, tone: 'alert' });
  const close = () => setOpened(undefined);
  const isMuted = stream.status === 'muted';
  const buttons = [
    { name: words.search, icon: Search, run: search.open, onApproach: search.preload },
    { name: words.audioCall, icon: Phone, run: () => setOpened('audioCall'), onApproach: dialogsPart.preload },
    { name: words.videoCall, icon: Video, run: () => setOpened('videoCall'), onApproach: dialogsPart.preload },
  ];

  return (
    <div className={styles['tools']}>
      {buttons.map(({ name, icon, run, onApproach }) => (
        <IconButton key={name} name={name} icon={icon} tooltip="bottom" onClick={run} onApproach={onApproach} />
      ))}
      <Lazily part={menuPart} needed={settled} onFail={() => isMuted && sayNotLoaded()}>
        {({ MutedSign }) => isMuted && <MutedSign stream={stream} />}
      </Lazily>
      <MenuButton name={words.more} icon={Ellipsis} onApproach={dialogsPart.preload}>
        {(menu) => (
          <Lazily
            part={menuPart}
            onFail={() => {
              sayNotLoaded();
              menu.onClose();
            }}
          >
            {({ StreamMenu }) => <StreamMenu stream={stream} menu={menu} onOpen={setOpened} />}
          </Lazily>
        )}
      </MenuButton>
      {opened && (
        <Lazily
          part={dialogsPart}
          onFail={() => {
            sayNotLoaded();
            close();
          }}
        >
          {({ StreamDialog }) => <StreamDialog tool={opened} stream={stream} onClose={close} />}
        </Lazily>
      )}
    </div>
  );
}
