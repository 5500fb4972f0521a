import { Accordion, AccordionSection } from '../../components/Accordion.tsx';
import {
  ChevronRight,
  CircleQuestionMark,
  LockKeyhole,
  RotateCw,
  ShieldCheck,
  UserRound,
} from '../../components/icons.ts';
import { Select } from '../../components/Select.tsx';
import { Switch } from '../../components/Switch.tsx';
import { useToast } from '../../components/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useLocation, useModel, useProfileFailure, useReceiptsShown, useSendsReceipts } from '../../hooks/model.ts';
import { useClock } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { Me } from '../../model/view.ts';
import styles from './Sections.module.css';

/** R2.24.2 */
export function Sections({ me }: { readonly me: Me }) {
  const words = useWords().settings;
  return (
    <Accordion>
      <AccordionSection heading={words.profile} icon={UserRound} initiallyOpen>
        <PersonalInfo me={me} />
      </AccordionSection>
      <AccordionSection heading={words.privacy} icon={LockKeyhole} initiallyOpen>
        <Privacy />
      </AccordionSection>
      <AccordionSection heading={words.security} icon={ShieldCheck}>
        <Security />
      </AccordionSection>
      <AccordionSection heading={words.help} icon={CircleQuestionMark}>
        <Help />
      </AccordionSection>
    </Accordion>
  );
}

function PersonalInfo({ me }: { readonly me: Me }) {
  const words = useWords().settings;
  const clock = useClock();
  return (
    <dl className={styles['facts']}>
      <dt>{words.name}</dt>
      <dd>{me.fullName}</dd>
      <dt>{words.email}</dt>
      <dd>{me.email}</dd>
      <dt>{words.time}</dt>
      <dd>
        <time>{clock}</time>
      </dd>
      <dt>{words.location}</dt>
      <dd>
        <Location />
      </dd>
    </dl>
  );
}

function Location() {
  const words = useWords();
  const model = useModel();
  const location = useLocation();
  const failure = useProfileFailure();
  if (location !== undefined) return location === '' ? words.settings.noLocation : location;
  if (!failure) return <output className={styles['loading']} aria-label={words.loading} />;
  return (
    <button type="button" className={styles['again']} title={words.again} onClick={() => model.loadProfile()}>
      {words.settings.locationFailed}
      <RotateCw aria-hidden size={14} />
      <span className={styles['hidden']}>{words.again}</span>
    </button>
  );
}

const audiences = ['everyone', 'selected', 'nobody'] as const;

/** Of this the read receipts are in effect: what else is used says that it is not yet, and stays as it is. */
function Privacy() {
  const words = useWords().settings;
  const toast = useToast();
  const later = (name: string) => () => toast({ text: words.privacyLater(name), tone: 'note' });
  const options = audiences.map((value) => ({ value, label: words[value] }));
  const audience = (name: string) => (
    <div className={styles['row']}>
      <span>{name}</span>
      <Select className={styles['audience']} name={name} options={options} chosen="everyone" onChoose={later(name)} />
    </div>
  );
  return (
    <div className={styles['rows']}>
      {audience(words.photo)}
      <Switch label={words.lastSeen} on onToggle={later(words.lastSeen)} />
      {audience(words.status)}
      <ReadReceipts onUnknown={later(words.readReceipts)} />
      {audience(words.groups)}
      <p className={styles['note']}>{words.notYet}</p>
    </div>
  );
}

/**
 * R2.25.1: kept by the server. On a server that does not say how it is, it stays as servers have it; where the
 * organisation shows none, there is nothing to choose.
 */
function ReadReceipts({ onUnknown }: { readonly onUnknown: () => void }) {
  const words = useWords().settings;
  const failureText = useFailureText();
  const model = useModel();
  const toast = useToast();
  const sends = useSendsReceipts();
  const shown = useReceiptsShown();

  const toggle = async () => {
    if (sends === undefined) return onUnknown();
    const failure = await model.sendReceipts(!sends);
    if (failure) toast({ text: failureText(failure), tone: 'alert' });
  };

  if (shown === 'none') {
    return (
      <>
        <div className={styles['row']}>
          <span>{words.readReceipts}</span>
          <span>{words.readReceiptsOff}</span>
        </div>
        <p className={styles['note']}>{words.readReceiptsOffAdvice}</p>
      </>
    );
  }
  return (
    <>
      <Switch label={words.readReceipts} on={sends ?? true} onToggle={() => void toggle()} />
      <p className={styles['note']}>{words.readReceiptsAdvice}</p>
    </>
  );
}

function Security() {
  const words = useWords().settings;
  const toast = useToast();
  return (
    <div className={styles['rows']}>
      <Switch
        label={words.notifications}
        on={false}
        onToggle={() => toast({ text: words.notificationsLater, tone: 'note' })}
      />
    </div>
  );
}

function Help() {
  const words = useWords().settings;
  const toast = useToast();
  return (
    <ul className={styles['pages']}>
      {[words.faqs, words.contact, words.policy].map((page) => (
        <li key={page}>
          <button type="button" onClick={() => toast({ text: words.helpLater(page), tone: 'note' })}>
            {page}
            <ChevronRight aria-hidden size={16} />
          </button>
        </li>
      ))}
    </ul>
  );
}
