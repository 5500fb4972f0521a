import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer as it came over the connection, by hand: what no client library would send can be sent. */
export interface RawAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes and reads until the server ends the connection, which they must ask it to do.
 * @returns undefined when it ends it without a word.
 */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  const { port, hostname } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that has heard enough may cut the connection while the rest is on its way.
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
