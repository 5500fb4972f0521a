import type { CallState } from '@engawa/protocol/calls';
import { Avatar } from '../../components/Avatar.tsx';
import { ConversationPicture } from '../../components/ConversationPicture.tsx';
import { CircleAlert, Icon, VideoOff } from '../../components/icons.ts';
import { NamedPicture } from '../../components/NamedPicture.tsx';
import { Button } from '../../components/primitives/Button.tsx';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { useFailureText } from '../../hooks/failures.ts';
import { useModel } from '../../hooks/model.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { CallsDictionary } from '../../i18n/calls.ja.ts';
import { mutedFrom } from '../../model/calls/ladder.ts';
import type { CallCommands, DeviceProblem, OwnCall } from '../../model/calls/ownCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';
import { selectMe } from '../../model/people/selectors.ts';
import { DeviceChoices } from './DeviceChoices.tsx';
import styles from './JoinDialog.module.css';
import { LevelMeter } from './LevelMeter.tsx';
import { useCallNames } from '../../hooks/callNames.ts';
import { isSilenced } from './ownDevices.ts';
import { useJoinFacts } from './joinFacts.ts';
import { VideoPicture } from './VideoPicture.tsx';

export interface JoinDialogProps {
  readonly call: OwnCall;
  readonly commands: CallCommands;
  readonly limits: NonNullable<CallState['limits']>;
  /** The user ids of the participants; empty if the member starts the call. */
  readonly present: readonly number[];
  readonly failure: Failure | undefined;
  readonly onJoin: (how: { readonly listenOnly: boolean; readonly move: boolean }) => Promise<void>;
}

const mostNamed = 3;

const repeatable: readonly DeviceProblem[] = ['refused', 'cameraRefused', 'microphoneInUse', 'cameraInUse'];

/** R2.10: what a member sees before they join: their picture, their level, their devices, and how many may take part. */
export function JoinDialog(props: JoinDialogProps) {
  const { call, commands, present, failure, onJoin } = props;
  const failureText = useFailureText();
  const all = useCallsWords();
  const words = all.join;
  const conversation = useModel(selectConversation, call.conversation);
  const isImpossible = call.problems.includes('unsupported');
  const isSilent = isSilenced(call.problems);
  const isMoving = call.elsewhere !== undefined;
  const joins = call.phase === 'joining';
  const isReady = call.phase === 'ready';
  // Without a microphone the camera does not matter.
  const problems = isSilent ? call.problems.filter((problem) => isSilenced([problem])) : call.problems;
  const join = (listenOnly: boolean) => void onJoin({ listenOnly, move: isMoving });

  return (
    <Dialog heading={all.kinds[call.kind]} holds onClose={commands.leave}>
      <div className={styles['content']} ref={scrollableByKeyboard}>
        {conversation && (
          <NamedPicture name={conversation.name}>
            <ConversationPicture of={conversation} size="header" />
          </NamedPicture>
        )}
        <Facts {...props} />
        <Problems problems={problems} />
        {call.phase === 'asking' && <p className={styles['fact']}>{call.kind === 'video' ? words.askingBoth : words.asking}</p>}
        {!isImpossible && !isSilent && call.kind === 'video' && <OwnPicture preview={call.preview} />}
        {isReady && !isSilent && !isImpossible && (
          <div className={styles['level']}>
            <LevelMeter label={words.level} level={call.level} />
            <small>{words.levelAdvice}</small>
          </div>
        )}
        {call.phase !== 'asking' && !isImpossible && !call.problems.includes('insecure') && (
          <DeviceChoices commands={commands} withCamera={call.kind === 'video' && !isSilent} withMicrophone={!isSilent} />
        )}
        {call.elsewhere !== undefined && (
          <p className={styles['question']} role="alert">
            {words[call.elsewhere]}
          </p>
        )}
      </div>
      <footer className={styles['footer']}>
        {failure && (
          <p className={styles['failure']} role="alert">
            {failureText(failure)}
          </p>
        )}
        <Button onClick={commands.leave}>{words.cancel}</Button>
        {problems.some((problem) => repeatable.includes(problem)) && (
          <Button onClick={() => commands.open(call.conversation, call.kind)}>{words.again}</Button>
        )}
        {!isImpossible && !isSilent && (
          <Button aria-disabled={!isReady} onClick={() => isReady && join(true)}>
            {words.listen}
          </Button>
        )}
        {/* One button whose label changes, so that it keeps the focus when a device is refused. */}
        {!isImpossible && (
          <Button ref={beginHere} variant="primary" aria-disabled={!isReady} onClick={() => isReady && join(isSilent)}>
            {isSilent ? words.listen : joinLabel(words, { joins, isMoving, starts: present.length === 0 })}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

/** Gives the button the initial focus. React would not write this attribute, which `showModal` looks for. */
function beginHere(button: HTMLButtonElement | null): void {
  button?.setAttribute('autofocus', '');
}

interface Situation {
  readonly joins: boolean;
  readonly isMoving: boolean;
  readonly starts: boolean;
}

function joinLabel(words: CallsDictionary['join'], { joins, isMoving, starts }: Situation): string {
  if (joins) return words.joining;
  if (isMoving) return words.move;
  return starts ? words.start : words.join;
}

function Problems({ problems }: { readonly problems: readonly DeviceProblem[] }) {
  const words = useCallsWords().problems;
  return (
    <div role="alert" className={styles['problems']}>
      {problems.map((problem) => (
        <p key={problem}>
          <Icon of={CircleAlert} size={16} />
          {words[problem]}
        </p>
      ))}
    </div>
  );
}

function OwnPicture({ preview }: { readonly preview: MediaStream | undefined }) {
  const words = useCallsWords().join;
  const me = useModel(selectMe);
  return (
    <div className={styles['picture']}>
      {preview ? (
        <VideoPicture stream={preview} label={words.ownPicture} mirrored />
      ) : (
        <span className={styles['noPicture']}>
          {me && <Avatar id={me.userId} name={me.fullName} picture={me.avatarUrl} size="profile" />}
          <span>
            <Icon of={VideoOff} size={16} strokeWidth={1.9} />
            {words.cameraIsOff}
          </span>
        </span>
      )}
    </div>
  );
}

function Facts({ call, limits, present }: JoinDialogProps) {
  const words = useCallsWords().join;
  const nameOf = useCallNames();
  const { rings, nobodyOnline } = useJoinFacts(call.conversation);
  const facts = [
    present.length > 0
      ? words.already(present.slice(0, mostNamed).map(nameOf), Math.max(0, present.length - mostNamed))
      : undefined,
    present.length === 0 && nobodyOnline ? words.nobodyOnline : undefined,
    present.length === 0 && !nobodyOnline && rings !== undefined ? words.rings(rings.name, rings.isPerson) : undefined,
    words.limit(limits.participants),
    call.kind === 'video' && limits.cameras < limits.participants ? words.limitOfCameras(limits.cameras) : undefined,
    present.length + 1 >= mutedFrom ? words.mutedAtFirst : undefined,
  ];
  return (
    <ul className={styles['facts']}>
      {facts
        .filter((fact) => fact !== undefined)
        .map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
    </ul>
  );
}
