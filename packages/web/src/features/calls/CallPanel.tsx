import { useState } from 'react';
import { ChevronDown, ChevronUp, Icon, Maximize2, Minimize2, Phone } from '../../components/icons.ts';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import { useNarrow } from '../../hooks/media.ts';
import { useModel } from '../../hooks/model.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { CallCommands, OwnCall } from '../../model/calls/ownCall.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';
import { CallAnnouncer } from './CallAnnouncer.tsx';
import { CallBody } from './CallBody.tsx';
import { CallControls } from './CallControls.tsx';
import styles from './CallPanel.module.css';
import { useCallNotices, type Waiting } from './useCallNotices.ts';
import { useElapsed } from './useElapsed.ts';

export interface CallPanelProps {
  readonly call: OwnCall;
  readonly commands: CallCommands;
  readonly waiting: Waiting;
  readonly camerasUpTo: number;
  readonly onRingAgain: () => void;
  /** The member talks by holding Space. */
  readonly isTalking: boolean;
}

type Size = 'strip' | 'panel' | 'full';

/**
 * The member's call over every place of the app: a panel, a strip above the screens, or the whole window. A narrow window has
 * no room for the panel.
 */
export function CallPanel(props: CallPanelProps) {
  const { call, commands } = props;
  const all = useCallsWords();
  const words = all.controls;
  const narrow = useNarrow();
  const [chosen, setSize] = useState<Size>(narrow ? 'full' : 'panel');
  const size = narrow && chosen === 'panel' ? 'strip' : chosen;
  const name = useModel(selectConversation, call.conversation)?.name ?? all.panel;
  const status = useStatus(props);

  if (size === 'full') {
    return (
      <Dialog
        heading={name}
        full
        closeButton={{ name: words.collapse, icon: Minimize2 }}
        onClose={() => setSize(narrow ? 'strip' : 'panel')}
      >
        <p className={styles['status']}>{status}</p>
        <CallBody {...props} isLarge />
      </Dialog>
    );
  }
  if (size === 'strip') {
    return (
      <section className={styles['strip']} aria-label={all.panel}>
        <PlainButton className={styles['open']} onClick={() => setSize(narrow ? 'full' : 'panel')}>
          <Icon of={Phone} size={16} strokeWidth={1.9} />
          <span className={styles['name']}>{name}</span>
          <span className={styles['time']}>{status}</span>
          <VisuallyHidden>{words.expand}</VisuallyHidden>
          <Icon of={ChevronDown} className={styles['chevron']} size={16} />
        </PlainButton>
        <CallControls call={call} commands={commands} brief />
        <Announcements {...props} />
      </section>
    );
  }
  return (
    <section className={styles['panel']} aria-label={all.panel}>
      <header className={styles['header']}>
        <span className={styles['title']}>
          <span className={styles['name']}>{name}</span>
          <span className={styles['time']}>{status}</span>
        </span>
        <IconButton name={words.enlarge} icon={Maximize2} size="small" tooltip="bottom" onClick={() => setSize('full')} />
        <IconButton name={words.collapse} icon={ChevronUp} size="small" tooltip="bottom" onClick={() => setSize('strip')} />
      </header>
      <CallBody {...props} />
    </section>
  );
}

function Announcements(props: CallPanelProps) {
  return <CallAnnouncer participants={props.call.participants} notices={useCallNotices(props).map(({ text }) => text)} />;
}

function useStatus({ call, waiting, isTalking }: CallPanelProps): string {
  const words = useCallsWords().state;
  const elapsed = useElapsed(call.since);
  if (isTalking) return words.talking;
  if (call.phase !== 'waiting' && call.phase !== 'inCall') return words.joining;
  if (call.phase === 'waiting') return waiting === 'ringing' ? words.waiting : words.alone;
  return elapsed ?? words.joining;
}
