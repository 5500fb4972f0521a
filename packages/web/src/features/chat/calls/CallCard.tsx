import { Icon, Phone, PhoneMissed, Video } from '../../../components/icons.ts';
import { Button } from '../../../components/primitives/Button.tsx';
import { useCallsWords } from '../../../i18n/calls.ts';
import type { CallKind } from '../../../model/calls/ownCall.ts';
import styles from './CallCard.module.css';

export interface CallCardProps {
  readonly kind: CallKind;
  /** `unknown`: not loaded, or too old for the server. */
  readonly state: 'ongoing' | 'ended' | 'unanswered' | 'unknown';
  /** Minutes, rounded down; of a call that has ended. */
  readonly minutes: number;
  /** How many took part. */
  readonly people: number;
  /** Undefined if the member is in the call. */
  readonly onJoin: (() => void) | undefined;
}

/** A call in the conversation, in place of the text of its opening message. */
export function CallCard({ kind, state, minutes, people, onJoin }: CallCardProps) {
  const all = useCallsWords();
  const words = all.card;
  const icon = state === 'unanswered' ? PhoneMissed : kind === 'video' ? Video : Phone;
  const parts = {
    ongoing: [words.ongoing, words.people(people)],
    ended: [words.minutes(minutes), words.people(people)],
    unanswered: [words.unanswered],
    unknown: [],
  }[state];
  return (
    <div className={styles['card']} data-state={state}>
      <span className={styles['icon']}>
        <Icon of={icon} size={20} strokeWidth={1.75} />
      </span>
      <p>{words.summary([all.kinds[kind], ...parts])}</p>
      {state === 'ongoing' && onJoin && (
        <Button size="small" variant="primary" onClick={onJoin}>
          {words.join}
        </Button>
      )}
    </div>
  );
}
