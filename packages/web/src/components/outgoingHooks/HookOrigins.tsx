import { useCallback, useId, useState } from 'react';
import { type HookOrigin, maxHookAddressLength } from '@engawa/protocol/outgoing-hooks';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands } from '../../hooks/model.ts';
import { useWhenVisible } from '../../hooks/whenVisible.ts';
import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import { Button } from '../primitives/Button.tsx';
import { Switch } from '../primitives/Switch.tsx';
import { TextField } from '../primitives/TextField.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { allowOrigin, listOrigins, removeOrigin } from './calls.ts';
import styles from './OutgoingHookList.module.css';

/** For administrators: the addresses to which hooks may post. */
export function HookOrigins() {
  const words = useOutgoingHooksWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const id = useId();
  const [origins, setOrigins] = useState<readonly HookOrigin[]>();
  const [origin, setOrigin] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const [complaint, setComplaint] = useState<string>();

  const ask = useCallback(
    async (call: ReturnType<typeof listOrigins> | ReturnType<typeof allowOrigin> | ReturnType<typeof removeOrigin>) => {
      const answered = await model.ask(call);
      if ('answer' in answered) setOrigins(answered.answer.origins);
      else toast({ text: failureText(answered), tone: 'alert' });
      return 'answer' in answered;
    },
    [model, toast, failureText],
  );
  const load = useCallback(async () => void (await ask(listOrigins())), [ask]);
  useWhenVisible(load);

  const add = async () => {
    const url = URL.parse(origin.trim());
    const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
    setComplaint(isOrigin ? undefined : words.originMalformed);
    if (isOrigin && (await ask(allowOrigin({ origin: url.origin, is_private: isPrivate })))) setOrigin('');
  };

  return (
    <section className={styles['hooks']} aria-labelledby={id}>
      <h3 id={id}>{words.originsHeading}</h3>
      <p className={styles['advice']}>{words.originsAdvice}</p>
      {origins === undefined && <output className={styles['advice']}>{words.loading}</output>}
      {origins?.length === 0 && <p className={styles['advice']}>{words.noneAllowed}</p>}
      {origins && origins.length > 0 && (
        <ul aria-label={words.originsHeading}>
          {origins.map((each) => (
            <li key={each.origin}>
              <span className={styles['what']}>
                <span>{each.origin}</span>
                {each.is_private && <small>{words.isPrivate}</small>}
              </span>
              <Button
                size="small"
                aria-label={words.removeOrigin(each.origin)}
                onClick={() => void ask(removeOrigin(each.origin))}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles['add']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          label={words.origin}
          note={words.originNote}
          type="url"
          value={origin}
          maxLength={maxHookAddressLength}
          complaint={complaint}
          onValue={setOrigin}
        />
        <Switch label={words.allowPrivate} on={isPrivate} onToggle={() => setPrivate(!isPrivate)} />
        <Button type="submit" size="small" className={styles['create']}>
          {words.allow}
        </Button>
      </form>
    </section>
  );
}
