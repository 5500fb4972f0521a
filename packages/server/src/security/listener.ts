import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type RequestedUrl, strictHeadersFor } from '../http/headers.ts';
import { type BodyRate, enforceBodyRate, defaultBodyRate } from './bodyRate.ts';
import type { Trust } from './proxies.ts';
import type { TlsFiles } from './tls.ts';

/** Connections that are open at once: some for each browser, of which one waits for events. */
const mostConnections = 20_000;
/** Of them from one address, which may be a whole office's, so that no address takes all of them. */
const mostOfAddress = mostConnections / 2;

export interface ListenerOptions {
  /** Undefined: http. */
  readonly tls: TlsFiles | undefined;
  /** Named proxies bring everybody's connections. */
  readonly trusts: Trust;
  readonly times?: Times;
}

/** What a request may take to arrive. An answer may take its time: a poll's wait begins when its request is there. */
interface Times {
  /** Milliseconds for its headers. */
  readonly headers: number;
  readonly body: BodyRate;
  /** Milliseconds for all of it. */
  readonly request: number;
  /** Milliseconds between two looks at whether headers or requests are late. */
  readonly checkInterval: number;
}

/** Half an hour lets 100 MB through at the slowest pace. */
const defaultTimes: Times = { headers: 60_000, body: defaultBodyRate, request: 30 * 60_000, checkInterval: 10_000 };

/** The server of the connections, before anything is known of what they bring. */
export function createListener(handler: RequestListener, { tls, trusts, times = defaultTimes }: ListenerOptions): Server {
  // A request without a Host is refused by the guard, with the headers of every answer.
  const settings = {
    headersTimeout: times.headers,
    requestTimeout: times.request,
    connectionsCheckingInterval: times.checkInterval,
    requireHostHeader: false,
  };
  const server = tls ? createTlsServer({ ...settings, ...tls.read() }, handler) : createServer(settings, handler);
  server.keepAliveTimeout = 75_000;
  server.maxConnections = mostConnections;
  // All that the 16 KiB of a request's headers hold are read; the guard refuses too many. Node would forget the rest.
  server.maxHeadersCount = 0;
  boundAddresses(server, trusts);
  server.on('checkExpectation', (request, response: ServerResponse) => {
    const requested = { url: request.url ?? '', secure: tls !== undefined };
    response.writeHead(417, { ...strictHeadersFor(requested), 'Content-Length': 0, Connection: 'close' }).end();
  });
  answerUnreadable(server, { url: '', secure: tls !== undefined });
  server.prependListener('request', (request, response: ServerResponse) => {
    enforceBodyRate(request, times.body, () => {
      // What was answered before all of it was there gets no second answer.
      if (response.headersSent) request.socket.destroy();
      else server.emit('clientError', new SlowBodyError(), request.socket);
    });
  });
  return server;
}

/**
 * Takes the certificate as its files hold it now, for the connections that begin from now on.
 * @throws TlsError, and goes on with the one that it has.
 */
export function renewCertificate(server: Server, tls: TlsFiles | undefined): void {
  if (tls && server instanceof TlsServer) server.setSecureContext(tls.read());
}

function boundAddresses(server: Server, trusts: Trust): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || trusts(address)) return;
    const others = open.get(address) ?? 0;
    if (others >= mostOfAddress) {
      socket.destroy();
      return;
    }
    open.set(address, others + 1);
    socket.once('close', () => {
      const rest = (open.get(address) ?? 0) - 1;
      if (rest > 0) open.set(address, rest);
      else open.delete(address);
    });
  });
}

/** As Node says it of what is late altogether. */
class SlowBodyError extends Error {
  override readonly name = 'SlowBodyError';
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

const unreadable: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** What cannot be read as a request is answered like any other, and its connection ends. */
function answerUnreadable(server: Server, requested: RequestedUrl): void {
  /** What a connection's latest request is answered with. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response: ServerResponse) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    // In the midst of another answer these bytes would be taken for a part of it.
    const isBusy = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || isBusy || error.code === 'ECONNRESET') {
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
