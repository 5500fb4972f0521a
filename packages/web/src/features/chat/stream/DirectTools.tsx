import { CallNotice } from '../../../components/CallNotice.tsx';
import { ConversationPicture } from '../../../components/ConversationPicture.tsx';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Ellipsis, Phone, Search, UsersRound, Video } from '../../../components/icons.ts';
import { MenuItems } from '../../../components/primitives/Menu.tsx';
import { MenuButton } from '../../../components/primitives/MenuButton.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import type { DirectView } from '../../../model/conversations/selectors.ts';
import { DirectProfile } from './DirectProfile.tsx';
import styles from './StreamTools.module.css';
import type { SearchSlot } from './streamTool.ts';
import { useConversationState } from '../useConversationState.ts';

type Tool = 'audioCall' | 'videoCall' | 'profile';

/** R1.8, R2.8: the buttons in the header of a direct conversation. Nobody can leave or delete one. */
export function DirectTools({ direct, search }: { readonly direct: DirectView; readonly search: SearchSlot }) {
  const words = useWords().streamTools;
  const [opened, setOpened] = useConversationState<Tool | undefined>(direct.key, () => undefined);
  const open = (tool: Tool) => () => setOpened(tool);
  const close = () => setOpened(undefined);
  const { profile } = useStreamWords();

  return (
    <div className={styles['tools']}>
      <IconButton name={words.search} icon={Search} tooltip="bottom" onClick={search.open} onApproach={search.preload} />
      {!direct.isToSelf && (
        <>
          <IconButton name={words.audioCall} icon={Phone} tooltip="bottom" onClick={open('audioCall')} />
          <IconButton name={words.videoCall} icon={Video} tooltip="bottom" onClick={open('videoCall')} />
        </>
      )}
      <MenuButton name={words.more} icon={Ellipsis}>
        {(menu) => (
          <MenuItems {...menu} name={words.more} items={[{ name: profile, icon: UsersRound, run: open('profile') }]} />
        )}
      </MenuButton>
      {(opened === 'audioCall' || opened === 'videoCall') && (
        <CallNotice
          heading={words[opened]}
          name={direct.name}
          face={<ConversationPicture of={direct} size="header" />}
          onClose={close}
        />
      )}
      {opened === 'profile' && <DirectProfile direct={direct} onClose={close} />}
    </div>
  );
}
