import { useState } from 'react';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import type { BotView } from '../../model/people/bots.ts';
import { selectMe } from '../../model/people/selectors.ts';
import { CopyableField } from '../CopyableField.tsx';
import { Icon, KeyRound } from '../icons.ts';
import { Button } from '../primitives/Button.tsx';
import { ConfirmDialog } from '../primitives/ConfirmDialog.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import styles from './Bots.module.css';
import { curlExample } from './curlExample.ts';
import { useBotFailure } from './useBotFailure.ts';

/** The key is fetched only when the owner asks for it. @param stream a stream of the bot, for the example. */
export function BotKey({ bot, stream }: { readonly bot: BotView; readonly stream: string | undefined }) {
  const words = useBotsWords();
  const model = useCommands();
  const failureText = useBotFailure();
  const { busy, failure, submit } = useSubmission();
  const [key, setKey] = useState<string>();
  const [renewing, setRenewing] = useState(false);

  const show = () =>
    void submit(async () => {
      const found = await model.account((own) => own.botKey(bot.userId));
      if ('kind' in found) return found;
      setKey(found.key);
      return undefined;
    });

  return (
    <section className={styles['part']} aria-labelledby="bot-key">
      <h3 id="bot-key">{words.key}</h3>
      <p className={styles['advice']}>{words.keyAdvice}</p>
      {key !== undefined && (
        <CopyableField
          label={words.key}
          isLabelHidden
          value={key}
          rows={1}
          copyLabel={words.copyKey}
          words={{ copied: words.keyCopied, notCopied: words.notCopied }}
        />
      )}
      <div className={styles['buttons']}>
        <Button size="small" aria-disabled={busy} onClick={() => (key === undefined ? show() : setKey(undefined))}>
          {key === undefined ? words.showKey : words.hideKey}
        </Button>
        <Button size="small" aria-haspopup="dialog" onClick={() => setRenewing(true)}>
          <Icon of={KeyRound} size={14} />
          {words.renew}
        </Button>
      </div>
      {failure && (
        <p className={styles['failure']} role="alert">
          {failureText(failure)}
        </p>
      )}
      {key !== undefined && <Example bot={bot} apiKey={key} stream={stream} />}
      {renewing && <Renewal bot={bot} onClose={() => setRenewing(false)} onRenewed={setKey} />}
    </section>
  );
}

function Example({
  bot,
  apiKey,
  stream,
}: {
  readonly bot: BotView;
  readonly apiKey: string;
  readonly stream: string | undefined;
}) {
  const words = useBotsWords();
  const me = useModel(selectMe)?.userId ?? 0;
  const example = curlExample({
    site: window.location.origin,
    email: bot.email,
    key: apiKey,
    to: stream === undefined ? { userId: me } : { stream },
    topic: words.exampleTopic,
    content: words.exampleContent,
  });
  return (
    <CopyableField
      label={words.example}
      note={words.exampleAdvice}
      value={example}
      rows={6}
      copyLabel={words.copyExample}
      words={{ copied: words.exampleCopied, notCopied: words.notCopied }}
    />
  );
}

interface RenewalProps {
  readonly bot: BotView;
  readonly onClose: () => void;
  readonly onRenewed: (key: string) => void;
}

function Renewal({ bot, onClose, onRenewed }: RenewalProps) {
  const words = useBotsWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useBotFailure();
  const renew = async () => {
    const renewed = await model.account((own) => own.renewBotKey(bot.userId));
    if ('kind' in renewed) return renewed;
    toast({ text: words.renewed, tone: 'note' });
    onRenewed(renewed.key);
    onClose();
    return undefined;
  };
  return (
    <ConfirmDialog
      heading={words.renewHeading}
      danger
      careful
      closeLabel={words.cancel}
      submitLabel={words.renew}
      busyLabel={words.renewing}
      failureText={failureText}
      act={renew}
      onClose={onClose}
    >
      <p>{words.renewQuestion}</p>
    </ConfirmDialog>
  );
}
