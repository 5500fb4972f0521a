import { useState } from 'react';
import type { FirstStepsState, MailTest } from '@engawa/protocol/administration';
import { Button } from '../../../components/primitives/Button.tsx';
import { useTimes } from '../../../hooks/times.ts';
import { useFirstStepsWords } from '../../../i18n/firstSteps.ts';
import { testMail } from '../calls.ts';
import { useMutation } from '../../../hooks/mutation.ts';
import { useRefusalText } from '../useRefusalText.ts';
import styles from './FirstSteps.module.css';

interface MailStepProps {
  readonly mail: FirstStepsState['mail'];
  readonly onTested: () => void;
}

/** The settings are environment variables of the server, so the step shows them and proves that they work. */
export function MailStep({ mail, onTested }: MailStepProps) {
  const words = useFirstStepsWords().mail;
  const refusal = useRefusalText();
  const mutation = useMutation();
  const [result, setResult] = useState<MailTest>();

  if (!mail) {
    const variables = [
      'SMTP_URL=smtps://user:password@mail.example.com',
      'MAIL_FROM="縁側 <engawa@example.com>"',
      `PUBLIC_URL=${location.origin}`,
    ];
    return (
      <>
        <p>{words.none}</p>
        <p>{words.set}</p>
        <pre className={styles['code']}>{variables.join('\n')}</pre>
      </>
    );
  }

  const test = () => {
    setResult(undefined);
    mutation.act(testMail(), (answer) => {
      setResult(answer);
      onTested();
    });
  };
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{words.server}</dt>
        <dd>{words.at(mail.host, mail.port)}</dd>
        <dt>{words.encryption}</dt>
        <dd>{mail.is_encrypted ? words.encrypted : words.maybeEncrypted}</dd>
        <dt>{words.from}</dt>
        <dd>{mail.from}</dd>
      </dl>
      <Button variant="primary" size="medium" className={styles['test']} aria-disabled={mutation.busy} onClick={test}>
        {mutation.busy ? words.testing : words.test}
      </Button>
      {result?.reason === null && <output>{words.sent(result.to)}</output>}
      {typeof result?.reason === 'string' && <p role="alert">{words.notSent(result.reason)}</p>}
      {mutation.failure && <p role="alert">{refusal(mutation.failure)}</p>}
    </>
  );
}

const command = 'engawa backup /var/backups/engawa/$(date +%F)';
/** The line of the operator's guide. In a crontab, % ends the command unless it is escaped. */
const daily =
  '0 2 * * * engawa cd /opt/engawa/app && DATA_DIR=/var/lib/engawa node scripts/engawa.mjs backup /var/backups/engawa/$(date +\\%F)';

export function BackupStep({ last }: { readonly last: FirstStepsState['last_backup'] }) {
  const words = useFirstStepsWords().backup;
  const times = useTimes();
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{words.last}</dt>
        <dd>{last === null ? words.never : times.full(last)}</dd>
      </dl>
      <p>{words.run}</p>
      <pre className={styles['code']}>{command}</pre>
      <p>{words.daily}</p>
      <pre className={styles['code']}>{daily}</pre>
      <p className={styles['note']}>{words.other}</p>
    </>
  );
}
