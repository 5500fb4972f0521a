import { useState } from 'react';
import { maxStatusSeconds, maxStatusTextLength } from '@engawa/protocol';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { Choice } from '../../components/primitives/Choice.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { Select } from '../../components/primitives/Select.tsx';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCapability, useCommands } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useTimes, useZone } from '../../hooks/times.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Status } from '../../model/people/presence.ts';
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
export function StatusDialog({ status, onClose }: { readonly status: Status | undefined; readonly onClose: () => void }) {
  const settings = useSettingsWords();
  const { status: words, page: names } = settings;
  const model = useCommands();
  const mayEnd = useCapability('status_end');
  const failureText = useFailureText();
  const zone = useZone();
  const times = useTimes();
  const [before] = useState(() => draftOf(status, zone));
  const [draft, setDraft] = useState(before);
  const [complaint, setComplaint] = useState<'tooLong' | 'past' | 'far'>();
  const { busy, failure, forget, submit } = useSubmission();

  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    setComplaint(undefined);
    forget();
  };

  const save = async () => {
    const now = Math.floor(Date.now() / 1000);
    const text = draft.text.trim();
    const until = endOf(draft.end, now, draft.at, zone);
    if (lengthOf(text) > maxStatusTextLength) return setComplaint('tooLong');
    const fault = faultOf(draft.end, until, now);
    if (fault) return setComplaint(fault);
    if (await submit(() => model.setStatus({ busy: draft.busy, text, until }))) onClose();
  };

  const tooFar = complaint === 'far' ? words.far(times.recent(lastEnd())) : undefined;
  const endComplaint = complaint === 'past' ? words.past : tooFar;
  return (
    <DialogForm
      heading={names.status}
      holds={draft !== before}
      failure={failure && failureText(failure)}
      closeLabel={settings.cancel}
      submitLabel={busy ? settings.saving : settings.save}
      busy={busy}
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
      <div>
        <TextField
          optional
          label={words.text}
          value={draft.text}
          complaint={complaint === 'tooLong' ? words.tooLong(maxStatusTextLength) : undefined}
          onValue={(text) => change({ text })}
        />
        <ul className={styles['suggestions']} aria-label={words.suggestions}>
          {words.presets.map((preset) => (
            <li key={preset}>
              <PlainButton aria-pressed={draft.text === preset} onClick={() => change({ text: preset })}>
                {preset}
              </PlainButton>
            </li>
          ))}
        </ul>
      </div>
      {mayEnd && (
        <div className={styles['end']}>
          <span>{words.until}</span>
          <Select
            name={words.until}
            options={statusEnds.map((value) => ({ value, label: words.ends[value] }))}
            chosen={draft.end}
            onChoose={(end) => change({ end })}
          />
        </div>
      )}
      {draft.end === 'at' && (
        <TextField
          optional
          type="datetime-local"
          label={words.at(zone === japan ? undefined : zone)}
          value={draft.at}
          complaint={endComplaint}
          onValue={(at) => change({ at })}
        />
      )}
    </DialogForm>
  );
}

function draftOf(status: Status | undefined, zone: string): Draft {
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
