import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

interface Received {
  /** The method and path without the query, such as `GET /api/v1/users`. */
  readonly call: string;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
}

/** JSON, HTML, `hold` to leave the request unanswered, or `cut` to close the connection. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: unknown }
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly html: string }
  | 'hold'
  | 'cut';

export interface ScriptedServer {
  readonly site: string;
  readonly received: readonly Received[];
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Resolves when the client has closed a request that was held. */
  readonly released: Promise<void>;
  close(): Promise<void>;
}

/** A real server that gives one answer after the other and holds further requests. */
export async function serve(...answers: readonly Answer[]): Promise<ScriptedServer> {
  const received: Received[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let nextRequest = Promise.withResolvers<void>();

  const give = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const answer = answers[received.length] ?? 'hold';
    const query = Object.fromEntries(searchParams);
    received.push({ call: `${request.method} ${pathname}`, query, form, headers: request.headers });
    nextRequest.resolve();
    nextRequest = Promise.withResolvers();

    if (answer === 'hold') response.on('close', release);
    else if (answer === 'cut') request.socket.destroy();
    else write(response, answer);
  };
  const server = createServer((request, response) => void give(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');

  return {
    site: `http://127.0.0.1:${address.port}`,
    received,
    async arrived(count) {
      while (received.length < count) await nextRequest.promise;
    },
    released,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function write(response: ServerResponse, answer: Exclude<Answer, string>): void {
  const type = 'json' in answer ? 'application/json' : 'text/html';
  const body = 'json' in answer ? JSON.stringify(answer.json) : answer.html;
  response.writeHead(answer.status ?? 200, { 'Content-Type': type, ...answer.headers }).end(body);
}

export const success = (fields: Readonly<Record<string, unknown>> = {}): Answer => ({
  json: { result: 'success', msg: '', ...fields },
});

export const refusal = (status: number, code: string, msg: string, data: object = {}): Answer => ({
  status,
  json: { result: 'error', code, msg, ...data },
});
