import { chmodSync, rmSync } from 'node:fs';
import { type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Settle } from '../http/calls.ts';
import { hasCode } from '../log/failure.ts';
import type { Log } from '../log/log.ts';
import { type OperatorCommands, type OperatorAnswer, type OperatorRequest, operatorAnswer, operatorRequest } from './commands.ts';

/** The system's limit for the path of a socket, in bytes. */
const longestPath = 103;
/** Bytes; enough for an import file in base64. */
const longestRequest = 8 * 1024 * 1024;

const requestLine = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' });
      return z.NEVER;
    }
  })
  .pipe(operatorRequest);

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'engawa.sock');

/** Only the data directory's owner can open the socket. A request is one line of JSON, and so is its answer. */
export function serveOperatorCommands(app: FastifyInstance, dataDirectory: string, run: OperatorCommands, log: Log): Settle {
  const path = pathIn(dataDirectory);
  const sockets = new Set<Socket>();
  const runningRequests = new Set<Promise<unknown>>();
  const tracked: OperatorCommands = async (request) => {
    const running = run(request);
    runningRequests.add(running);
    return running.finally(() => runningRequests.delete(running));
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, tracked).catch((error: unknown) => {
      log({ level: 'error', event: 'command_failed', error });
      socket.destroy();
    });
  });
  app.addHook('onListen', async () => {
    if (Buffer.byteLength(path) > longestPath) {
      log({ level: 'warn', event: 'operator_socket_unavailable', reason: 'path_too_long', path });
      return;
    }
    // A killed process left this socket: no other one runs, because this process holds the directory's lock.
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
    chmodSync(path, 0o600);
  });
  return async (gracePeriod) => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    const stop = new AbortController();
    await Promise.race([Promise.allSettled(runningRequests), setTimeout(gracePeriod, undefined, { signal: stop.signal })]);
    stop.abort();
    // Answers that are ready are sent in this turn of the event loop, before the connections close.
    await setImmediate();
    for (const socket of sockets) {
      if (socket.writableEnded) socket.destroySoon();
      else socket.destroy();
    }
    await closed;
  };
}

async function serve(socket: Socket, run: OperatorCommands): Promise<void> {
  const request = requestIn(await textOf(socket));
  socket.end(`${JSON.stringify(await run(request))}\n`);
}

/** The error repeats nothing of the text: it may contain secrets. */
function requestIn(text: string): OperatorRequest {
  const { data } = requestLine.safeParse(text);
  if (!data) throw new TypeError('the text from the socket is not a command');
  return data;
}

async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestRequest) throw new RangeError('the request is too long');
  }
  return Buffer.concat(chunks).toString();
}

/** @returns undefined if no product runs on the data directory. */
export async function sendToRunningProduct(dataDirectory: string, request: OperatorRequest): Promise<OperatorAnswer | undefined> {
  const path = pathIn(dataDirectory);
  if (Buffer.byteLength(path) > longestPath) return undefined;
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    socket.end(`${JSON.stringify(request)}\n`);
    const answer = await textOf(socket);
    if (answer === '')
      return { done: false, lines: ['失敗しました。縁側のログを見てください。 / The command failed. See the log of Engawa.'] };
    return operatorAnswer.parse(JSON.parse(answer));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ECONNREFUSED')) return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}
