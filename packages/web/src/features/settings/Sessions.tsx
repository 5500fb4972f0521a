import { useState } from 'react';
import type { OwnSession } from '@engawa/protocol/sessions';
import { Button, TextButton } from '../../components/primitives/Button.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCapability, useCommands } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Account } from '../../model/people/account.ts';
import { AccountList, EndDialog, useAccountList } from './AccountList.tsx';
import styles from './Sessions.module.css';

/** More sessions are folded, so that the settings below stay in reach. */
const mostShown = 5;

const listSessions = (own: Account) => own.sessions();

export function Sessions() {
  const { sessions: words, elsewhere } = useSettingsWords();
  const hasOwnKeys = useCapability('session_keys');
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const { listed, load } = useAccountList(listSessions);
  const [ending, setEnding] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const [unfolded, setUnfolded] = useState(false);

  const end = async (session: OwnSession, name: string) => {
    if (ending.has(session.id)) return;
    const own = new Set([session.id]);
    setEnding((before) => before.union(own));
    const failure = await model.account((account) => account.endSessions(session.id));
    setEnding((before) => before.difference(own));
    toast(failure ? { text: failureText(failure), tone: 'alert' } : { text: words.ended(name), tone: 'note' });
    load();
  };

  const nameOf = ({ browser, system }: OwnSession) => {
    if (browser !== null && system !== null) return words.device(browser, system);
    return browser ?? system ?? words.unknownDevice;
  };

  const others = Array.isArray(listed) ? listed.filter(({ current }) => !current).length : 0;
  return (
    <AccountList
      id="settings-sessions"
      words={words}
      listed={listed}
      onLoad={load}
      dialog={
        asking && (
          <EndDialog
            words={words}
            heading={words.endOthers}
            question={words.endOthersQuestion(others)}
            warning={hasOwnKeys ? undefined : elsewhere.sessionKeys}
            done={words.endedOthers}
            end={(own) => own.endSessions(undefined)}
            onClose={() => setAsking(false)}
            onEnded={load}
          />
        )
      }
    >
      {(sessions) => (
        <>
          <ul aria-label={words.list}>
            {currentFirst(sessions)
              .slice(0, unfolded ? undefined : mostShown)
              .map((session) => (
                <Row
                  key={session.id}
                  session={session}
                  name={nameOf(session)}
                  busy={ending.has(session.id)}
                  onEnd={() => void end(session, nameOf(session))}
                />
              ))}
          </ul>
          {sessions.length > mostShown && (
            <TextButton className={styles['more']} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              {unfolded ? words.fewer : words.more(sessions.length - mostShown)}
            </TextButton>
          )}
          {others === 0 && <p className={styles['advice']}>{words.onlyThis}</p>}
          {others > 0 && (
            <Button size="small" className={styles['others']} aria-haspopup="dialog" onClick={() => setAsking(true)}>
              {words.endOthers}
            </Button>
          )}
        </>
      )}
    </AccountList>
  );
}

/** The others next to the current session are those to look at. */
function currentFirst(sessions: readonly OwnSession[]): readonly OwnSession[] {
  return sessions.toSorted((one, other) => Number(other.current) - Number(one.current));
}

interface RowProps {
  readonly session: OwnSession;
  readonly name: string;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function Row({ session, name, busy, onEnd }: RowProps) {
  const { sessions: words, lastUsed } = useSettingsWords();
  const times = useTimes();
  return (
    <li>
      <span className={styles['device']}>
        {name}
        {session.current && <strong>{words.current}</strong>}
        <small>{words.signedIn(times.recent(session.signed_in), session.address)}</small>
        {!session.current && <small>{lastUsed(times.recent(session.last_used))}</small>}
      </span>
      {!session.current && (
        <Button size="small" className={styles['end']} aria-label={words.endNamed(name)} aria-disabled={busy} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}
