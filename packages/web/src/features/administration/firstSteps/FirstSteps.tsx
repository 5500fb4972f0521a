import { useId, useRef, useState, type ReactNode } from 'react';
import { firstSteps, type FirstStep, type FirstStepsState } from '@engawa/protocol/administration';
import { Button, PlainButton, TextButton, TextLink } from '../../../components/primitives/Button.tsx';
import { Check, ChevronRight, Icon } from '../../../components/icons.ts';
import { FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { useFirstStepsWords } from '../../../i18n/firstSteps.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { Section } from '../Section.tsx';
import { useDraftStore } from '../draftStore.ts';
import { useDepartmentTree } from '../departments/useDepartmentTree.ts';
import { InvitationForm } from '../invitations/InvitationForm.tsx';
import { useRefusalText } from '../useRefusalText.ts';
import { BackupStep, MailStep } from './ServerSteps.tsx';
import { DepartmentStep } from './DepartmentStep.tsx';
import { changeDraft, firstStepStore } from './draft.ts';
import styles from './FirstSteps.module.css';
import { StreamStep } from './StreamStep.tsx';
import { useFirstSteps } from './useFirstSteps.ts';

interface FirstStepsProps {
  readonly backAddress: string | undefined;
  readonly importAddress: string;
  readonly chatAddress: string;
}

/** Leads the owner of a new organisation through its setup. Steps can be taken in any order and stay available. */
export function FirstSteps({ backAddress, importAddress, chatAddress }: FirstStepsProps) {
  const all = useWords();
  const refusal = useRefusalText();
  const { state, next, failure, reload, dismiss } = useFirstSteps();
  return (
    <Section section="start" backAddress={backAddress}>
      {!state && !failure && <Skeleton rows={5} label={all.loading} />}
      {!state && failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {state && <Steps state={state} next={next} reload={reload} importAddress={importAddress} />}
      {state && <Footer state={state} chatAddress={chatAddress} dismiss={dismiss} />}
    </Section>
  );
}

interface StepsProps extends Pick<FirstStepsProps, 'importAddress'> {
  readonly state: FirstStepsState;
  readonly next: FirstStep | undefined;
  readonly reload: () => void;
}

function Steps({ state, next, reload, importAddress }: StepsProps) {
  const words = useFirstStepsWords();
  const { done } = state;
  const { answer: tree = [], reload: reloadTree } = useDepartmentTree();
  const draft = useDraftStore(firstStepStore);
  // A step that becomes done stays open, because the member may go on with it.
  const [initial] = useState(next);
  const open = draft.open === undefined ? initial : draft.open;
  const list = useRef<HTMLOListElement>(null);

  const goOn = (step: FirstStep) => {
    const at = firstSteps.indexOf(step);
    const following = [...firstSteps.slice(at + 1), ...firstSteps.slice(0, at)].find((each) => !done.includes(each));
    changeDraft({ open: following ?? null });
    // The pressed button disappears with its step, so the focus goes to the heading of the next one.
    list.current?.querySelectorAll<HTMLElement>('h3 button')[firstSteps.indexOf(following ?? step)]?.focus();
  };
  const changed = () => {
    reload();
    reloadTree();
  };

  const contentOf = (step: FirstStep): ReactNode => {
    switch (step) {
      case 'departments':
        return <DepartmentStep tree={tree} importAddress={importAddress} onChanged={changed} />;
      case 'invitations':
        return <InvitationForm tree={tree} onInvited={changed} />;
      case 'streams':
        return <StreamStep onChanged={changed} />;
      case 'mail':
        return <MailStep mail={state.mail} onTested={reload} />;
      case 'backup':
        return <BackupStep last={state.last_backup} />;
    }
  };

  return (
    <>
      <p className={styles['lead']}>{words.lead}</p>
      <output className={styles['progress']}>{words.progress(done.length, firstSteps.length)}</output>
      <ol ref={list} className={styles['steps']}>
        {firstSteps.map((step) => (
          <Step
            key={step}
            step={step}
            isDone={done.includes(step)}
            isOpen={open === step}
            onToggle={() => changeDraft({ open: open === step ? null : step })}
            onNext={() => goOn(step)}
          >
            {open === step && contentOf(step)}
          </Step>
        ))}
      </ol>
    </>
  );
}

interface StepProps {
  readonly step: FirstStep;
  readonly isDone: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onNext: () => void;
  readonly children: ReactNode;
}

function Step({ step, isDone, isOpen, onToggle, onNext, children }: StepProps) {
  const words = useFirstStepsWords();
  const id = useId();
  const { heading, advice } = words.steps[step];
  return (
    <li data-done={isDone}>
      <h3>
        <PlainButton aria-expanded={isOpen} aria-controls={`${id}-content`} onClick={onToggle}>
          <span aria-hidden className={styles['number']}>
            {isDone ? <Icon of={Check} size={16} strokeWidth={2.5} /> : firstSteps.indexOf(step) + 1}
          </span>
          <span className={styles['title']}>
            <span id={`${id}-name`}>{heading}</span>
            <small>{advice}</small>
          </span>
          {isDone && <span className={styles['done']}>{words.done}</span>}
          <Icon of={ChevronRight} size={16} />
        </PlainButton>
      </h3>
      <section id={`${id}-content`} aria-labelledby={`${id}-name`} hidden={!isOpen} className={styles['content']}>
        {children}
        <div className={styles['next']}>
          <Button size="medium" onClick={onNext}>
            {isDone ? words.next : words.later}
          </Button>
        </div>
      </section>
    </li>
  );
}

interface FooterProps extends Pick<ReturnType<typeof useFirstSteps>, 'dismiss'> {
  readonly state: FirstStepsState;
  readonly chatAddress: string;
}

function Footer({ state, chatAddress, dismiss }: FooterProps) {
  const words = useFirstStepsWords();
  const isFinished = state.done.length === firstSteps.length;
  return (
    <div className={styles['footer']}>
      {isFinished ? (
        <p>{words.finished}</p>
      ) : (
        <TextButton onClick={() => void dismiss(!state.is_dismissed)}>
          {state.is_dismissed ? words.bringBack : words.dismiss}
        </TextButton>
      )}
      <TextLink href={chatAddress} className={styles['chat']}>
        {words.finish}
        <Icon of={ChevronRight} size={16} />
      </TextLink>
    </div>
  );
}
