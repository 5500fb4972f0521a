import { useState } from 'react';
import { type HookSecrets, hookFormats } from '@engawa/protocol/hooks';
import { useHooksWords } from '../../i18n/hooks.ts';
import { useCopy } from '../../hooks/copy.ts';
import { CopyableField } from '../CopyableField.tsx';
import styles from '../HookRows.module.css';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { SelectField } from '../primitives/SelectField.tsx';

const formats = ['slack', ...hookFormats] as const;
type Format = (typeof formats)[number];

/** The address of a hook, which is shown only once. A press outside does not close the dialog. */
export function HookAddress({ secrets, onClose }: { readonly secrets: HookSecrets; readonly onClose: () => void }) {
  const words = useHooksWords();
  const [format, setFormat] = useState<Format>('slack');
  const address = addressFor(format, secrets);
  const copy = useCopy();
  return (
    <DialogForm
      heading={words.addressHeading(secrets.hook.name)}
      holds
      closeLabel={words.close}
      submitLabel={words.copyAddress}
      onClose={onClose}
      onSubmit={() => copy(address, words)}
    >
      <div className={styles['secrets']}>
        <p className={styles['once']}>{words.once}</p>
        <SelectField
          label={words.format}
          options={formats.map((value) => ({ value, label: words.formats[value] }))}
          chosen={format}
          onChoose={setFormat}
        />
        <p>{words.guides[format]}</p>
        <CopyableField label={words.address} value={address} rows={3} words={words} />
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
  const command = `curl -H 'Content-Type: application/json' -d '${JSON.stringify({ text: words.exampleText })}' '${address}'`;
  return <CopyableField label={words.example} value={command} rows={3} copyLabel={words.copyExample} words={words} />;
}
