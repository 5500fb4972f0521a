import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { type RequestedUrl, strictHeadersFor } from '../http/headers.ts';
import { type LatestResponses, handleInTurns, latestResponses } from '../http/requestTurns.ts';
import { Tally } from '../http/tally.ts';
import { WholeResponse } from '../http/wholeResponse.ts';
import { type BodyRate, defaultBodyRate, enforceBodyRate } from './bodyRate.ts';
import type { Trust } from './proxies.ts';
import type { TlsFiles } from './tls.ts';

/** Open connections: a browser has several, one of which waits for events. */
const mostConnections = 20_000;
/** A limit per address, so that one client cannot take all connections; half, because an office may share an address. */
const mostOfAddress = mostConnections / 2;

/** After an answer a connection stays open for this long. */
export const keepAliveSeconds = 75;

export interface ListenerOptions {
  readonly tls: TlsFiles | undefined;
  readonly trusts: Trust;
  readonly limits?: ReceiveLimits;
}

/** Milliseconds for receiving a request. Answers have no limit: polls wait. */
interface ReceiveLimits {
  readonly headers: number;
  readonly body: BodyRate;
  readonly request: number;
  readonly checkInterval: number;
}

const defaultLimits: ReceiveLimits = { headers: 60_000, body: defaultBodyRate, request: 30 * 60_000, checkInterval: 10_000 };

export function createListener(handler: RequestListener, { tls, trusts, limits = defaultLimits }: ListenerOptions): Server {
  // The guard refuses requests without a Host, so that the answer has the strict headers.
  const settings = {
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.checkInterval,
    requireHostHeader: false,
    ServerResponse: WholeResponse,
  };
  const server = tls ? createTlsServer({ ...settings, ...tls.read() }) : createServer(settings);
  const latest = latestResponses(server);
  handleInTurns(server, handler, latest);
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  server.maxConnections = mostConnections;
  // No limit here, because Node would silently ignore further headers; the guard refuses a request with too many.
  server.maxHeadersCount = 0;
  boundAddresses(server, trusts);
  server.on('checkExpectation', (request, response: ServerResponse) => {
    const requested = { url: request.url ?? '', secure: tls !== undefined };
    response.writeHead(417, { ...strictHeadersFor(requested), 'Content-Length': 0, Connection: 'close' }).end();
  });
  answerUnreadable(server, latest, { url: '', secure: tls !== undefined });
  server.prependListener('request', (request) => {
    enforceBodyRate(request, limits.body, () => server.emit('clientError', new SlowBodyError(), request.socket));
  });
  return server;
}

/** Reads the certificate files again for new connections. @throws Failure for invalid files, and keeps the old ones. */
export function renewCertificate(server: Server, tls: TlsFiles | undefined): void {
  if (tls && server instanceof TlsServer) server.setSecureContext(tls.read());
}

function boundAddresses(server: Server, trusts: Trust): void {
  const open = new Tally<string>();
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || trusts(address)) return;
    if (open.of(address) >= mostOfAddress) {
      socket.destroy();
      return;
    }
    open.add(address, 1);
    socket.once('close', () => open.add(address, -1));
  });
}

/** Has the code of Node's own timeout of a request, so that both are answered alike. */
class SlowBodyError extends Error {
  override readonly name = 'SlowBodyError';
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

const unreadable: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

function answerUnreadable(server: Server, latest: LatestResponses, requested: RequestedUrl): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = latest.get(socket);
    // While an answer is being written, an error answer would become part of it. A request that was answered before its body arrived
    // gets no second answer, which a proxy could give to the next request.
    const isAnswered = answer?.headersSent === true && !(answer.writableFinished && answer.req.complete);
    if (!socket.writable || isAnswered || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const body = '{"result":"error","msg":"The request is malformed.","code":"BAD_REQUEST"}\n';
    const headers = {
      ...strictHeadersFor(requested),
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map((header) => header.join(': '));
    const status = unreadable[error.code ?? ''] ?? '400 Bad Request';
    socket.end([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'));
  });
}
