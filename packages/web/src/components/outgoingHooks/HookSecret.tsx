import type { OutgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { useOutgoingHooksWords } from '../../i18n/outgoingHooks.ts';
import { useCopy } from '../../hooks/copy.ts';
import { CopyableField } from '../CopyableField.tsx';
import styles from '../HookRows.module.css';
import { DialogForm } from '../primitives/DialogForm.tsx';

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
  const copy = useCopy();
  return (
    <DialogForm
      heading={words.secretHeading(secrets.hook.name)}
      holds
      closeLabel={words.close}
      submitLabel={words.copySecret}
      onClose={onClose}
      onSubmit={() => copy(secrets.secret, words)}
    >
      <div className={styles['secrets']}>
        <p className={styles['once']}>{words.once}</p>
        <CopyableField label={words.secret} value={secrets.secret} rows={2} words={words} />
        <p>{words.tokenNote}</p>
        <CopyableField label={words.token} value={secrets.token} rows={2} words={words} />
        <CopyableField label={words.example} value={example} rows={8} copyLabel={words.copyExample} words={words} />
      </div>
    </DialogForm>
  );
}
