import { useId, useState } from 'react';
import { maxStatusSeconds, maxStatusTextLength } from '@engawa/protocol';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { Choice } from '../../components/primitives/Choice.tsx';
import { classes } from '../../components/classes.ts';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import field from '../../components/primitives/Field.module.css';
import { Select } from '../../components/primitives/Select.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands } from '../../hooks/model.ts';
import { useTimes, useZone } from '../../hooks/times.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { StatusView } from '../../model/people/presence.ts';
import { japan } from '../../model/people/zone.ts';
import styles from './StatusDialog.module.css';
import { endOf, faultOf, fieldTime, statusEnds, type StatusEnd } from './statusEnd.ts';

interface Draft {
  readonly busy: boolean;
  readonly text: string;
  readonly end: StatusEnd;
  readonly at: string;
}

const secondsInHour = 3600;

/** R2.24.1: available or busy, with an optional text and end. */
export function StatusDialog({ status, onClose }: { readonly status: StatusView | undefined; readonly onClose: () => void }) {
  const words = useSettingsWords().status;
  const names = useSettingsWords().page;
  const model = useCommands();
  const failureText = useFailureText();
  const zone = useZone();
  const [before] = useState(() => draftOf(status, zone));
  const [draft, setDraft] = useState(before);
  const [complaint, setComplaint] = useState<'tooLong' | 'past' | 'far'>();
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    setComplaint(undefined);
    setFailure(undefined);
  };

  const save = async () => {
    const now = Math.floor(Date.now() / 1000);
    const text = draft.text.trim();
    const until = endOf(draft.end, now, draft.at, zone);
    if (lengthOf(text) > maxStatusTextLength) return setComplaint('tooLong');
    const fault = faultOf(draft.end, until, now);
    if (fault) return setComplaint(fault);
    setSaving(true);
    const failed = await model.setStatus({ busy: draft.busy, text, until });
    setSaving(false);
    if (failed) return setFailure(failed);
    return onClose();
  };

  return (
    <DialogForm
      heading={words.heading}
      holds={draft !== before}
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={saving ? words.saving : words.save}
      busy={saving}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <div className={styles['choice']}>
        <Choice
          label={words.kind}
          options={[
            { value: 'available', label: names.available },
            { value: 'busy', label: names.busy },
          ]}
          chosen={draft.busy ? 'busy' : 'available'}
          onChoose={(chosen) => change({ busy: chosen === 'busy' })}
        />
      </div>
      <StatusText
        text={draft.text}
        complaint={complaint === 'tooLong' ? words.tooLong(maxStatusTextLength) : undefined}
        onText={(text) => change({ text })}
      />
      <div className={styles['end']}>
        <span>{words.until}</span>
        <Select
          name={words.until}
          options={statusEnds.map((value) => ({ value, label: words.ends[value] }))}
          chosen={draft.end}
          onChoose={(end) => change({ end })}
        />
      </div>
      {draft.end === 'at' && (
        <StatusEndTime
          at={draft.at}
          zone={zone}
          complaint={complaint === 'tooLong' ? undefined : complaint}
          onAt={(at) => change({ at })}
        />
      )}
    </DialogForm>
  );
}

function StatusText({
  text,
  complaint,
  onText,
}: {
  readonly text: string;
  readonly complaint: string | undefined;
  readonly onText: (text: string) => void;
}) {
  const words = useSettingsWords().status;
  const id = useId();
  return (
    <div className={classes(field['field'], styles['field'])}>
      <label htmlFor={id}>{words.text}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        value={text}
        aria-invalid={complaint !== undefined}
        aria-describedby={`${id}-about`}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <p id={`${id}-about`} role="alert">
        {complaint}
      </p>
      <ul className={styles['suggestions']} aria-label={words.suggestions}>
        {words.presets.map((preset) => (
          <li key={preset}>
            <PlainButton aria-pressed={text === preset} onClick={() => onText(preset)}>
              {preset}
            </PlainButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

function StatusEndTime({
  at,
  zone,
  complaint,
  onAt,
}: {
  readonly at: string;
  readonly zone: string;
  readonly complaint: 'past' | 'far' | undefined;
  readonly onAt: (at: string) => void;
}) {
  const words = useSettingsWords().status;
  const times = useTimes();
  const id = useId();
  return (
    <div className={classes(field['field'], styles['field'])}>
      <label htmlFor={`${id}-at`}>{words.at(zone === japan ? undefined : zone)}</label>
      <input
        id={`${id}-at`}
        type="datetime-local"
        value={at}
        aria-describedby={`${id}-past`}
        aria-invalid={complaint !== undefined}
        onChange={(event) => onAt(event.currentTarget.value)}
      />
      <p id={`${id}-past`} role="alert">
        {complaint === 'past' && words.past}
        {complaint === 'far' && words.far(times.recent(lastEnd()))}
      </p>
    </div>
  );
}

function draftOf(status: StatusView | undefined, zone: string): Draft {
  const { busy = false, text = '', until } = status ?? {};
  return {
    busy,
    text,
    end: until === undefined ? 'never' : 'at',
    at: fieldTime(until ?? Date.now() / 1000 + secondsInHour, zone),
  };
}

/** The latest allowed end, in whole minutes because the field has no seconds. */
function lastEnd(): number {
  return Math.floor((Date.now() / 1000 + maxStatusSeconds) / 60) * 60;
}

/** Code points, as the server counts. */
function lengthOf(text: string): number {
  return [...text].length;
}
