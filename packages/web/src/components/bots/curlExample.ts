import { addressDirect, addressStream } from '@engawa/protocol';

interface Example {
  /** Without a slash at the end. */
  readonly site: string;
  readonly email: string;
  readonly key: string;
  /** The stream, or without one the owner, who gets a direct message. */
  readonly to: { readonly stream: string } | { readonly userId: number };
  readonly topic: string;
  readonly content: string;
}

/** A command for a POSIX shell that sends one message as the bot. */
export function curlExample({ site, email, key, to, topic, content }: Example): string {
  const fields =
    'stream' in to
      ? ['type=stream', `to=${addressStream(to.stream)}`, `topic=${topic}`]
      : ['type=direct', `to=${addressDirect([to.userId])}`];
  const parts = [...fields, `content=${content}`].map((field) => `  --data-urlencode ${quoted(field)}`);
  return [`curl -sS ${quoted(`${site}/api/v1/messages`)}`, `  -u ${quoted(`${email}:${key}`)}`, ...parts].join(' \\\n');
}

/** Within single quotes a shell changes nothing, so only they themselves need care. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
