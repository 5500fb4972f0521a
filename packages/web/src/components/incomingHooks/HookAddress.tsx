import { useId, useRef, useState } from 'react';
import { type HookSecrets, hookFormats } from '@engawa/protocol/hooks';
import { useHooksWords } from '../../i18n/hooks.ts';
import { copied } from '../clipboard.ts';
import { Copy } from '../icons.ts';
import { Button } from '../primitives/Button.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { Select } from '../primitives/Select.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import styles from './HookList.module.css';

const formats = ['slack', ...hookFormats] as const;
type Format = (typeof formats)[number];

/** The address of a hook, which is shown only once. A press outside does not close the dialog. */
export function HookAddress({ secrets, onClose }: { readonly secrets: HookSecrets; readonly onClose: () => void }) {
  const words = useHooksWords();
  const [format, setFormat] = useState<Format>('slack');
  const address = addressFor(format, secrets);
  const copyAddress = useCopy();
  return (
    <DialogForm
      heading={words.addressHeading(secrets.hook.name)}
      holds
      closeLabel={words.close}
      submitLabel={words.copyAddress}
      onClose={onClose}
      onSubmit={() => copyAddress(address)}
    >
      <div className={styles['address']}>
        <p className={styles['once']}>{words.once}</p>
        <div className={styles['choice']}>
          <span aria-hidden>{words.format}</span>
          <Select
            name={words.format}
            options={formats.map((value) => ({ value, label: words.formats[value] }))}
            chosen={format}
            onChoose={setFormat}
          />
        </div>
        <p>{words.guides[format]}</p>
        <Secret label={words.address} value={address} />
        {format === 'slack' && <Example address={address} />}
      </div>
    </DialogForm>
  );
}

/** The parameters are those of Zulip's incoming webhooks. */
function addressFor(format: Format, { address, external, api_key, hook }: HookSecrets): string {
  if (format === 'slack') return address;
  const parameters = new URLSearchParams({ api_key, stream: String(hook.stream_id), topic: hook.topic });
  return `${external}${format}?${parameters.toString()}`;
}

function Example({ address }: { readonly address: string }) {
  const words = useHooksWords();
  const copy = useCopy();
  const command = `curl -H 'Content-Type: application/json' -d '${JSON.stringify({ text: words.exampleText })}' '${address}'`;
  return (
    <>
      <Secret label={words.example} value={command} />
      <Button size="small" onClick={() => copy(command)}>
        <Copy aria-hidden size={16} />
        {words.copyExample}
      </Button>
    </>
  );
}

function Secret({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className={styles['secret']}>
      <label htmlFor={id}>{label}</label>
      <textarea ref={field} id={id} rows={3} readOnly value={value} onFocus={() => field.current?.select()} />
    </div>
  );
}

function useCopy(): (text: string) => void {
  const words = useHooksWords();
  const toast = useToast();
  const copy = async (text: string) => {
    const done = await copied(text);
    toast(done ? { text: words.copied, tone: 'note' } : { text: words.notCopied, tone: 'alert' });
  };
  return (text) => void copy(text);
}
