import { useEffect, useEffectEvent } from 'react';
import { PhoneOff } from '../../components/icons.ts';
import { TextButton } from '../../components/primitives/Button.tsx';
import { useCallsWords } from '../../i18n/calls.ts';
import type { OwnCall } from '../../model/calls/ownCall.ts';
import { CallNotice } from './CallNotice.tsx';

const shownForMs = 10_000;

interface EndedNoticeProps {
  readonly ended: NonNullable<OwnCall['ended']>;
  readonly limit: number;
  readonly onClose: () => void;
}

/** Says for ten seconds why the call ended. */
export function EndedNotice({ ended, limit, onClose }: EndedNoticeProps) {
  const words = useCallsWords();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const timer = setTimeout(() => close(), shownForMs);
    return () => clearTimeout(timer);
  }, []);
  const text = ended === 'full' ? words.ended.full(limit) : words.ended[ended];
  return (
    <CallNotice label={words.panel} icon={PhoneOff} tone={ended === 'over' ? 'accent' : 'alert'} text={text}>
      {(leave) => <TextButton onClick={leave(onClose)}>{words.close}</TextButton>}
    </CallNotice>
  );
}
