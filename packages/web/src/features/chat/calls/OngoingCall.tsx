import { Icon, Phone } from '../../../components/icons.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { Button } from '../../../components/primitives/Button.tsx';
import { useModel } from '../../../hooks/model.ts';
import { useCallsWords } from '../../../i18n/calls.ts';
import { selectMember } from '../../../model/people/memberView.ts';
import styles from './OngoingCall.module.css';
import { useCallNames } from '../../../hooks/callNames.ts';

const mostNamed = 2;

interface OngoingCallProps {
  readonly participants: readonly number[];
  readonly onJoin: () => void;
}

/** R2.10: who is in the call of the open conversation, for a member who is not in it. */
export function OngoingCall({ participants, onJoin }: OngoingCallProps) {
  const words = useCallsWords().ongoing;
  const nameOf = useCallNames();
  const named = participants.slice(0, mostNamed);
  const [only] = named;
  if (only === undefined) return null;
  return (
    <section className={styles['banner']} aria-label={words.label}>
      <span className={styles['faces']}>
        {named.map((userId) => (
          <Face key={userId} userId={userId} name={nameOf(userId)} />
        ))}
      </span>
      <output>
        {participants.length === 1 ? words.one(nameOf(only)) : words.many(named.map(nameOf), participants.length - named.length)}
      </output>
      <Button size="small" variant="primary" onClick={onJoin}>
        <Icon of={Phone} size={14} strokeWidth={2} />
        {words.join}
      </Button>
    </section>
  );
}

function Face({ userId, name }: { readonly userId: number; readonly name: string }) {
  const picture = useModel(selectMember, userId)?.avatarUrl;
  return <Avatar id={userId} name={name} picture={picture} size="chip" />;
}
