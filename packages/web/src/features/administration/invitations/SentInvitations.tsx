import { useId, useRef } from 'react';
import type { SentInvitations as Answer } from '@engawa/protocol/administration';
import { Button } from '../../../components/primitives/Button.tsx';
import { copied } from '../../../components/clipboard.ts';
import { Check, Copy, Icon } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import styles from './InvitationForm.module.css';

interface SentInvitationsProps {
  readonly sent: Answer['sent'];
  readonly onCopied: () => void;
}

/** The server returns each link only once, so the links that were not mailed can be copied together. */
export function SentInvitations({ sent, onCopied }: SentInvitationsProps) {
  const all = useAdministrationWords();
  const words = all.invitations;
  const toast = useToast();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const toHandOver = sent.filter(({ mailed }) => !mailed);

  const copy = async (text: string, isAll: boolean, select: () => void) => {
    if (await copied(text)) {
      if (isAll) onCopied();
      toast({ text: all.link.copied, tone: 'note' });
      return;
    }
    select();
    toast({ text: all.link.notCopied, tone: 'alert' });
  };

  return (
    <section className={styles['sent']} aria-labelledby={id}>
      <output id={id}>{words.sent(sent.length)}</output>
      {toHandOver.length > 0 && <p>{words.handOver}</p>}
      <ul ref={list} aria-labelledby={id}>
        {sent.map(({ email, link, mailed }) => (
          <li key={link}>
            <span className={styles['to']}>{email}</span>
            {mailed ? (
              <small>
                <Icon of={Check} size={14} />
                {words.mailed}
              </small>
            ) : (
              <>
                <input
                  type="text"
                  readOnly
                  aria-label={words.linkOf(email)}
                  value={link}
                  onFocus={(event) => event.currentTarget.select()}
                />
                <IconButton
                  name={words.copyOf(email)}
                  icon={Copy}
                  onClick={(event) => {
                    const field = event.currentTarget.closest('li')?.querySelector('input');
                    void copy(link, toHandOver.length === 1, () => field?.select());
                  }}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {toHandOver.length > 1 && (
        <Button
          size="small"
          className={styles['copyAll']}
          onClick={() =>
            void copy(toHandOver.map(({ email, link }) => `${email}\t${link}`).join('\n'), true, () =>
              list.current?.querySelector('input')?.select(),
            )
          }
        >
          <Icon of={Copy} size={14} />
          {words.copyAll(toHandOver.length)}
        </Button>
      )}
    </section>
  );
}
