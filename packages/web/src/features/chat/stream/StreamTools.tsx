import { useEffect } from 'react';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Ellipsis, Phone, Search, Video } from '../../../components/icons.ts';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import { MenuButton } from '../../../components/primitives/MenuButton.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import type { SearchSlot, Tool } from './streamTool.ts';
import styles from './StreamTools.module.css';
import { useConversationState } from '../useConversationState.ts';
import { selectSettled } from '../../../model/connection/state.ts';
import { useModel } from '../../../hooks/model.ts';

const loadMenu = () => import('./StreamMenu.tsx');
const MutedSign = lazyComponent(async () => (await loadMenu()).MutedSign);
const StreamMenu = lazyComponent(async () => (await loadMenu()).StreamMenu);
const StreamDialog = lazyComponent(async () => (await import('./StreamDialogs.tsx')).StreamDialog);

/** R2.8: the buttons in the header of an open stream: search, calls, mute and menu. */
export function StreamTools({ stream, search }: { readonly stream: StreamView; readonly search: SearchSlot }) {
  const words = useWords().streamTools;
  const [opened, setOpened] = useConversationState<Tool | undefined>(stream.streamId, () => undefined);
  const settled = useModel(selectSettled);
  const close = () => setOpened(undefined);
  const buttons = [
    { name: words.search, icon: Search, run: search.open, onApproach: search.preload },
    { name: words.audioCall, icon: Phone, run: () => setOpened('audioCall'), onApproach: StreamDialog.preload },
    { name: words.videoCall, icon: Video, run: () => setOpened('videoCall'), onApproach: StreamDialog.preload },
  ];
  useEffect(() => {
    if (settled) StreamMenu.preload();
  }, [settled]);

  return (
    <div className={styles['tools']}>
      {buttons.map(({ name, icon, run, onApproach }) => (
        <IconButton key={name} name={name} icon={icon} tooltip="bottom" onClick={run} onApproach={onApproach} />
      ))}
      {settled && stream.status === 'muted' && <MutedSign stream={stream} />}
      <MenuButton name={words.more} icon={Ellipsis} onApproach={StreamDialog.preload}>
        {(menu) => <StreamMenu stream={stream} menu={menu} onOpen={setOpened} onLoadFailure={menu.onClose} />}
      </MenuButton>
      {opened && <StreamDialog tool={opened} stream={stream} onClose={close} onLoadFailure={close} />}
    </div>
  );
}
