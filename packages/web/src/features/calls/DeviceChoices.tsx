import { useEffect, useEffectEvent, useState } from 'react';
import { Select } from '../../components/primitives/Select.tsx';
import { TextButton } from '../../components/primitives/Button.tsx';
import { Icon, Mic, Volume2 } from '../../components/icons.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { CallCommands, CallDevice } from '../../model/calls/ownCall.ts';
import styles from './DeviceChoices.module.css';

interface DeviceChoicesProps {
  readonly commands: Pick<CallCommands, 'devices' | 'choose' | 'testSound' | 'recordAndPlay'>;
  readonly withCamera: boolean;
  readonly withMicrophone: boolean;
}

const kinds = ['microphone', 'camera', 'speaker'] as const;

/** The choice of microphone, camera and speaker, and two ways to try them. A browser that cannot choose a speaker lists none. */
export function DeviceChoices({ commands, withCamera, withMicrophone }: DeviceChoicesProps) {
  const words = useCallsWords().join;
  const { devices, choose } = useDevices(commands);
  const [recording, setRecording] = useState(false);
  const shown = kinds.filter((kind) => (kind !== 'camera' || withCamera) && (kind !== 'microphone' || withMicrophone));

  const record = async () => {
    setRecording(true);
    await commands.recordAndPlay();
    setRecording(false);
  };

  return (
    <div className={styles['devices']}>
      {shown.map((kind) => {
        const options = devices.filter((device) => device.kind === kind);
        if (options.length === 0) return null;
        const chosen = options.find((device) => device.chosen) ?? options[0];
        return (
          <div key={kind} className={styles['device']}>
            <span aria-hidden>{words.devices[kind]}</span>
            <Select
              name={words.devices[kind]}
              options={options.map(({ id, label }, index) => ({
                value: id,
                label: label === '' ? words.unnamed(words.devices[kind], index + 1) : label,
              }))}
              chosen={chosen?.id ?? ''}
              onChoose={(id) => void choose(kind, id)}
            />
          </div>
        );
      })}
      <div className={styles['tests']}>
        <TextButton onClick={commands.testSound}>
          <Icon of={Volume2} size={16} strokeWidth={1.9} />
          {words.testSound}
        </TextButton>
        {withMicrophone && (
          <TextButton aria-disabled={recording} onClick={() => !recording && void record()}>
            <Icon of={Mic} size={16} strokeWidth={1.9} />
            {recording ? words.recording : words.record}
          </TextButton>
        )}
      </div>
    </div>
  );
}

function useDevices({ devices: list, choose }: Pick<CallCommands, 'devices' | 'choose'>) {
  const [devices, setDevices] = useState<readonly CallDevice[]>([]);
  const refresh = () => list().then(setDevices);
  const look = useEffectEvent(() => void refresh());
  useEffect(() => {
    look();
    const media = 'mediaDevices' in navigator ? navigator.mediaDevices : undefined;
    const onChange = () => look();
    media?.addEventListener('devicechange', onChange);
    return () => media?.removeEventListener('devicechange', onChange);
  }, []);
  return {
    devices,
    choose: async (kind: CallDevice['kind'], id: string) => {
      await choose(kind, id);
      await refresh();
    },
  };
}
