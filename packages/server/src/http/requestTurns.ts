import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** The response to the latest request of each connection. */
export type LatestResponses = WeakMap<Duplex, ServerResponse>;

export function latestResponses(server: Server): LatestResponses {
  const latest: LatestResponses = new WeakMap();
  server.on('request', ({ socket }, response) => latest.set(socket, response));
  return latest;
}

/** Beginning a request costs some 0.1 ms before its call takes turns with others (`chat-server/src/turns.ts`). */
const mostBegunPerTurn = 50;
/** A turn may begin this many, even if half of the requests are fewer. */
const smallestHalf = 4;
/**
 * Milliseconds after which no further request begins in a turn, with what each runs before it first waits. Fifty take longer on a slow
 * machine, or before their code is compiled.
 */
const longestBeginning = 8;

/** Milliseconds for which later turns can make up, so that a pause of the whole machine does not delay requests further. */
const mostMadeUp = 10 * longestBeginning;

/** Requests that wait. Reading one costs some 0.025 ms. */
const mostWaiting = 200;

/**
 * Begins at most `mostBegunPerTurn` requests in one turn of the event loop, and none after `longestBeginning`. If they took longer, the
 * next turns begin none until they have made up for it. Of few clients, it begins half of the requests that began in the turn before or
 * wait. So while the clients of one half have their answers and prepare their next requests, the server works on the other half. If one
 * turn began all, the server would then wait for the clients.
 *
 * When thousands of clients return at once, Node would read the requests of all of them in one turn, which holds up everything else. So
 * once `mostWaiting` requests wait, all idle connections are paused, and then resumed in order, at most `mostWaiting` per turn. A
 * connection goes to the end of this order when its request ends, so that no client gets ahead. Only a client that sends requests
 * without waiting for answers can exceed this. Pausing and resuming costs some 3 µs per connection.
 */
export function handleInTurns(server: Server, handle: RequestListener, latest: LatestResponses): void {
  const waiting: [IncomingMessage, ServerResponse<IncomingMessage>][] = [];
  const reading = new Set<Socket>();
  /** In the order in which they are resumed. */
  const paused = new Set<Socket>();
  let begun = 0;
  /** The requests that may begin in this turn. */
  let most = smallestHalf;
  /**
   * Milliseconds that the requests of this turn took to begin, and what earlier turns took too long. Requests that one connection sends
   * without waiting for answers count their common time more than once.
   */
  let used = 0;
  let hasPausedIdle = false;
  let isScheduled = false;

  /** @param next called in this turn, after what the request runs with its promises. */
  const begin = (request: IncomingMessage, response: ServerResponse<IncomingMessage>, next: () => void) => {
    begun += 1;
    schedule();
    if (paused.size > 0) response.once('close', () => pauseLikeOthers(request.socket));
    // A client that left while its request waited gets no answer.
    if (request.destroyed || response.destroyed) {
      next();
      return;
    }
    const began = performance.now();
    handle(request, response);
    afterPromises(() => {
      used = Math.min(used + performance.now() - began, mostMadeUp);
      next();
    });
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const mayBegin = () => begun < most && used < longestBeginning;
  const turn = () => {
    isScheduled = false;
    most = Math.min(mostBegunPerTurn, Math.max(smallestHalf, Math.ceil((begun + waiting.length) / 2)));
    begun = 0;
    used = Math.max(0, used - longestBeginning);
    hasPausedIdle = false;
    beginWaiting();
  };
  const beginWaiting = () => {
    const next = mayBegin() ? waiting.shift() : undefined;
    if (next) {
      begin(...next, beginWaiting);
      return;
    }
    if (waiting.length < mostBegunPerTurn) resumeNext();
    if (waiting.length > 0 || paused.size > 0 || used > 0) schedule();
  };
  /** With a request in progress, a connection sends nothing more than the body, and shows when its client leaves. */
  const isIdle = (socket: Socket) => latest.get(socket)?.writableFinished ?? true;
  const pauseIdle = () => {
    hasPausedIdle = true;
    for (const socket of reading) if (isIdle(socket)) pause(socket);
  };
  const pause = (socket: Socket) => {
    reading.delete(socket);
    paused.add(socket);
    socket.pause();
  };
  const pauseLikeOthers = (socket: Socket) => {
    if (paused.size > 0 && !socket.destroyed && isIdle(socket)) pause(socket);
  };
  /** Not more than may wait: the rest would be paused again and lose their place. */
  const resumeNext = () => {
    for (const socket of paused.values().take(mostWaiting - waiting.length)) {
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
    // Node resumes a new connection after this event.
    if (paused.size > 0) setImmediate(() => pauseLikeOthers(socket));
  });
  server.on('request', (request, response) => {
    if (waiting.length === 0 && mayBegin()) {
      begin(request, response, () => undefined);
      return;
    }
    waiting.push([request, response]);
    if (waiting.length >= mostWaiting && !hasPausedIdle) pauseIdle();
  });
}

/** Calls back in this turn, after all promises: Node calls what one of them has given to `nextTick` when none is left to continue. */
function afterPromises(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
