import { Avatar } from '../../components/Avatar.tsx';
import { Headphones, Icon, MicOff, MonitorUp, Unplug } from '../../components/icons.ts';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import { useModel } from '../../hooks/model.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { Participant } from '../../model/calls/ownCall.ts';
import { selectMember } from '../../model/people/memberView.ts';
import styles from './Tile.module.css';
import { useCallNames } from '../../hooks/callNames.ts';
import { VideoPicture } from './VideoPicture.tsx';

/** A participant: their camera or avatar, their name, and what they do. The ring of the speaker is also said in a word. */
export function Tile({ participant, isLarge }: { readonly participant: Participant; readonly isLarge: boolean }) {
  const all = useCallsWords();
  const words = all.tile;
  const { userId, isSelf, muted, listenOnly, speaking, camera } = participant;
  const name = useCallNames()(userId);
  const picture = useModel(selectMember, userId)?.avatarUrl;
  const link = isSelf ? 'connected' : participant.link;
  return (
    <li className={styles['tile']} data-speaking={speaking} data-link={link} data-picture={camera !== undefined}>
      {camera ? (
        <VideoPicture stream={camera} label={isSelf ? words.ownCamera : words.camera(name)} mirrored={isSelf} />
      ) : (
        <Avatar id={userId} name={name} picture={picture} size={isLarge ? 'profile' : 'message'} />
      )}
      {link !== 'connected' && (
        <span className={styles['link']}>
          {link === 'noPath' && <Icon of={Unplug} size={14} />}
          {words.links[link]}
        </span>
      )}
      <span className={styles['name']}>
        {listenOnly ? <Icon of={Headphones} size={13} /> : muted && <Icon of={MicOff} size={13} />}
        <span className={styles['text']}>{isSelf ? all.you : name}</span>
        <VisuallyHidden>{listenOnly ? words.listens : muted ? words.muted : speaking ? words.speaking : ''}</VisuallyHidden>
      </span>
    </li>
  );
}

/** The screen that a participant shares, whole and as large as the panel allows. */
export function ScreenTile({ participant, stream }: { readonly participant: Participant; readonly stream: MediaStream }) {
  const words = useCallsWords().tile;
  const { userId, isSelf } = participant;
  const label = words.screen(useCallNames()(userId));
  return (
    <li className={styles['tile']} data-screen data-picture="true">
      <VideoPicture stream={stream} label={isSelf ? words.ownScreen : label} whole />
      <span className={styles['name']}>
        <Icon of={MonitorUp} size={13} />
        <span className={styles['text']}>{isSelf ? words.ownScreen : label}</span>
      </span>
    </li>
  );
}
