import { useLayoutEffect, useRef } from 'react';
import type { ImportResult as Done } from '@engawa/protocol/administration';
import { TextButton, TextLink } from '../../../components/primitives/Button.tsx';
import { Check, Icon } from '../../../components/icons.ts';
import { useImportWords } from '../../../i18n/import.ts';
import { isUnsaved, linksStore } from '../drafts.ts';
import styles from './Import.module.css';
import { Changes } from './ImportDifference.tsx';
import { ImportLinks } from './ImportLinks.tsx';
import { useDraftStore } from '../draftStore.ts';

const mostShown = 100;

export function ImportDone({ done, onAgain }: { readonly done: Done; readonly onAgain: () => void }) {
  const all = useImportWords();
  const words = all.done;
  const { difference, without_password: waiting } = done;
  const mayLeave = !isUnsaved(useDraftStore(linksStore));
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <>
      <section className={styles['card']} aria-labelledby="import-done">
        <h3 id="import-done" ref={heading} tabIndex={-1} className={styles['done']}>
          <Icon of={Check} size={20} />
          {all.difference.done}
        </h3>
        <Changes difference={difference} isDone />
        <TextButton
          className={styles['plain']}
          aria-disabled={!mayLeave}
          aria-describedby={mayLeave ? undefined : 'import-save-first'}
          onClick={() => mayLeave && onAgain()}
        >
          {words.again}
        </TextButton>
        {!mayLeave && (
          <p id="import-save-first" className={styles['advice']}>
            {words.saveFirst}
          </p>
        )}
      </section>
      {waiting.length > 0 && (
        <section className={styles['card']} aria-labelledby="import-waiting">
          <h3 id="import-waiting">{words.withoutPassword(waiting.length)}</h3>
          <p className={styles['advice']}>{words.withoutPasswordAdvice}</p>
          <ul className={styles['lines']}>
            {waiting.slice(0, mostShown).map(({ user_id: id, full_name: name, email }) => (
              <li key={id}>
                <span>{name}</span>
                <small>{email}</small>
              </li>
            ))}
            {waiting.length > mostShown && <li>{all.difference.more(waiting.length - mostShown)}</li>}
          </ul>
          <ImportLinks waiting={waiting} />
          <p className={styles['links']}>
            <TextLink href="#/administration/members">{words.toMembers}</TextLink>
          </p>
        </section>
      )}
    </>
  );
}
