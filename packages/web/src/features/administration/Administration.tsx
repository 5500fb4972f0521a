import { useEffect, useEffectEvent } from 'react';
import type { Capability, Session } from '@engawa/protocol/product';
import {
  Activity,
  Bot,
  Building2,
  ChevronRight,
  FileSpreadsheet,
  Icon,
  ListChecks,
  MailOpen,
  MessagesSquare,
  Network,
  Smile,
  UsersRound,
  Webhook,
} from '../../components/icons.ts';
import { lazyPanel } from '../../components/lazyComponent.tsx';
import { EmptyState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { ListLink } from '../../components/primitives/ListRow.tsx';
import { BackLink } from '../../components/primitives/BackLink.tsx';
import { Panel } from '../../components/primitives/Panel.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useAdministrationWords } from '../../i18n/administration.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './Administration.module.css';
import { useAskBeforeLoss } from './drafts.ts';
import { useOwnRole } from './useOwnRole.ts';

const iconOf = {
  start: ListChecks,
  members: UsersRound,
  invitations: MailOpen,
  departments: Network,
  streams: MessagesSquare,
  bots: Bot,
  hooks: Webhook,
  emoji: Smile,
  organisation: Building2,
  import: FileSpreadsheet,
  status: Activity,
} as const;
export type SectionName = keyof typeof iconOf;

const FirstSteps = lazyPanel(async () => (await import('./firstSteps/FirstSteps.tsx')).FirstSteps);
const Members = lazyPanel(async () => (await import('./members/Members.tsx')).Members);
const Invitations = lazyPanel(async () => (await import('./invitations/Invitations.tsx')).Invitations);
const Departments = lazyPanel(async () => (await import('./departments/Departments.tsx')).Departments);
const Streams = lazyPanel(async () => (await import('./streams/Streams.tsx')).Streams);
const Bots = lazyPanel(async () => (await import('./bots/Bots.tsx')).Bots);
const Hooks = lazyPanel(async () => (await import('./hooks/Hooks.tsx')).Hooks);
const Import = lazyPanel(async () => (await import('./import/Import.tsx')).Import);
const CustomEmoji = lazyPanel(async () => (await import('./emoji/CustomEmoji.tsx')).CustomEmoji);
const Organisation = lazyPanel(async () => (await import('./organisation/Organisation.tsx')).Organisation);

const Status = lazyPanel(async () => (await import('./status/Status.tsx')).Status);

const needed: Readonly<Record<SectionName, Capability>> = {
  start: 'accounts',
  members: 'accounts',
  invitations: 'accounts',
  departments: 'departments',
  streams: 'all_streams',
  bots: 'bots',
  hooks: 'hooks',
  emoji: 'realm_settings',
  organisation: 'realm_settings',
  import: 'departments',
  status: 'server_status',
};

/** The fake mode has no passwords, so it has no invitations, and its organisation is set up. */
function sectionsOf({ auth_mode, capabilities }: Session): readonly SectionName[] {
  const all = [
    'start',
    'members',
    'invitations',
    'departments',
    'streams',
    'bots',
    'hooks',
    'emoji',
    'organisation',
    'import',
    'status',
  ] as const;
  const offered = all.filter((each) => capabilities.includes(needed[each]));
  return auth_mode === 'password' ? offered : offered.filter((each) => each !== 'start' && each !== 'invitations');
}

/** The section of the address or, if there is no such section, the members or the first one. */
function sectionFor(session: Session, section: SectionName | undefined): SectionName | undefined {
  const offered = sectionsOf(session);
  return [section, 'members' as const].find((each) => each !== undefined && offered.includes(each)) ?? offered[0];
}

interface AdministrationSectionsProps {
  readonly session: Session;
  readonly section: SectionName | undefined;
  /** Whether the section is shown next to the list, also if the address names none. */
  readonly isBesideSection: boolean;
  readonly addressOf: (section: SectionName) => string;
  readonly backAddress: string;
  /** Called if the member's role does not suffice; undefined if an open section next to it already checks the role. */
  readonly onRefused: (() => void) | undefined;
}

export function AdministrationSections(props: AdministrationSectionsProps) {
  const { session, section: addressed, isBesideSection, addressOf, backAddress, onRefused } = props;
  const sections = sectionsOf(session);
  const shown = addressed ?? (isBesideSection ? sectionFor(session, undefined) : undefined);
  const words = useAdministrationWords();
  const isAllowed = useAllowed(onRefused);
  return (
    <Panel heading={words.heading} action={<BackLink href={backAddress}>{words.toSettings}</BackLink>}>
      {isAllowed && sections.length > 0 && (
        <nav className={styles['sections']} aria-label={words.sectionsLabel}>
          {sections.map((section) => {
            const icon = iconOf[section];
            return (
              <ListLink key={section} href={addressOf(section)} aria-current={section === shown ? 'page' : undefined}>
                <Icon of={icon} size={18} strokeWidth={1.75} />
                <span>
                  {words.sections[section]}
                  <small>{words.advice[section]}</small>
                </span>
                <Icon of={ChevronRight} size={16} />
              </ListLink>
            );
          })}
        </nav>
      )}
      {isAllowed && <Elsewhere session={session} />}
    </Panel>
  );
}

/** Says where the administrator finds what the product does not change. */
function Elsewhere({ session: { capabilities } }: { readonly session: Session }) {
  const words = useAdministrationWords().elsewhere;
  return (
    <>
      {!capabilities.includes('accounts') && <p className={styles['elsewhere']}>{words.members}</p>}
      {!capabilities.includes('realm_settings') && <p className={styles['elsewhere']}>{words.organisation}</p>}
    </>
  );
}

interface AdministrationProps {
  readonly session: Session;
  readonly section: SectionName | undefined;
  readonly addressOf: (section: SectionName) => string;
  readonly backAddress: string | undefined;
  readonly chatAddress: string;
  readonly onRefused: () => void;
}

/** For administrators and owners. Other members see a toast and return to the settings. */
export function Administration({ session, section, addressOf, backAddress, chatAddress, onRefused }: AdministrationProps) {
  const all = useWords();
  const words = useAdministrationWords();
  const isAllowed = useAllowed(onRefused);
  useAskBeforeLoss();
  if (!isAllowed) return <Skeleton rows={6} label={all.loading} />;
  const back = { backAddress };
  switch (sectionFor(session, section)) {
    case undefined:
      return (
        <EmptyState filling heading={words.elsewhere.nothing}>
          {words.elsewhere.members}
        </EmptyState>
      );
    case 'start':
      return <FirstSteps importAddress={addressOf('import')} chatAddress={chatAddress} {...back} />;
    case 'members':
      return <Members session={session} {...back} />;
    case 'invitations':
      return <Invitations {...back} />;
    case 'departments':
      return <Departments {...back} />;
    case 'streams':
      return <Streams {...back} />;
    case 'bots':
      return <Bots {...back} />;
    case 'hooks':
      return <Hooks {...back} />;
    case 'emoji':
      return <CustomEmoji {...back} />;
    case 'organisation':
      return <Organisation {...back} />;
    case 'import':
      return <Import {...back} />;
    case 'status':
      return <Status {...back} />;
  }
}

function useAllowed(onRefused: (() => void) | undefined): boolean | undefined {
  const standing = useOwnRole();
  const isRefused = standing === 'member';
  const words = useAdministrationWords();
  const toast = useToast();
  const refuse = useEffectEvent(() => {
    if (!onRefused) return;
    toast({ text: words.notAllowed, tone: 'alert' });
    onRefused();
  });
  useEffect(() => {
    if (isRefused) refuse();
  }, [isRefused]);
  return standing && !isRefused;
}
