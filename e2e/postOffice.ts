/** A mail server that takes every letter, so that what the product sends by mail can be read. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface PostOffice {
  readonly url: string;
  /** What the letters say, the oldest first. */
  readonly letters: readonly string[];
  close(): void;
}

export async function openPostOffice(): Promise<PostOffice> {
  const letters: string[] = [];
  const server = createServer((socket) => serve(socket, letters));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the post office has no port');
  return { url: `smtp://127.0.0.1:${address.port}`, letters, close: () => void server.close() };
}

function serve(socket: Socket, letters: string[]): void {
  let unread = '';
  let inLetter = false;
  socket.on('error', () => socket.destroy());
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    unread += chunk;
    for (;;) {
      const mark = inLetter ? '\r\n.\r\n' : '\r\n';
      const end = unread.indexOf(mark);
      if (end === -1) return;
      const part = unread.slice(0, end);
      unread = unread.slice(end + mark.length);
      const said = inLetter ? '250 taken' : answerTo(part);
      if (inLetter) letters.push(textOf(part));
      inLetter = said.startsWith('354');
      socket.write(`${said}\r\n`);
      if (said.startsWith('221')) socket.end();
    }
  });
  socket.write('220 post.test\r\n');
}

function answerTo(command: string): string {
  const verb = command.slice(0, 4).toUpperCase();
  if (verb === 'DATA') return '354 go on';
  return verb === 'QUIT' ? '221 bye' : '250 yes';
}

function textOf(letter: string): string {
  const [head = '', body = ''] = letter.split(/\r\n\r\n(.*)/s);
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString();
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
