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
import { selectCall } from '../../../model/calls/state.ts';
import { selectSettled } from '../../../model/connection/state.ts';
import { useOpenCall } from '../../../hooks/calls.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';

const loadMenu = () => import('./StreamMenu.tsx');
const MutedSign = lazyComponent(async () => (await loadMenu()).MutedSign);
const JoinCall = lazyComponent(async () => (await import('../calls/JoinCall.tsx')).JoinCall);
const StreamMenu = lazyComponent(async () => (await loadMenu()).StreamMenu);
const StreamDialog = lazyComponent(async () => (await import('./StreamDialogs.tsx')).StreamDialog);

/** R2.8: the buttons in the header of an open stream: search, calls, mute and menu. */
export function StreamTools({ stream, search }: { readonly stream: StreamView; readonly search: SearchSlot }) {
  const words = useWords().streamTools;
  const [opened, setOpened] = useConversationState<Tool | undefined>(stream.streamId, () => undefined);
  const settled = useModel(selectSettled);
  const { session } = useCommands();
  const openCall = useOpenCall();
  const ongoing = useModel(selectCall, stream.key);
  const calls = session.calls && !ongoing;
  const close = () => setOpened(undefined);
  const buttons = [
    { name: words.search, icon: Search, run: search.open, onApproach: search.preload },
    ...(calls
      ? [
          { name: words.audioCall, icon: Phone, run: () => openCall(stream.key, 'audio') },
          { name: words.videoCall, icon: Video, run: () => openCall(stream.key, 'video') },
        ]
      : []),
  ];
  useEffect(() => {
    if (settled) StreamMenu.preload();
  }, [settled]);

  return (
    <div className={styles['tools']}>
      {buttons.map(({ name, icon, run, onApproach }) => (
        <IconButton key={name} name={name} icon={icon} tooltip="bottom" onClick={run} onApproach={onApproach} />
      ))}
      {ongoing && <JoinCall conversation={stream.key} />}
      {settled && stream.status === 'muted' && <MutedSign stream={stream} />}
      <MenuButton name={words.more} icon={Ellipsis} onApproach={StreamDialog.preload}>
        {(menu) => <StreamMenu stream={stream} menu={menu} onOpen={setOpened} onLoadFailure={menu.onClose} />}
      </MenuButton>
      {opened && <StreamDialog tool={opened} stream={stream} onClose={close} onLoadFailure={close} />}
    </div>
  );
}
