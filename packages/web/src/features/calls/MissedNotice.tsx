import { PhoneMissed } from '../../components/icons.ts';
import { Button, TextButton } from '../../components/primitives/Button.tsx';
import { useTimes } from '../../hooks/times.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import { CallNotice } from './CallNotice.tsx';
import { useCallNames } from '../../hooks/callNames.ts';

interface MissedNoticeProps {
  readonly callerId: number;
  /** Unix seconds. */
  readonly since: number;
  readonly onCallBack: () => void;
  readonly onClose: () => void;
}

/** Stays until the member closes it or calls back. */
export function MissedNotice({ callerId, since, onCallBack, onClose }: MissedNoticeProps) {
  const all = useCallsWords();
  const words = all.missed;
  const text = words.from(useCallNames()(callerId), useTimes().recent(since));
  return (
    <CallNotice label={words.label} icon={PhoneMissed} tone="alert" text={text}>
      {(leave) => (
        <>
          <Button size="medium" onClick={leave(onCallBack)}>
            {words.back}
          </Button>
          <TextButton onClick={leave(onClose)}>{all.close}</TextButton>
        </>
      )}
    </CallNotice>
  );
}
