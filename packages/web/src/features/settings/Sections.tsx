import { Accordion, AccordionSection } from '../../components/Accordion.tsx';
import {
  ChevronRight,
  CircleQuestionMark,
  LockKeyhole,
  RotateCw,
  ShieldCheck,
  UserRound,
} from '../../components/icons.ts';
import { useToast } from '../../components/Toasts.tsx';
import { useLocation, useModel, useProfileFailure } from '../../hooks/model.ts';
import { useClock } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { Me } from '../../model/view.ts';
import { Privacy } from './Privacy.tsx';
import styles from './Sections.module.css';
import { Security } from './Security.tsx';

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
