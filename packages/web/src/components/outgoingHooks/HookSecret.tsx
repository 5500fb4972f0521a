import { useId, useRef } from 'react';
import type { OutgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import { copied } from '../clipboard.ts';
import { Copy } from '../icons.ts';
import { Button } from '../primitives/Button.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import styles from './OutgoingHookList.module.css';

/** A receiver that verifies the signature, for Node without packages. Its secret comes from the environment. */
const example = `// SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const key = Buffer.from(process.env.SECRET.slice('whsec_'.length), 'base64');

createServer(async (request, response) => {
  const body = await text(request);
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = request.headers;
  const right = Buffer.from('v1,' + createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest('base64'));
  const signature = Buffer.from(given ?? '');
  const isGenuine = signature.length === right.length && timingSafeEqual(signature, right);
  if (!isGenuine || Math.abs(Date.now() / 1000 - time) > 300) return response.writeHead(400).end();
  const { data } = JSON.parse(body);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ content: 'Received: ' + data }));
}).listen(8000);
`;

/** The secret of a hook, which is shown only once. A press outside does not close the dialog. */
export function HookSecret({ secrets, onClose }: { readonly secrets: OutgoingHookSecrets; readonly onClose: () => void }) {
  const words = useOutgoingHooksWords();
  const toast = useToast();
  const copy = async (text: string) => {
    const done = await copied(text);
    toast(done ? { text: words.copied, tone: 'note' } : { text: words.notCopied, tone: 'alert' });
  };
  return (
    <DialogForm
      heading={words.secretHeading(secrets.hook.name)}
      holds
      closeLabel={words.close}
      submitLabel={words.copySecret}
      onClose={onClose}
      onSubmit={() => void copy(secrets.secret)}
    >
      <div className={styles['secrets']}>
        <p className={styles['once']}>{words.once}</p>
        <Field label={words.secret} value={secrets.secret} rows={2} />
        <p>{words.tokenNote}</p>
        <Field label={words.token} value={secrets.token} rows={2} />
        <Field label={words.example} value={example} rows={8} />
        <Button size="small" className={styles['create']} onClick={() => void copy(example)}>
          <Copy aria-hidden size={16} />
          {words.copyExample}
        </Button>
      </div>
    </DialogForm>
  );
}

function Field({ label, value, rows }: { readonly label: string; readonly value: string; readonly rows: number }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className={styles['secret']}>
      <label htmlFor={id}>{label}</label>
      <textarea ref={field} id={id} rows={rows} readOnly value={value} onFocus={() => field.current?.select()} />
    </div>
  );
}
