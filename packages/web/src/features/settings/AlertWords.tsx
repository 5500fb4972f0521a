import { useRef, useState } from 'react';
import { maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { Button, PlainButton } from '../../components/primitives/Button.tsx';
import { Icon, X } from '../../components/icons.ts';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useCapability, useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { trimmedLength } from '../../validation/trimmedLength.ts';
import { complaintAbout, type AlertWordComplaint } from './alertWordDraft.ts';
import styles from './AlertWords.module.css';
import { selectAlertWords } from '../../model/unread/state.ts';

export function AlertWords() {
  const { alertWords: words, elsewhere } = useSettingsWords();
  const findsParts = useCapability('substring_search');
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const known = useModel(selectAlertWords);
  const field = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState('');
  const [complaint, setComplaint] = useState<AlertWordComplaint>();
  const { busy, failure, forget, submit } = useSubmission();
  const showFailure = useFailureToast();

  const write = (typed: string) => {
    setWord(typed);
    setComplaint(undefined);
    forget();
  };

  const add = async () => {
    if (busy) return;
    const found = complaintAbout(word, known);
    setComplaint(found);
    field.current?.focus();
    if (found) return;
    // Text that was typed during the call stays.
    if (await submit(() => model.addAlertWord(word.trim()))) setWord((typed) => (typed === word ? '' : typed));
  };

  const remove = async (taken: string) => {
    field.current?.focus();
    const refusal = await model.removeAlertWord(taken);
    const run = () => void model.addAlertWord(taken).then(showFailure);
    if (refusal) showFailure(refusal);
    else toast({ text: words.removed(taken), tone: 'note', action: { label: words.undo, run } });
  };

  return (
    <div className={styles['words']}>
      <p className={styles['advice']}>{findsParts ? words.advice : elsewhere.alertWords}</p>
      <div className={styles['field']}>
        <TextField
          ref={field}
          label={words.label}
          value={word}
          counter={words.counter(trimmedLength(word), maxAlertWordLength)}
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
                <Icon of={X} size={14} />
              </PlainButton>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['count']}>{words.count(known.length, maxAlertWords)}</p>
    </div>
  );
}
