import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Ellipsis, Phone, Search, UsersRound, Video } from '../../../components/icons.ts';
import { MenuItems } from '../../../components/primitives/Menu.tsx';
import { MenuButton } from '../../../components/primitives/MenuButton.tsx';
import { useOpenCall } from '../../../hooks/calls.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import { selectCall } from '../../../model/calls/state.ts';
import type { DirectView } from '../../../model/conversations/selectors.ts';
import { JoinCall } from '../calls/JoinCall.tsx';
import { DirectProfile } from './DirectProfile.tsx';
import styles from './StreamTools.module.css';
import type { SearchSlot } from './streamTool.ts';
import { useConversationState } from '../useConversationState.ts';

/** R1.8, R2.8: the buttons in the header of a direct conversation. Nobody can leave or delete one. */
export function DirectTools({ direct, search }: { readonly direct: DirectView; readonly search: SearchSlot }) {
  const words = useWords().streamTools;
  const { profile } = useStreamWords();
  const { session } = useCommands();
  const openCall = useOpenCall();
  const ongoing = useModel(selectCall, direct.key);
  const [showsProfile, setShowsProfile] = useConversationState(direct.key, () => false);

  return (
    <div className={styles['tools']}>
      <IconButton name={words.search} icon={Search} tooltip="bottom" onClick={search.open} onApproach={search.preload} />
      {session.calls && !ongoing && !direct.isToSelf && (
        <>
          <IconButton name={words.audioCall} icon={Phone} tooltip="bottom" onClick={() => openCall(direct.key, 'audio')} />
          <IconButton name={words.videoCall} icon={Video} tooltip="bottom" onClick={() => openCall(direct.key, 'video')} />
        </>
      )}
      {ongoing && <JoinCall conversation={direct.key} />}
      <MenuButton name={words.more} icon={Ellipsis}>
        {(menu) => (
          <MenuItems
            {...menu}
            name={words.more}
            items={[{ name: profile, icon: UsersRound, run: () => setShowsProfile(true) }]}
          />
        )}
      </MenuButton>
      {showsProfile && <DirectProfile direct={direct} onClose={() => setShowsProfile(false)} />}
    </div>
  );
}
