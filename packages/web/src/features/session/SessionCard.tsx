import { useEffect, type KeyboardEvent, type ReactNode, type SubmitEvent } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import { Choice } from '../../components/primitives/Choice.tsx';
import { CircleAlert, Icon } from '../../components/icons.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { Logo } from '../../components/Logo.tsx';
import { useNotLoaded } from '../../hooks/matching.ts';
import { useLanguage } from '../../i18n/LocaleProvider.tsx';
import { locales, type Locale } from '../../i18n/locale.ts';
import { useSessionWords } from '../../i18n/session.ts';
import styles from './SessionCard.module.css';
import { useEntranceFailure } from './failures.ts';
import type { Fields } from './useFields.ts';

interface SessionCardProps {
  readonly organisation?: string | null | undefined;
  readonly heading: string;
  readonly advice?: string | undefined;
  readonly children: ReactNode;
}

export function SessionCard({ organisation, heading, advice, children }: SessionCardProps) {
  const { words } = useLanguage();
  useEffect(() => {
    document.title = `${heading} - ${words.productLatin}`;
  }, [heading, words]);

  return (
    <main className={styles['screen']}>
      <div className={styles['card']}>
        <header>
          <span className={styles['logo']}>
            <Logo size={36} />
          </span>
          {typeof organisation === 'string' && <p className={styles['organisation']}>{organisation}</p>}
          <h1>{heading}</h1>
          {advice !== undefined && <p>{advice}</p>}
        </header>
        {children}
        <LanguageChoice />
      </div>
    </main>
  );
}

/** Chooses the language of this browser, because no member is signed in. */
function LanguageChoice() {
  const words = useSessionWords();
  const { locale, choose } = useLanguage();
  const notLoaded = useNotLoaded();
  const names: Readonly<Record<Locale, string>> = { ja: words.japanese, en: words.english };
  const onChoose = (chosen: Locale) => {
    choose(chosen).catch(notLoaded);
  };
  return (
    <footer className={styles['language']}>
      <Choice
        label={words.language}
        labelled={false}
        options={locales.map((each) => ({ value: each, label: names[each] }))}
        chosen={locale}
        onChoose={onChoose}
      />
    </footer>
  );
}

interface SessionFormProps {
  readonly label: string;
  readonly fields: Fields;
  readonly submitLabel: string;
  readonly busyLabel: string;
  /** Replaces the text for a wrong password. */
  readonly wrong?: string | undefined;
  readonly children: ReactNode;
}

export function SessionForm({ label, fields, submitLabel, busyLabel, wrong, children }: SessionFormProps) {
  const failureText = useEntranceFailure(wrong);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    fields.submit();
  };
  return (
    <form className={styles['form']} noValidate aria-label={label} onSubmit={submit}>
      <div role="presentation" className={styles['fields']} onKeyDown={keepFromSubmitting}>
        {children}
      </div>
      {fields.failure && (
        <p className={styles['failure']} role="alert">
          <Icon of={CircleAlert} size={16} />
          {failureText(fields.failure)}
        </p>
      )}
      <Button variant="primary" type="submit" className={styles['submit']} aria-disabled={fields.busy}>
        {fields.busy ? busyLabel : submitLabel}
      </Button>
    </form>
  );
}

function keepFromSubmitting(event: KeyboardEvent): void {
  if (isForInputMethod(event) && event.key === 'Enter') event.preventDefault();
}
