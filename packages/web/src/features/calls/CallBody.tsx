import { CircleAlert, Icon, Info } from '../../components/icons.ts';
import { TextButton } from '../../components/primitives/Button.tsx';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import { CallAnnouncer } from './CallAnnouncer.tsx';
import styles from './CallBody.module.css';
import { CallControls } from './CallControls.tsx';
import type { CallPanelProps } from './CallPanel.tsx';
import { ScreenTile, Tile } from './Tile.tsx';
import { useCallNotices } from './useCallNotices.ts';

/** So many participants leave room for large avatars. */
const roomy = 4;

/** Tiles, notices and buttons, in the panel and in the whole window. */
export function CallBody(props: CallPanelProps & { readonly isLarge?: boolean }) {
  const { call, commands, onRingAgain, isLarge = false } = props;
  const words = useCallsWords();
  const notices = useCallNotices(props);
  const { participants } = call;
  return (
    <div className={styles['body']} data-large={isLarge}>
      <ul
        className={styles['tiles']}
        ref={scrollableByKeyboard}
        aria-label={words.state.participants(participants.length)}
        data-count={Math.min(participants.length, 5)}
      >
        {participants.map((participant) =>
          participant.screen ? <ScreenTile key={participant.id} participant={participant} stream={participant.screen} /> : null,
        )}
        {participants.map((participant) => (
          <Tile key={participant.id} participant={participant} isLarge={isLarge && participants.length <= roomy} />
        ))}
      </ul>
      {notices.length > 0 && (
        <div className={styles['notices']}>
          {notices.map(({ text, tone, reconnects, ringsAgain }) => (
            <div key={text} className={styles['notice']} data-tone={tone}>
              {tone === 'alert' ? <Icon of={CircleAlert} size={14} /> : <Icon of={Info} size={14} />}
              <p>{text}</p>
              {reconnects !== undefined && (
                <TextButton onClick={() => commands.reconnect(reconnects)}>{words.tile.reconnect}</TextButton>
              )}
              {ringsAgain && <TextButton onClick={onRingAgain}>{words.state.ringAgain}</TextButton>}
            </div>
          ))}
        </div>
      )}
      <CallControls call={call} commands={commands} />
      <CallAnnouncer participants={participants} notices={notices.map(({ text }) => text)} />
    </div>
  );
}
