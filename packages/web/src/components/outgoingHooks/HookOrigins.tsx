import { useId, useRef, useState } from 'react';
import { type hookOrigins, maxHookAddressLength } from '@engawa/protocol/outgoing-hooks';
import type { z } from 'zod/mini';
import { useMutation } from '../../hooks/mutation.ts';
import { useQuery } from '../../hooks/query.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import { Button } from '../primitives/Button.tsx';
import { FailureState } from '../primitives/EmptyState.tsx';
import { Switch } from '../primitives/Switch.tsx';
import { TextField } from '../primitives/TextField.tsx';
import { allowOrigin, listOrigins, removeOrigin } from './calls.ts';
import { useHookFailure } from './useHookFailure.ts';
import styles from '../HookRows.module.css';

type Origins = z.output<typeof hookOrigins>;

/** For administrators: the addresses to which hooks may post. */
export function HookOrigins() {
  const words = useOutgoingHooksWords();
  const { again } = useWords();
  const failureText = useHookFailure();
  const { answer, failure, reload, replace } = useQuery<Origins>(listOrigins);
  const mutation = useMutation();
  const id = useId();
  const [origin, setOrigin] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const [complaint, setComplaint] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const origins = answer?.origins;

  const add = () => {
    const url = URL.parse(origin.trim());
    const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
    setComplaint(isOrigin ? undefined : words.originMalformed);
    if (!isOrigin) {
      field.current?.focus();
      return;
    }
    mutation.act(allowOrigin({ origin: url.origin, is_private: isPrivate }), (allowed) => {
      setOrigin('');
      setPrivate(false);
      replace(allowed);
    });
  };

  // The new list has no button of the removed address, which had the focus.
  const afterRemoval = (left: Origins) => {
    field.current?.focus();
    replace(left);
  };

  return (
    <section className={styles['hooks']} aria-labelledby={id}>
      <h3 id={id}>{words.originsHeading}</h3>
      <p className={styles['advice']}>{words.originsAdvice}</p>
      {!answer && !failure && <output className={styles['advice']}>{words.loading}</output>}
      {failure && <FailureState text={failureText(failure)} again={again} onAgain={reload} />}
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
                aria-disabled={mutation.busy}
                onClick={() => mutation.act(removeOrigin(each.origin), afterRemoval)}
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
          add();
        }}
      >
        <TextField
          ref={field}
          quiet
          label={words.origin}
          note={words.originNote}
          type="url"
          value={origin}
          maxLength={maxHookAddressLength}
          complaint={complaint}
          onValue={setOrigin}
        />
        <Switch label={words.allowPrivate} on={isPrivate} onToggle={() => setPrivate(!isPrivate)} />
        <Button type="submit" size="small" className={styles['create']} aria-disabled={mutation.busy}>
          {words.allow}
        </Button>
        {mutation.failure && (
          <p className={styles['failure']} role="alert">
            {failureText(mutation.failure)}
          </p>
        )}
      </form>
    </section>
  );
}
