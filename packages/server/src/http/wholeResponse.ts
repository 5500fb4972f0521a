import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * A response whose head and body can be written to the connection at once, which is faster than `writeHead` with `end`. Node still
 * reads the next request after this answer.
 */
export class WholeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * Headers of every answer that has no own ones of these names. They are set with the head: a poll waits long, and its answer is
   * written by `writeWhole`, whose head is complete.
   */
  usual: Headers = {};

  override writeHead(status: number, message?: string | GivenHeaders, headers?: GivenHeaders): this {
    for (const [name, value] of Object.entries(this.usual)) if (!this.hasHeader(name)) this.setHeader(name, value);
    return typeof message === 'string' ? super.writeHead(status, message, headers) : super.writeHead(status, message);
  }

  /**
   * Writes the head and a body, which is `own` and then `shared`. `end` must follow before the connection's next event.
   * @returns whether the bytes were written: not if an earlier answer comes first, or the head must say that the connection ends.
   */
  writeWhole(head: string, own: string, shared: Uint8Array): boolean {
    const { socket } = this;
    // Node gives a response its connection when all earlier answers on it are written.
    if (!socket || !this.shouldKeepAlive || this.req.method === 'HEAD' || this.headersSent) return false;
    // Node then writes no other head.
    Object.assign(this, { _header: head, _headerSent: true });
    socket.write(bytesOf(head, own, shared));
    // A connection that has not taken all bytes still needs them.
    if (socket.writableLength > 0) written = undefined;
    return true;
  }
}

/** The bytes of the last answer. Those of the next recipient of the same events differ only in `own`. */
let written: { readonly head: string; readonly own: number; readonly shared: Uint8Array; readonly bytes: Buffer } | undefined;

function bytesOf(head: string, own: string, shared: Uint8Array): Buffer {
  if (written?.head !== head || written.shared !== shared || written.own !== own.length) {
    const bytes = Buffer.concat([Buffer.from(head + own, 'latin1'), shared]);
    written = { head, own: own.length, shared, bytes };
  }
  const { bytes } = written;
  // For so few bytes this is faster than `write`.
  for (let at = 0; at < own.length; at += 1) bytes[head.length + at] = own.charCodeAt(at);
  return bytes;
}

type Headers = Readonly<Record<string, string>>;
type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Writes heads of answers with status 200 on connections that stay open. Answers to one event have the same head, made once. */
export class Heads {
  #made: { readonly strict: Headers; readonly headers: Headers; readonly length: number; readonly second: number } | undefined;
  #head = '';
  #strictLines = '';
  #date = '';

  /** @param keepAlive seconds. */
  of(strict: Headers, headers: Headers, length: number, keepAlive: number): string {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    const made = this.#made;
    if (made?.strict === strict && made.headers === headers && made.length === length && made.second === second)
      return this.#head;
    if (made?.strict !== strict) this.#strictLines = linesOf(strict);
    if (made?.second !== second) this.#date = new Date(now).toUTCString();
    this.#made = { strict, headers, length, second };
    this.#head =
      `HTTP/1.1 200 OK\r\n${this.#strictLines}${linesOf(headers)}Content-Length: ${length}\r\n` +
      `Date: ${this.#date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}\r\n\r\n`;
    return this.#head;
  }
}

function linesOf(headers: Headers): string {
  let lines = '';
  for (const [name, value] of Object.entries(headers)) lines += `${name}: ${value}\r\n`;
  return lines;
}
