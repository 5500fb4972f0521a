/** A mail server that accepts every mail and keeps its text. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface MailServer {
  readonly url: string;
  /** Oldest first. */
  readonly mails: readonly string[];
  close(): void;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = createServer((socket) => serve(socket, mails));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the mail server has no port');
  return { url: `smtp://127.0.0.1:${address.port}`, mails, close: () => void server.close() };
}

function serve(socket: Socket, mails: string[]): void {
  let unread = '';
  let inMail = false;
  socket.on('error', () => socket.destroy());
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    unread += chunk;
    for (;;) {
      const mark = inMail ? '\r\n.\r\n' : '\r\n';
      const end = unread.indexOf(mark);
      if (end === -1) return;
      const part = unread.slice(0, end);
      unread = unread.slice(end + mark.length);
      const reply = inMail ? '250 accepted' : replyTo(part);
      if (inMail) mails.push(textOf(part));
      inMail = reply.startsWith('354');
      socket.write(`${reply}\r\n`);
      if (reply.startsWith('221')) socket.end();
    }
  });
  socket.write('220 post.test\r\n');
}

function replyTo(command: string): string {
  const verb = command.slice(0, 4).toUpperCase();
  if (verb === 'DATA') return '354 go on';
  return verb === 'QUIT' ? '221 bye' : '250 yes';
}

function textOf(mail: string): string {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString();
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
