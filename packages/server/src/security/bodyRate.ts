import type { IncomingMessage } from 'node:http';

export interface BodyRate {
  /** Milliseconds. */
  readonly grace: number;
  /** Bytes per millisecond after the grace time. */
  readonly minimum: number;
}

/** Half a megabit per second, which a phone in a train still reaches. 100 MB at this rate take half an hour. */
export const defaultBodyRate: BodyRate = { grace: 60_000, minimum: 62.5 };

/** Calls `late` when the body of the request has arrived too slowly. */
export function enforceBodyRate(request: IncomingMessage, rate: BodyRate, late: () => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return;
  // Most bodies arrive with their headers, in this turn of the event loop, and then need no timer.
  setImmediate(() => {
    if (!request.complete && !request.destroyed) watch(request, rate, late);
  });
}

function watch(request: IncomingMessage, { grace, minimum }: BodyRate, late: () => void): void {
  const { socket } = request;
  const began = performance.now();
  const before = socket.bytesRead;
  const look = (): void => {
    if (request.complete || request.destroyed || socket.destroyed) return;
    const rest = began + grace + (socket.bytesRead - before) / minimum - performance.now();
    if (rest > 0) timer = setTimeout(look, Math.ceil(rest));
    else late();
  };
  let timer = setTimeout(look, grace);
  request.once('close', () => clearTimeout(timer));
}
