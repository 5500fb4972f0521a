import { useState } from 'react';
import {
  type IconNode,
  Mic,
  MicOff,
  MonitorUp,
  MonitorX,
  PhoneOff,
  Settings2,
  SwitchCamera,
  Video,
  VideoOff,
} from '../../components/icons.ts';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { useCoarsePointer } from '../../hooks/media.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { CallCommands, OwnCall } from '../../model/calls/ownCall.ts';
import styles from './CallControls.module.css';
import { DeviceChoices } from './DeviceChoices.tsx';
import { canSpeak, canUseCamera } from './ownDevices.ts';

export interface CallControlsProps {
  readonly call: OwnCall;
  readonly commands: CallCommands;
  /** Only microphone and leaving, for the strip. */
  readonly brief?: boolean;
}

/** The buttons of a call. A press does not move the focus, so that Space held afterwards still talks. */
export function CallControls({ call, commands, brief = false }: CallControlsProps) {
  const words = useCallsWords().controls;
  const [choosing, setChoosing] = useState(false);
  const isPhone = useCoarsePointer();
  const canShare = 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices && !isPhone;
  return (
    <fieldset className={styles['controls']} aria-label={words.label}>
      {canSpeak(call) && (
        <Control
          name={call.muted ? words.unmute : words.mute}
          icon={call.muted ? MicOff : Mic}
          isOff={call.muted}
          run={() => commands.setMuted(!call.muted)}
        />
      )}
      {!brief && canUseCamera(call) && (
        <Control
          name={call.camera ? words.cameraOff : words.cameraOn}
          icon={call.camera ? Video : VideoOff}
          isOff={!call.camera}
          run={() => void commands.setCamera(!call.camera)}
        />
      )}
      {!brief && call.camera && isPhone && (
        <Control name={words.flip} icon={SwitchCamera} run={() => void commands.flipCamera()} />
      )}
      {!brief && canShare && (
        <Control
          name={call.screen ? words.screenOff : words.screenOn}
          icon={call.screen ? MonitorX : MonitorUp}
          isOn={call.screen}
          run={() => void commands.setScreen(!call.screen)}
        />
      )}
      {!brief && <Control name={words.devices} icon={Settings2} run={() => setChoosing(true)} />}
      <IconButton
        className={styles['leave']}
        name={words.leave}
        icon={PhoneOff}
        tooltip={brief ? 'bottom' : 'top'}
        keepFocus
        onClick={commands.leave}
      />
      {choosing && (
        <Dialog heading={words.devices} onClose={() => setChoosing(false)}>
          <div className={styles['devices']}>
            <DeviceChoices commands={commands} withCamera={canUseCamera(call)} withMicrophone={!call.listensOnly} />
          </div>
        </Dialog>
      )}
    </fieldset>
  );
}

interface ControlProps {
  readonly name: string;
  readonly icon: IconNode;
  readonly isOff?: boolean;
  readonly isOn?: boolean;
  readonly run: () => void;
}

function Control({ name, icon, isOff = false, isOn = false, run }: ControlProps) {
  return (
    <IconButton className={styles['control']} data-off={isOff} data-on={isOn} name={name} icon={icon} keepFocus onClick={run} />
  );
}
