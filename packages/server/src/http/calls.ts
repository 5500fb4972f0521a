import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Log, type LogLevel, plainPath } from '../log/log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user id, for the log. */
    caller: number | undefined;
    /** Whether this is a poll that had to wait. Those that got their events are only counted. */
    waits: boolean;
  }
}

export function noteCaller(request: FastifyRequest, userId: number | undefined): void {
  if (userId !== undefined) request.caller = userId;
}

interface OpenCall {
  /** Undefined after the call has ended, because a `Set` may keep what it had (`chat-server/src/turns.ts`). */
  raw: ServerResponse | undefined;
}

const summaryEveryMs = 60_000;

/** Counts what has finished. */
export interface FinishedCalls {
  deliveries: number;
  /** @param status 0: the client left before the answer. */
  note(request: FastifyRequest, status: number, milliseconds: number): void;
}

/** Waits for open calls. @param gracePeriod milliseconds, after which it refuses the calls that are still open. */
export type Settle = (gracePeriod: number) => Promise<void>;

/**
 * Logs one line per finished call, but one line per minute for the polls that got their events, because each message ends the polls
 * of all who wait for it. It must be registered before any hook that can refuse a call.
 */
export function watchCalls(app: FastifyInstance, log: Log, counts: FinishedCalls): Settle {
  const openCalls = new Set<OpenCall>();
  let settled: (() => void) | undefined;
  let logged = counts.deliveries;

  const summarise = () => {
    const polls = counts.deliveries - logged;
    if (polls > 0) log({ level: 'info', event: 'polls_finished', polls });
    logged = counts.deliveries;
  };
  const summaries = setInterval(summarise, summaryEveryMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(summaries);
    summarise();
  });

  app.decorateRequest('caller', undefined);
  app.decorateRequest('waits', false);
  app.addHook('onRequest', (request, { raw }, done) => {
    const began = performance.now();
    const call: OpenCall = { raw };
    openCalls.add(call);
    raw.on('close', () => {
      openCalls.delete(call);
      call.raw = undefined;
      if (raw.writableEnded && request.waits && raw.statusCode === 200) counts.deliveries += 1;
      else {
        const milliseconds = performance.now() - began;
        counts.note(request, raw.writableEnded ? raw.statusCode : 0, milliseconds);
        log(lineOf(request, raw, Math.round(milliseconds)));
      }
      if (openCalls.size === 0) settled?.();
    });
    done();
  });

  return async (gracePeriod) => {
    if (openCalls.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    settled = resolve;
    const end = setTimeout(() => refuseOpenCalls(openCalls, resolve), gracePeriod);
    await promise;
    clearTimeout(end);
  };
}

const lastMomentMs = 1000;
const busy = Buffer.from('{"result":"error","msg":"The server is being stopped. Try again.","code":"INTERNAL"}\n');

function refuseOpenCalls(openCalls: ReadonlySet<OpenCall>, resolve: () => void): void {
  for (const { raw } of openCalls) {
    if (!raw || raw.headersSent) continue;
    raw.writeHead(503, {
      'Content-Type': 'application/json',
      'Content-Length': busy.byteLength,
      'Retry-After': '5',
      Connection: 'close',
    });
    raw.end(busy);
  }
  setTimeout(resolve, lastMomentMs);
}

function lineOf(request: FastifyRequest, raw: ServerResponse, milliseconds: number) {
  const { caller: member } = request;
  return {
    level: levelOf(raw.statusCode),
    event: 'call_finished',
    method: request.method,
    path: plainPath(request.url),
    // A call whose client left before the answer is logged without status.
    status: raw.writableEnded ? raw.statusCode : null,
    milliseconds,
    ...(member === undefined ? {} : { member }),
  };
}

function levelOf(status: number): LogLevel {
  // A warning, no error: 503 only asks the client to repeat the call.
  if (status === 503) return 'warn';
  return status >= 500 ? 'error' : 'info';
}
