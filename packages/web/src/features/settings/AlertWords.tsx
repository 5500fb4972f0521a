import { useRef, useState } from 'react';
import { maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { Button, PlainButton } from '../../components/primitives/Button.tsx';
import { X } from '../../components/icons.ts';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { complaintAbout, wordLength, type AlertWordComplaint } from './alertWordDraft.ts';
import styles from './AlertWords.module.css';
import { selectAlertWords } from '../../model/unread/state.ts';

export function AlertWords() {
  const words = useSettingsWords().alertWords;
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const known = useModel(selectAlertWords);
  const field = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState('');
  const [complaint, setComplaint] = useState<AlertWordComplaint>();
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);

  const write = (typed: string) => {
    setWord(typed);
    setComplaint(undefined);
    setFailure(undefined);
  };

  const add = async () => {
    if (busy) return;
    const found = complaintAbout(word, known);
    setComplaint(found);
    field.current?.focus();
    if (found) return;
    setBusy(true);
    const refusal = await model.addAlertWord(word.trim());
    setBusy(false);
    setFailure(refusal);
    // Text that was typed during the call stays.
    if (!refusal) setWord((typed) => (typed === word ? '' : typed));
  };

  const addBack = async (taken: string) => {
    const refusal = await model.addAlertWord(taken);
    if (refusal) toast({ text: failureText(refusal), tone: 'alert' });
  };

  const remove = async (taken: string) => {
    field.current?.focus();
    const refusal = await model.removeAlertWord(taken);
    if (refusal) toast({ text: failureText(refusal), tone: 'alert' });
    else toast({ text: words.removed(taken), tone: 'note', action: { label: words.undo, run: () => void addBack(taken) } });
  };

  return (
    <div className={styles['words']}>
      <p className={styles['advice']}>{words.advice}</p>
      <div className={styles['field']}>
        <TextField
          ref={field}
          label={words.label}
          value={word}
          counter={words.counter(wordLength(word), maxAlertWordLength)}
          complaint={complaint ? words.complaints[complaint] : failure && failureText(failure)}
          onValue={write}
          onEnter={() => void add()}
        />
        <Button variant="primary" size="medium" className={styles['add']} aria-disabled={busy} onClick={() => void add()}>
          {words.add}
        </Button>
      </div>
      {known.length > 0 && (
        <ul className={styles['list']} aria-label={words.list}>
          {known.map((each) => (
            <li key={each}>
              <span>{each}</span>
              <PlainButton aria-label={words.remove(each)} onClick={() => void remove(each)}>
                <X aria-hidden size={14} />
              </PlainButton>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['count']}>{words.count(known.length, maxAlertWords)}</p>
    </div>
  );
}
