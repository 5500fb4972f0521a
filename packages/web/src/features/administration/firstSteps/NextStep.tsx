import { firstSteps } from '@engawa/protocol/administration';
import { TextLink } from '../../../components/primitives/Button.tsx';
import { ChevronRight, Icon, X } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { useModel } from '../../../hooks/model.ts';
import { useFirstStepsWords } from '../../../i18n/firstSteps.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';
import { useOwnRole } from '../useOwnRole.ts';
import styles from './NextStep.module.css';
import { useFirstSteps } from './useFirstSteps.ts';

interface NextStepProps {
  readonly address: string;
  /** In the list of departments until all is done or dismissed; in an empty conversation while the member is alone. */
  readonly place: 'list' | 'chat';
}

/** Leads an administrator from the chat to the next step of the setup. */
export function NextStep(props: NextStepProps) {
  const role = useOwnRole();
  const isAlone = useModel(selectPeople).filter(({ isBot }) => !isBot).length <= 1;
  if (role === undefined || role === 'member') return null;
  if (props.place === 'list') return <Progress {...props} />;
  return isAlone ? <Alone {...props} /> : null;
}

function Progress({ address }: NextStepProps) {
  const words = useFirstStepsWords();
  const { sections } = useAdministrationWords();
  const { state, next, dismiss } = useFirstSteps();
  if (!state || state.is_dismissed || next === undefined) return null;
  return (
    <aside className={styles['progress']} aria-label={sections.start}>
      <a href={address}>
        <span>
          {sections.start}
          <small>{words.open(words.steps[next].heading)}</small>
        </span>
        <span aria-hidden className={styles['count']}>
          {words.shortProgress(state.done.length, firstSteps.length)}
        </span>
        <Icon of={ChevronRight} size={16} />
      </a>
      <IconButton name={words.dismiss} icon={X} size="small" tooltip="bottom" onClick={() => void dismiss(true)} />
    </aside>
  );
}

function Alone({ address }: NextStepProps) {
  const words = useFirstStepsWords();
  const { sections } = useAdministrationWords();
  const { state, next } = useFirstSteps();
  if (!state) return null;
  return (
    <div className={styles['alone']}>
      <strong>{words.alone}</strong>
      <span>{state.done.includes('invitations') ? words.aloneInvitedAdvice : words.aloneAdvice}</span>
      <TextLink href={address} className={styles['go']}>
        {next === undefined ? sections.start : words.open(words.steps[next].heading)}
        <Icon of={ChevronRight} size={16} />
      </TextLink>
    </div>
  );
}
