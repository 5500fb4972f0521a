import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log, LogLevel } from '../log.ts';

/** Who was found to make a request. */
const callers = new WeakMap<FastifyRequest, number>();

/** Says for the log whose call it is. */
export function noteCaller(request: FastifyRequest, userId: number | undefined): void {
  if (userId !== undefined) callers.set(request, userId);
}

/** The calls that are not answered yet. */
export interface Calls {
  /**
   * Resolves when all are answered. Those that are not by then are told 503, as "try again".
   * @param patience milliseconds.
   */
  settle(gracePeriod: number): Promise<void>;
}

/** One line of the log for each call, when it is over; to be told of before anything can refuse it. */
export function watchCalls(app: FastifyInstance, log: Log): Calls {
  const openCalls = new Set<ServerResponse>();
  let settled: (() => void) | undefined;

  app.addHook('onRequest', async (request, { raw }) => {
    const began = performance.now();
    openCalls.add(raw);
    raw.once('close', () => {
      openCalls.delete(raw);
      log(lineOf(request, raw, Math.round(performance.now() - began)));
      if (openCalls.size === 0) settled?.();
    });
  });

  return {
    async settle(gracePeriod) {
      if (openCalls.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      settled = resolve;
      const end = setTimeout(() => refuse(openCalls, resolve), gracePeriod);
      await promise;
      clearTimeout(end);
    },
  };
}

/** Milliseconds that an answer has to leave in, once there is no more waiting. */
const lastMoment = 1000;
const busy = Buffer.from('{"result":"error","msg":"The server is being stopped. Try again.","code":"INTERNAL"}\n');

function refuse(openCalls: ReadonlySet<ServerResponse>, resolve: () => void): void {
  for (const raw of openCalls) {
    if (raw.headersSent) continue;
    raw.writeHead(503, {
      'Content-Type': 'application/json',
      'Content-Length': busy.byteLength,
      'Retry-After': '5',
      Connection: 'close',
    });
    raw.end(busy);
  }
  setTimeout(resolve, lastMoment);
}

function lineOf(request: FastifyRequest, raw: ServerResponse, milliseconds: number) {
  const member = callers.get(request);
  return {
    level: levelOf(raw.statusCode),
    event: 'call_finished',
    method: request.method,
    path: pathOf(request.url),
    // Who hung up was answered nothing.
    status: raw.writableEnded ? raw.statusCode : null,
    milliseconds,
    ...(member === undefined ? {} : { member }),
  };
}

function levelOf(status: number): LogLevel {
  // 503 says "try again": whoever runs the product wants to know of it, and nothing is broken.
  if (status === 503) return 'warn';
  return status >= 500 ? 'error' : 'info';
}

/** Segments of a path that are shown: names of calls and numbers, and nothing as long as what opens something. */
const plainSegment = /^(?:[a-z][a-z_]{0,29}|\d{1,15}|v1)?$/i;
const mostSegments = 12;

/** Without the query, and with what may be a name or a secret left out. */
function pathOf(url: string): string {
  const segments = url.split('?', 1).join('').split('/');
  return segments
    .slice(0, mostSegments)
    .map((segment) => (plainSegment.test(segment) ? segment : '…'))
    .join('/');
}
