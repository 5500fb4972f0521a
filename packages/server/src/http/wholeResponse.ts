import { type IncomingMessage, ServerResponse } from 'node:http';

/**
 * A response that can be ended with the bytes of its head and body in one buffer, which is faster than `writeHead` with `end`. Node
 * still keeps the order of answers on the connection, and reads the next request after this answer.
 */
export class WholeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** @returns whether the bytes were written: not if the head must say that the connection ends. */
  endWhole(head: string, body: Uint8Array): boolean {
    if (!this.shouldKeepAlive || this.req.method === 'HEAD' || this.headersSent || this.destroyed) return false;
    const bytes = Buffer.allocUnsafe(head.length + body.byteLength);
    bytes.write(head, 'latin1');
    bytes.set(body, head.length);
    // Node then writes no head of its own.
    Object.assign(this, { _header: head, _headerSent: true });
    this.end(bytes);
    return true;
  }
}

type Headers = Readonly<Record<string, string>>;

/** Writes heads of answers with status 200 on connections that stay open. Answers to one event have the same head, made once. */
export class Heads {
  #made: { readonly strict: Headers; readonly headers: Headers; readonly length: number; readonly second: number } | undefined;
  #head = '';

  /** @param keepAlive seconds. */
  of(strict: Headers, headers: Headers, length: number, keepAlive: number): string {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    const made = this.#made;
    if (made?.strict === strict && made.headers === headers && made.length === length && made.second === second)
      return this.#head;
    const lines = Object.entries({
      ...strict,
      ...headers,
      'Content-Length': String(length),
      Date: new Date(now).toUTCString(),
      Connection: 'keep-alive',
      'Keep-Alive': `timeout=${keepAlive}`,
    });
    this.#made = { strict, headers, length, second };
    this.#head = ['HTTP/1.1 200 OK', ...lines.map((line) => line.join(': ')), '', ''].join('\r\n');
    return this.#head;
  }
}
