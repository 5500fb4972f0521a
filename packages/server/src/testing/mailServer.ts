import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

interface Mail {
  readonly from: string;
  readonly to: string;
  /** The headers by name, each on one line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly mails: readonly Mail[];
  /** The credentials of clients as `user:password`. */
  readonly shown: readonly string[];
  /** The reply to a mail's content, such as `550 no`; undefined: accepts it. */
  answer: string | undefined;
}

export async function runMailServer(): Promise<MailServer> {
  const mails: Mail[] = [];
  const shown: string[] = [];
  const state: { answer: string | undefined } = { answer: undefined };
  const server = createServer((socket) => serve(socket, mails, shown, () => state.answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return Object.assign(state, { url: `smtp://post:himitsu-no-kagi@127.0.0.1:${port}`, port, mails, shown });
}

function serve(socket: Socket, mails: Mail[], shown: string[], answer: () => string | undefined): void {
  let unread = '';
  let mail = { from: '', to: '' };
  let inData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const [verb = '', rest = ''] = line.split(/ (.*)/s);
    if (verb === 'EHLO') return void socket.write('250-mail.test\r\n250 AUTH PLAIN\r\n');
    if (verb === 'AUTH') {
      shown.push(Buffer.from(rest.replace('PLAIN ', ''), 'base64').toString().slice(1).replace('\0', ':'));
      return void say('235 yes');
    }
    if (verb === 'MAIL') mail = { from: addressIn(rest), to: '' };
    if (verb === 'RCPT') mail = { ...mail, to: mail.to === '' ? addressIn(rest) : `${mail.to},${addressIn(rest)}` };
    inData = verb === 'DATA';
    say(inData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 yes');
    if (verb === 'QUIT') socket.end();
  };
  socket.on('error', () => socket.destroy());
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    unread += chunk;
    for (;;) {
      const end = unread.indexOf(inData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const part = unread.slice(0, end);
      unread = unread.slice(end + (inData ? 5 : 2));
      if (!inData) {
        command(part);
        continue;
      }
      inData = false;
      const refusal = answer();
      if (refusal === undefined) mails.push({ ...mail, ...contentOf(part) });
      say(refusal ?? '250 taken');
    }
  });
  say('220 mail.test');
}

function addressIn(parameter: string): string {
  return /<(.*?)>/.exec(parameter)?.[1] ?? '';
}

function contentOf(data: string): Pick<Mail, 'headers' | 'text'> {
  const [head = '', body = ''] = data.split(/\r\n\r\n(.*)/s);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/: ?(.*)/s);
      return [name.toLowerCase(), value];
    }),
  );
  const raw = body.replaceAll(/^\.\./gm, '.');
  const bytes = headers['content-transfer-encoding'] === 'base64' ? Buffer.from(raw, 'base64') : unquoted(raw);
  return { headers, text: bytes.toString('utf8').replaceAll('\r\n', '\n') };
}

function unquoted(text: string): Buffer {
  const joined = text.replaceAll('=\r\n', '');
  return Buffer.from(
    joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
