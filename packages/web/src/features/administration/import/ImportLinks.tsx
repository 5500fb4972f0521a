import { useId } from 'react';
import { Button, TextButton } from '../../../components/primitives/Button.tsx';
import { Download, Icon } from '../../../components/icons.ts';
import { useTimes } from '../../../hooks/times.ts';
import { useImportWords } from '../../../i18n/import.ts';
import type { MemberWithoutPassword } from '../drafts.ts';
import styles from './Import.module.css';
import { csvFile, save } from '../invitations/linksFile.ts';
import { useLinks } from '../invitations/useLinks.ts';
import { useRefusalText } from '../useRefusalText.ts';

const mostShown = 100;

export function ImportLinks({ waiting }: { readonly waiting: readonly MemberWithoutPassword[] }) {
  const all = useImportWords();
  const words = all.done;
  const refusal = useRefusalText();
  const times = useTimes();
  const id = useId();
  const { made, failed, busy, make, stop, saved } = useLinks(waiting);

  const download = () => {
    const rows = made.map(({ member, sent }) => [member.full_name, member.email, sent.link, times.full(sent.ends)]);
    save(csvFile([words.columns, ...rows]), words.fileName);
    saved();
  };

  if (busy) {
    return (
      <div className={styles['making']}>
        <span id={id}>{words.making(made.length, waiting.length)}</span>
        <progress aria-labelledby={id} max={waiting.length} value={made.length + failed.length} />
        <TextButton className={styles['plain']} aria-disabled={busy === 'stopping'} onClick={stop}>
          {busy === 'stopping' ? words.stopping : words.stop}
        </TextButton>
      </div>
    );
  }
  return (
    <div className={styles['making']}>
      {made.length > 0 && (
        <>
          <output>
            {words.made(made.length)}
            {words.mailed(made.filter(({ sent }) => sent.mailed).length)}
          </output>
          <p className={styles['advice']}>{words.once}</p>
          <Button variant="primary" className={styles['main']} onClick={download}>
            <Icon of={Download} size={16} />
            {words.download}
          </Button>
        </>
      )}
      {failed.length > 0 && (
        <div role="alert">
          <p className={styles['why']}>{words.failed(failed.length)}</p>
          <ul className={styles['lines']}>
            {failed.slice(0, mostShown).map(({ member, failure }) => (
              <li key={member.user_id}>
                <span>{member.full_name}</span>
                <small>{refusal(failure)}</small>
              </li>
            ))}
            {failed.length > mostShown && <li>{all.difference.more(failed.length - mostShown)}</li>}
          </ul>
        </div>
      )}
      {made.length === 0 && waiting.length > 0 && (
        <Button variant="primary" className={styles['main']} onClick={make}>
          {words.makeAll}
        </Button>
      )}
      {made.length > 0 && made.length < waiting.length && (
        <TextButton className={styles['plain']} onClick={make}>
          {words.makeRest}
        </TextButton>
      )}
    </div>
  );
}
