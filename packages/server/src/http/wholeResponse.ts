import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DeliveredBody } from '@engawa/chat-server/parts';

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
  /** Node's own fields: the written head, and whether it was sent. */
  declare protected _header: string | null;
  declare protected _headerSent: boolean;

  override writeHead(status: number, message?: string | GivenHeaders, headers?: GivenHeaders): this {
    for (const [name, value] of Object.entries(this.usual)) if (!this.hasHeader(name)) this.setHeader(name, value);
    return typeof message === 'string' ? super.writeHead(status, message, headers) : super.writeHead(status, message);
  }

  /**
   * Writes the head and the body, so it is not for HEAD. `end` must follow before the connection's next event.
   * @returns whether the bytes were written: not if an earlier answer comes first, or the head must say that the connection ends.
   */
  writeWhole(head: string, body: DeliveredBody): boolean {
    const socket = this.#begin(head);
    if (!socket) return false;
    socket.write(bytesOf(head, body));
    // A connection that has not taken all bytes still needs them.
    if (socket.writableLength > 0) written = undefined;
    return true;
  }

  /**
   * Like `writeWhole`, for a body in parts, which others may share. The head and short parts are copied to one place in memory that
   * most answers use again, because memory that is allocated for each answer is freed only by a garbage collection.
   */
  writeParts(head: string, parts: readonly Uint8Array[]): boolean {
    const socket = this.req.method === 'HEAD' ? undefined : this.#begin(head);
    if (!socket) return false;
    const pieces = joined(head, parts);
    // Several pieces are given to the system in one call. `uncork` without `cork` would end the cork of another writer.
    if (pieces.length > 1) socket.cork();
    for (const piece of pieces) socket.write(piece);
    if (pieces.length > 1) socket.uncork();
    if (socket.writableLength > 0 && pieces[0]?.buffer === room?.buffer) room = undefined;
    return true;
  }

  #begin(head: string): Socket | undefined {
    const { socket } = this;
    // Node gives a response its connection when all earlier answers on it are written.
    if (!socket || !this.shouldKeepAlive || this.headersSent) return undefined;
    // Node then writes no other head.
    this._header = head;
    this._headerSent = true;
    return socket;
  }
}

/** Bytes. Copying a shorter part is cheaper than writing it separately. */
const leastWritten = 16 * 1024;

/** Memory for the head and the short parts, used again by the next answer. */
let room: Buffer | undefined;
const roomBytes = 64 * 1024;

/** The head and the parts, of which consecutive short ones are one piece. */
function joined(head: string, parts: readonly Uint8Array[]): Uint8Array[] {
  const short = parts.reduce((sum, { byteLength: length }) => sum + (length < leastWritten ? length : 0), head.length);
  // A long answer may stay in the connection, and would keep all of the shared memory.
  const isShared = short <= roomBytes && parts.every(({ byteLength }) => byteLength < leastWritten);
  const bytes = isShared ? (room ??= Buffer.allocUnsafeSlow(roomBytes)) : Buffer.allocUnsafeSlow(short);
  const pieces: Uint8Array[] = [];
  let [began, at] = [0, bytes.write(head, 'latin1')];
  for (const part of parts) {
    if (part.byteLength < leastWritten) {
      bytes.set(part, at);
      at += part.byteLength;
    } else {
      if (at > began) pieces.push(bytes.subarray(began, at));
      pieces.push(part);
      began = at;
    }
  }
  if (at > began) pieces.push(bytes.subarray(began, at));
  return pieces;
}

/** The bytes of the last answer. Those of the next recipient of the same events differ only in `own`. */
let written: { readonly head: string; readonly body: DeliveredBody; readonly bytes: Buffer } | undefined;

function bytesOf(head: string, body: DeliveredBody): Buffer {
  const { before, own, shared } = body;
  if (
    written?.head !== head ||
    written.body.shared !== shared ||
    written.body.before !== before ||
    written.body.own.length !== own.length
  ) {
    written = { head, body, bytes: Buffer.concat([Buffer.from(head + before + own, 'latin1'), shared]) };
  }
  const { bytes } = written;
  const start = head.length + before.length;
  // For so few bytes this is faster than `write`.
  for (let at = 0; at < own.length; at += 1) bytes[start + at] = own.charCodeAt(at);
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
