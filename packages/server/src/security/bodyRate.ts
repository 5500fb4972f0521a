import type { IncomingMessage } from 'node:http';

export interface BodyRate {
  /** Milliseconds that every body has. */
  readonly grace: number;
  /** Bytes that it must bring in each millisecond beyond them. */
  readonly minimum: number;
}

/** Half a megabit in a second, which a telephone in a train still has. */
export const defaultBodyRate: BodyRate = { grace: 60_000, minimum: 62.5 };

/**
 * Bounds how slowly a request's body may come, whatever length it says: whoever holds a connection has to send. What is
 * small has a minute; a file of 100 MB that comes fast enough has its half hour.
 * @param late is called once when it falls behind.
 */
export function enforceBodyRate(request: IncomingMessage, { grace, minimum }: BodyRate, late: () => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return;
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
