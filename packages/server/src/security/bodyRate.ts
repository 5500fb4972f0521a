import type { IncomingMessage } from 'node:http';

export interface BodyRate {
  /** Milliseconds. */
  readonly grace: number;
  /** Bytes per millisecond after the grace time. */
  readonly minimum: number;
}

/** Half a megabit per second, which a phone in a train still reaches. 100 MB at this rate take half an hour. */
export const defaultBodyRate: BodyRate = { grace: 60_000, minimum: 62.5 };

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
