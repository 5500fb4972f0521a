import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Beginning a request costs some 0.1 ms before its call takes turns with others (`chat-server/src/turns.ts`). */
const mostBegun = 50;

/** Reading a request costs some 0.025 ms. */
const mostRead = 200;

/**
 * Begins at most `mostBegun` requests in one turn of the event loop. When thousands of clients return at once, Node would read the
 * requests of all of them in one turn, which holds up everything else. So once `mostRead` requests wait, all other connections are
 * paused, and then read in turns as well. The next request on a connection that was read earlier comes after them, so that nobody
 * gets ahead. Pausing and resuming a connection costs some 3 µs.
 */
export function handleInTurns(server: Server, handle: RequestListener): void {
  const waiting: [IncomingMessage, ServerResponse<IncomingMessage>][] = [];
  const open = new Set<Socket>();
  /** In the order in which they are read. */
  const paused = new Set<Socket>();
  let begun = 0;
  let isScheduled = false;

  const begin: RequestListener = (request, response) => {
    begun += 1;
    schedule();
    if (paused.size > 0) response.once('close', () => pauseLike(request.socket));
    // A client that left while its request waited gets no answer.
    if (!request.destroyed && !response.destroyed) handle(request, response);
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const turn = () => {
    isScheduled = false;
    begun = 0;
    for (const [request, response] of waiting.splice(0, mostBegun)) begin(request, response);
    if (waiting.length < mostBegun) resumeNext();
    if (waiting.length > 0 || paused.size > 0) schedule();
  };
  const pause = (socket: Socket) => {
    socket.pause();
    paused.add(socket);
  };
  /** Pauses a connection if others are. */
  const pauseLike = (socket: Socket) => {
    if (paused.size > 0 && open.has(socket)) pause(socket);
  };
  const pauseOthers = () => {
    const read = new Set(waiting.map(([{ socket }]) => socket));
    for (const socket of open) if (!read.has(socket)) pause(socket);
  };
  const resumeNext = () => {
    for (const socket of paused.values().take(mostRead)) {
      paused.delete(socket);
      socket.resume();
    }
  };

  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      paused.delete(socket);
    });
    pauseLike(socket);
  });
  server.on('request', (request, response) => {
    if (begun < mostBegun && waiting.length === 0) {
      begin(request, response);
      return;
    }
    waiting.push([request, response]);
    if (waiting.length >= mostRead && paused.size === 0) pauseOthers();
  });
}
