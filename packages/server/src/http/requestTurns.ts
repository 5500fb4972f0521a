import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Beginning a request costs some 0.1 ms before its call takes turns with others (`chat-server/src/turns.ts`). */
const mostBegun = 50;

/** Reading a request costs some 0.025 ms. */
const mostRead = 200;

/**
 * Begins at most `mostBegun` requests in one turn of the event loop. When thousands of clients return at once, Node would read the
 * requests of all of them in one turn, which holds up everything else. So once `mostRead` requests wait, all connections are paused,
 * and then read again in turns. A connection whose request is answered meanwhile comes last, so that nobody gets ahead. Pausing and
 * resuming costs some 3 µs per connection.
 */
export function handleInTurns(server: Server, handle: RequestListener): void {
  const waiting: [IncomingMessage, ServerResponse<IncomingMessage>][] = [];
  const reading = new Set<Socket>();
  /** In the order in which they are read again. */
  const paused = new Set<Socket>();
  let begun = 0;
  let hasPausedAll = false;
  let isScheduled = false;

  const begin: RequestListener = (request, response) => {
    begun += 1;
    schedule();
    if (paused.size > 0) response.once('close', () => pauseLikeOthers(request.socket));
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
    hasPausedAll = false;
    for (const [request, response] of waiting.splice(0, mostBegun)) begin(request, response);
    if (waiting.length < mostBegun) resumeNext();
    if (waiting.length > 0 || paused.size > 0) schedule();
  };
  const pauseAll = () => {
    hasPausedAll = true;
    for (const socket of reading) pause(socket);
  };
  const pause = (socket: Socket) => {
    // Node pauses a connection while nobody reads the body of its request, and resumes it itself.
    if (!paused.has(socket) && socket.isPaused()) return;
    reading.delete(socket);
    paused.delete(socket);
    paused.add(socket);
    socket.pause();
  };
  const pauseLikeOthers = (socket: Socket) => {
    const isOpen = reading.has(socket) || paused.has(socket);
    if (isOpen && paused.size > 0) pause(socket);
  };
  const resumeNext = () => {
    for (const socket of paused.values().take(mostRead)) {
      paused.delete(socket);
      reading.add(socket);
      socket.resume();
    }
  };

  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    reading.add(socket);
    socket.once('close', () => {
      reading.delete(socket);
      paused.delete(socket);
    });
    // Node begins to read it after this event.
    if (paused.size > 0) setImmediate(() => pauseLikeOthers(socket));
  });
  server.on('request', (request, response) => {
    if (begun < mostBegun && waiting.length === 0) {
      begin(request, response);
      return;
    }
    waiting.push([request, response]);
    if (waiting.length >= mostRead && !hasPausedAll) pauseAll();
  });
}
