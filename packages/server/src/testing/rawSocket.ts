import { once } from 'node:events';
import { connect } from 'node:net';

/** A parsed answer of a raw connection, for requests that no client library can send. */
export interface RawAnswer {
  readonly status: number;
  /** The headers of the answer, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads until the server closes the connection, so the request must ask for that. @returns undefined without an answer. */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  const { port, hostname } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Ignored: the server may close the connection while bytes are still being sent.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
  return parsed(Buffer.concat(chunks).toString('latin1'));
}

function parsed(text: string): RawAnswer | undefined {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (?<status>\d{3})/.exec(line)?.groups?.['status'];
  if (status === undefined) return undefined;
  const headers = lines.map((each): [string, string] => {
    const colon = each.indexOf(':');
    return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}
