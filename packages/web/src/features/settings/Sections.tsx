import { PlainButton } from '../../components/primitives/Button.tsx';
import { Accordion, AccordionSection } from '../../components/primitives/Accordion.tsx';
import {
  ChevronRight,
  CircleQuestionMark,
  Icon,
  LockKeyhole,
  RotateCw,
  ShieldCheck,
  UserRound,
  Webhook,
} from '../../components/icons.ts';
import { lazyPanel } from '../../components/lazyComponent.tsx';
import { ListLink } from '../../components/primitives/ListRow.tsx';
import { useCapability, useCommands, useModel } from '../../hooks/model.ts';
import { useClock } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSettingsWords } from '../../i18n/settings.ts';
import { type Me, selectLocation, selectProfileFailure } from '../../model/people/selectors.ts';
import { Privacy } from './Privacy.tsx';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import styles from './Sections.module.css';
import { Security } from './Security.tsx';

const helpPages = ['faqs', 'calls', 'contact', 'policy', 'shortcuts'] as const;
export type HelpPage = (typeof helpPages)[number];

const HookList = lazyPanel(async () => (await import('../../components/incomingHooks/HookList.tsx')).HookList);

const OutgoingHookList = lazyPanel(
  async () => (await import('../../components/outgoingHooks/OutgoingHookList.tsx')).OutgoingHookList,
);

/** R2.24.2: the sections of the settings: personal info, privacy, security and help. */
export function Sections({ me, addressOfHelp }: { readonly me: Me; readonly addressOfHelp: (page: HelpPage) => string }) {
  const words = useSettingsWords().page;
  const hasHooks = useCapability('hooks');
  const postsOut = useCapability('outgoing_hooks');
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
      {hasHooks && !me.isGuest && (
        <AccordionSection heading={words.hooks} icon={Webhook} deferred>
          <HookList of="own" />
          {postsOut && <OutgoingHookList of="own" />}
        </AccordionSection>
      )}
      <AccordionSection heading={words.help} icon={CircleQuestionMark}>
        <Help addressOf={addressOfHelp} />
      </AccordionSection>
    </Accordion>
  );
}

function PersonalInfo({ me }: { readonly me: Me }) {
  const words = useSettingsWords().page;
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
  const { noLocation, locationFailed } = useSettingsWords().page;
  const model = useCommands();
  const location = useModel(selectLocation);
  const failure = useModel(selectProfileFailure);
  if (location !== undefined) return location === '' ? noLocation : location;
  if (!failure) return <output className={styles['loading']} aria-label={words.loading} />;
  return (
    <PlainButton className={styles['again']} title={words.again} onClick={() => model.loadProfile()}>
      {locationFailed}
      <Icon of={RotateCw} size={14} />
      <VisuallyHidden>{words.again}</VisuallyHidden>
    </PlainButton>
  );
}

function Help({ addressOf }: { readonly addressOf: (page: HelpPage) => string }) {
  const words = useSettingsWords().page;
  return (
    <ul>
      {helpPages.map((page) => (
        <li key={page}>
          <ListLink className={styles['link']} href={addressOf(page)}>
            {words[page]}
            <Icon of={ChevronRight} size={16} />
          </ListLink>
        </li>
      ))}
    </ul>
  );
}
