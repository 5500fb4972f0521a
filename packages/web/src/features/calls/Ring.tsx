import { useId } from 'react';
import { Icon, Phone, PhoneOff, Video } from '../../components/icons.ts';
import { Button } from '../../components/primitives/Button.tsx';
import { Avatar } from '../../components/Avatar.tsx';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import { useKeyDown } from '../../hooks/keyDown.ts';
import { useReturnFocus } from '../../hooks/returnFocus.ts';
import { useModel } from '../../hooks/model.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { CallKind } from '../../model/calls/ownCall.ts';
import { selectMember } from '../../model/people/memberView.ts';
import styles from './Ring.module.css';
import { useCallNames } from '../../hooks/callNames.ts';

export interface RingProps {
  readonly kind: CallKind;
  readonly callerId: number;
  /** The name of the stream in which the call is; undefined in a direct conversation. */
  readonly streamName: string | undefined;
  readonly onAccept: (kind: CallKind) => void;
  readonly onDecline: () => void;
}

/** A call that rings. The focus stays where it was, because the member may be writing; two keys answer from anywhere. */
export function Ring({ kind, callerId, streamName, onAccept, onDecline }: RingProps) {
  const words = useCallsWords().ring;
  const heading = useId();
  const about = useId();
  const name = useCallNames()(callerId);
  const picture = useModel(selectMember, callerId)?.avatarUrl;
  const { returnFocus, ...placed } = useReturnFocus();
  const leaveTo = (run: () => void) => () => {
    returnFocus();
    run();
  };
  const accept = leaveTo(() => onAccept('audio'));
  const decline = leaveTo(onDecline);
  useAnswerKeys(accept, decline);

  return (
    <div
      className={styles['ring']}
      role="alertdialog"
      aria-modal={false}
      aria-labelledby={heading}
      aria-describedby={about}
      {...placed}
    >
      <VisuallyHidden>
        <span role="alert">{`${words.label(name)} ${words[kind]}`}</span>
      </VisuallyHidden>
      <div className={styles['who']}>
        <span className={styles['face']}>
          <Avatar id={callerId} name={name} picture={picture} size="list" />
        </span>
        <div className={styles['names']}>
          <p id={heading} className={styles['name']}>
            {name}
          </p>
          <p id={about} className={styles['about']}>
            {words[kind]}
            {streamName !== undefined && ` ${words.inStream(streamName)}`}
          </p>
        </div>
      </div>
      <div className={styles['buttons']}>
        <Button variant="danger" onClick={decline}>
          <Icon of={PhoneOff} size={16} strokeWidth={1.9} />
          {words.decline}
        </Button>
        <Button variant={kind === 'audio' ? 'primary' : 'outline'} onClick={accept}>
          <Icon of={Phone} size={16} strokeWidth={1.9} />
          {words.acceptAudio}
        </Button>
        <Button variant={kind === 'video' ? 'primary' : 'outline'} onClick={leaveTo(() => onAccept('video'))}>
          <Icon of={Video} size={16} strokeWidth={1.9} />
          {words.acceptVideo}
        </Button>
      </div>
      <small className={styles['keys']}>{words.keys}</small>
    </div>
  );
}

function useAnswerKeys(accept: () => void, decline: () => void): void {
  useKeyDown((event) => {
    if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.altKey || event.repeat) return;
    const run = { a: accept, d: decline }[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    run();
  });
}
