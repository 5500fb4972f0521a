import { useId, type SubmitEvent } from 'react';
import type { OrganisationSettings } from '@engawa/protocol/administration';
import { Button } from '../../../components/primitives/Button.tsx';
import { CircleAlert, Icon } from '../../../components/icons.ts';
import { FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { Select } from '../../../components/primitives/Select.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { changeOrganisation, readOrganisation } from '../calls.ts';
import { trimmedLength } from '../../../validation/trimmedLength.ts';
import { organisationStore } from '../drafts.ts';
import { useDraftStore } from '../draftStore.ts';
import { durationOf, limitsWith } from '../limits.ts';
import { nameComplaint } from '../nameComplaint.ts';
import styles from './Organisation.module.css';
import { Section } from '../Section.tsx';
import { useMutation } from '../../../hooks/mutation.ts';
import { useQuery } from '../../../hooks/query.ts';
import { useRefusalText } from '../useRefusalText.ts';

const shownReceipts = ['own', 'all', 'none'] as const;
const limits = [
  ['edit', 'content_edit_limit'],
  ['deletion', 'deletion_limit'],
  ['topic', 'topic_edit_limit'],
] as const;
const mostCharacters = { name: 100, description: 1000 } as const;
const always = 'always';

export function Organisation({ backAddress }: { readonly backAddress: string | undefined }) {
  const all = useWords();
  const refusal = useRefusalText();
  const { answer, failure, reload } = useQuery<OrganisationSettings>(readOrganisation);
  return (
    <Section section="organisation" backAddress={backAddress}>
      {!answer && !failure && <Skeleton rows={5} label={all.loading} />}
      {!answer && failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {answer && <Settings settings={answer} onSaved={reload} />}
    </Section>
  );
}

/** Changed fields keep the typed value until they are saved or discarded. Other fields show the server's value. */
function useTouchedSettings(settings: OrganisationSettings) {
  const touched = useDraftStore(organisationStore);
  const stored = new Map<string, unknown>(Object.entries(settings));
  return {
    touched,
    shown: { ...settings, ...touched },
    isTouched: Object.keys(touched).length > 0,
    setTouched(changes: Partial<OrganisationSettings>) {
      const changed = Object.entries(changes).filter(([name, value]) => value !== stored.get(name));
      organisationStore.set(Object.fromEntries(changed));
    },
  };
}

function Settings({ settings, onSaved }: { readonly settings: OrganisationSettings; readonly onSaved: () => void }) {
  const all = useAdministrationWords();
  const words = all.organisation;
  const refusal = useRefusalText();
  const toast = useToast();
  const { busy, failure, forget, act } = useMutation();
  const { touched, shown, setTouched, isTouched } = useTouchedSettings(settings);
  const complaint = nameComplaint(shown.name, mostCharacters.name, all);
  const descriptionLength = [...shown.description].length;
  const descriptionComplaint =
    descriptionLength > mostCharacters.description ? all.tooLong(mostCharacters.description) : undefined;

  const touch = (changes: Partial<OrganisationSettings>) => {
    forget();
    setTouched({ ...touched, ...changes });
  };

  const save = () => {
    if (busy || !isTouched || complaint !== undefined || descriptionComplaint !== undefined) return;
    act(changeOrganisation(touched), () => {
      setTouched({});
      toast({ text: words.saved, tone: 'note' });
      onSaved();
    });
  };

  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={all.sections.organisation}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <section className={styles['card']}>
        <TextField
          label={words.name}
          value={shown.name}
          counter={all.counter(trimmedLength(shown.name), mostCharacters.name)}
          complaint={complaint}
          onValue={(name) => touch({ name })}
          onEnter={save}
        />
        <TextField
          optional
          rows={3}
          label={words.description}
          value={shown.description}
          counter={all.counter(descriptionLength, mostCharacters.description)}
          complaint={descriptionComplaint}
          onValue={(description) => touch({ description })}
        />
      </section>
      <section className={styles['card']}>
        <div className={styles['row']}>
          <span aria-hidden>{words.receipts}</span>
          <Select
            name={words.receipts}
            options={shownReceipts.map((value) => ({ value, label: words.shown[value] }))}
            chosen={shown.read_receipts}
            onChoose={(read_receipts) => touch({ read_receipts })}
          />
        </div>
        <p className={styles['note']}>{words.receiptsAdvice}</p>
      </section>
      <Limits settings={shown} onTouch={touch} />
      <footer className={styles['footer']}>
        {failure && (
          <p role="alert" className={styles['failure']}>
            <Icon of={CircleAlert} size={16} />
            {refusal(failure)}
          </p>
        )}
        <output>{isTouched && !failure && words.unsaved}</output>
        {isTouched && (
          <Button
            className={styles['discard']}
            onClick={() => {
              forget();
              setTouched({});
            }}
          >
            {words.discard}
          </Button>
        )}
        <Button variant="primary" type="submit" className={styles['save']} aria-disabled={busy || !isTouched}>
          {busy ? all.saving : all.save}
        </Button>
      </footer>
    </form>
  );
}

interface LimitsProps {
  readonly settings: OrganisationSettings;
  readonly onTouch: (changes: Partial<OrganisationSettings>) => void;
}

function Limits({ settings, onTouch }: LimitsProps) {
  const words = useAdministrationWords().organisation;
  const id = useId();
  const labelOf = (seconds: number | null) => {
    if (seconds === null) return words.always;
    const { unit, count } = durationOf(seconds);
    return words[unit](count);
  };
  return (
    <section className={styles['card']} aria-labelledby={`${id}-limits`}>
      <h3 id={`${id}-limits`}>{words.limits}</h3>
      <p className={styles['note']}>{words.limitsAdvice}</p>
      {limits.map(([name, setting]) => (
        <div key={name} className={styles['row']}>
          <span aria-hidden>{words[name]}</span>
          <Select
            name={words[name]}
            options={limitsWith(settings[setting]).map((seconds) => ({
              value: String(seconds ?? always),
              label: labelOf(seconds),
            }))}
            chosen={String(settings[setting] ?? always)}
            onChoose={(value) => onTouch({ [setting]: value === always ? null : Number(value) })}
          />
        </div>
      ))}
    </section>
  );
}
