import { once } from 'node:events';
import { type IncomingHttpHeaders, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one post. */
export type Respond = (response: ServerResponse, received: Received) => void;

/** A receiver of posts on a port of this machine. */
export interface Receiver {
  readonly origin: string;
  readonly port: number;
  readonly received: Received[];
  /** Replaced by tests. Default: 200 without a body. */
  respond: Respond;
  close(): Promise<void>;
}

/** @param port 0 chooses one. */
export async function openReceiver(respond: Respond = (response) => void response.end(), port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const post = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    received.push(post);
    receiver.respond(response, post);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = portOf(server);
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${address}`,
    port: address,
    received,
    respond,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
  return receiver;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a server on a port has an address');
  return address.port;
}

/** Answers with a status, and with JSON if there is a body. */
export function answering(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Respond {
  return (response) => {
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
}
