import type { ServerResponse } from 'node:http';
import { type DeliveredBody, type ReadBody, errorAnswer, jsonHeaders } from '@engawa/chat-server/parts';
import type { ChatCall, ChatReply, FileMessage, RequestChat, Waiter } from './backend.ts';
import { idsIn } from './callPath.ts';
import { type Endpoint, parseFileMessage, registerQueue, sendMessage, uploadsLinkedIn } from '@engawa/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noteCaller } from '../http/calls.ts';
import { type Log, nameOfCall } from '../log/log.ts';
import { Heads, WholeResponse } from '../http/wholeResponse.ts';
import { keepAliveSeconds } from '../security/listener.ts';
import { addressOfClient } from '../security/proxies.ts';
import type { SessionActivity } from './sessionActivity.ts';
import { mayNameFile, sentContent } from './sentContent.ts';

export interface Caller {
  readonly authorization: string | undefined;
  readonly activity: SessionActivity | undefined;
  /** Of the session; undefined with an Authorization header. */
  readonly memberId: number | undefined;
}

export interface ForwardDependencies {
  readonly request: RequestChat;
  readonly callerOf: (request: FastifyRequest) => Caller;
  readonly fileMessages: {
    /** Runs before the chat server has the whole message. If it fails, the message is not sent. */
    readonly expect: (content: string) => Promise<void>;
    /** The caller, if the chat server's answer does not say who it is. */
    readonly senderOf: (request: FastifyRequest) => Promise<number>;
    /** Runs after a file message is sent; the sender's answer waits for it. */
    readonly note: (sent: FileMessage) => Promise<void>;
  };
  readonly log: Log;
}

export function forward(app: FastifyInstance, options: ForwardDependencies): void {
  void app.register(async (scope) => {
    // A hook instead of a handler: the chat server itself reads and limits the body, so Fastify need not prepare to parse it.
    scope.addHook('onRequest', (request, reply, _next) => {
      const caller = options.callerOf(request);
      reply.hijack();
      void forwardCall(request, reply, caller, options);
    });
    scope.all('/api/v1/*', () => {
      throw new TypeError('the hook forwards every call');
    });
  });
}

async function forwardCall(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { authorization, activity, memberId }: Caller,
  options: ForwardDependencies,
): Promise<void> {
  const { log } = options;
  const left = new AbortController();
  raw.on('close', () => {
    // Only an unfinished response is aborted, because aborting is expensive.
    if (!raw.writableFinished) left.abort();
  });
  // When the session ends, a GET such as a poll is aborted, but a change is completed and answered.
  const over = request.method === 'GET' ? activity?.add(left) : undefined;
  const waiter = new WaitingCall(request, raw, over, log);
  try {
    const message = isSend(request) ? new MessageBody(request, options) : undefined;
    const answer = await options.request({
      method: request.method,
      url: request.url,
      headers: headersFor(request, authorization),
      body: message?.read ?? bodyOf(request),
      address: addressOfClient(request),
      memberId,
      signal: left.signal,
      waiter,
      takesRest: true,
    });
    noteCaller(request, answer.memberId);
    if (answer.waits) {
      request.waits = true;
      return;
    }
    over?.();
    if (raw.headersSent) return;
    if (message && answer.status === 200) await message.noteSent(answer);
    if (activity && answer.status === 200 && isRegister(request)) noteQueue(answer, activity);
    write(raw, request, answer);
  } catch (error) {
    over?.();
    // A client that hangs up before the end of its body gets no answer, and that is no failure.
    if (raw.destroyed && !request.raw.complete) return;
    // Logged here, because Fastify handles no errors of a hijacked reply.
    log({ event: 'call_failed', call: nameOfCall(request), error });
    if (raw.headersSent) raw.destroy();
    else write(raw, request, { status: 500, headers: { 'Content-Type': 'application/json' }, body: internalError });
  }
}

/** All that is kept of a call while it waits for events. */
class WaitingCall implements Waiter {
  readonly #request: FastifyRequest;
  readonly #raw: ServerResponse;
  readonly #over: (() => void) | undefined;
  readonly #log: Log;
  /** Noted here, because a look at the request would slow each delivery. */
  readonly #hasBody: boolean;

  constructor(request: FastifyRequest, raw: ServerResponse, over: (() => void) | undefined, log: Log) {
    this.#request = request;
    this.#raw = raw;
    this.#over = over;
    this.#log = log;
    this.#hasBody = request.method !== 'HEAD';
  }

  deliver(body: DeliveredBody): void {
    writeDelivered(this.#raw, this.#request, body, this.#hasBody);
  }

  end(): void {
    this.#over?.();
    this.#raw.end();
  }

  fail(error: unknown): void {
    this.#over?.();
    const answer = errorAnswer(error, this.#log);
    if (!this.#raw.headersSent) write(this.#raw, this.#request, answer);
    // A part of another answer was written.
    else if (!this.#raw.writableEnded) this.#raw.destroy();
  }
}

/** Without the cookie, which the chat server must not receive. */
function headersFor({ headers: received }: FastifyRequest, authorization: string | undefined): ChatCall['headers'] {
  if (received.cookie === undefined && received.authorization === authorization) return received;
  const { cookie: _, ...headers } = received;
  return { ...headers, authorization };
}

const internalError = Buffer.from('{"result":"error","msg":"Internal server error","code":"INTERNAL"}\n');

function write(raw: ServerResponse, request: FastifyRequest, { status, headers, body, rest = [] }: ChatReply): void {
  const parts = [body, ...rest];
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (status !== 200 || !(raw instanceof WholeResponse) || !raw.writeParts(headOf(raw, headers, length), parts)) {
    const shown = request.headers.authorization === undefined ? withoutChallenge(headers) : headers;
    raw.writeHead(status, { ...shown, 'Content-Length': length });
    for (const part of parts) raw.write(part);
  }
  raw.end();
  // The rest of the body is read and ignored, because the next request on the connection begins after it.
  request.raw.resume();
}

const heads = new Heads();
/** The head of the last delivery. Its recipients share it, so the clock is read once per delivery. */
let delivery:
  | { readonly shared: Uint8Array; readonly usual: WholeResponse['usual']; readonly length: number; readonly head: string }
  | undefined;

function writeDelivered(raw: ServerResponse, request: FastifyRequest, delivered: DeliveredBody, hasBody: boolean): void {
  if (raw.destroyed || (hasBody && writeWhole(raw, delivered))) return;
  const { before, own, shared } = delivered;
  const body = Buffer.concat([Buffer.from(before + own, 'latin1'), shared]);
  write(raw, request, { status: 200, headers: jsonHeaders, body });
}

/** @returns whether the answer was written; `end` must follow. */
function writeWhole(raw: ServerResponse, body: DeliveredBody): boolean {
  if (!(raw instanceof WholeResponse)) return false;
  const { usual } = raw;
  const { before, own, shared } = body;
  const length = before.length + own.length + shared.byteLength;
  if (delivery?.shared !== shared || delivery.usual !== usual || delivery.length !== length) {
    delivery = { shared, usual, length, head: headOf(raw, jsonHeaders, length) };
  }
  return raw.writeWhole(delivery.head, body);
}

const headOf = (raw: WholeResponse, headers: ChatReply['headers'], length: number) =>
  heads.of(raw.usual, headers, length, keepAliveSeconds);

/** Removes WWW-Authenticate, which makes a browser open its own password dialog. */
function withoutChallenge(headers: ChatReply['headers']): ChatReply['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'www-authenticate'));
}

/** The request stays open if its body is too large, so that it can be answered. */
const bodyOf =
  ({ raw }: FastifyRequest): ReadBody =>
  (most) =>
    new Promise((resolve, reject) => {
      if (raw.destroyed) throw raw.errored ?? new Error('the client closed the connection');
      const chunks: Uint8Array[] = [];
      let length = 0;
      const take = (chunk: Uint8Array) => {
        chunks.push(chunk);
        length += chunk.byteLength;
        if (length <= most) return;
        raw.off('data', take).pause();
        // The request may stay open for long until its rest has arrived.
        chunks.length = 0;
        length = 0;
        resolve(undefined);
      };
      raw.on('data', take);
      raw.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)));
      raw.once('error', reject);
    });

/** @param endpoint without variables in its path. */
function callOf(endpoint: Endpoint): (request: FastifyRequest) => boolean {
  const usual = `/api/v1${endpoint.path}`;
  return (request) => request.method === endpoint.method && (request.url === usual || idsIn(request, endpoint) !== undefined);
}

const [isSend, isRegister] = [callOf(sendMessage), callOf(registerQueue)];

/** Notes a queue that the session registers, so that signing out can end it. The id comes before the `rest` of the answer. */
function noteQueue({ body }: ChatReply, activity: SessionActivity): void {
  const [, queueId] = /"queue_id":\s*"([^"\\]+)"/.exec(new TextDecoder('latin1').decode(body)) ?? [];
  if (queueId !== undefined) activity.addQueue(queueId);
}

function jsonOf({ body }: ChatReply): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

const sentMessage = z.object({ id: z.int() });

/** The body of a message to send, which may be one with a file. */
class MessageBody {
  readonly #request: FastifyRequest;
  readonly #options: ForwardDependencies;
  #fileMessage: string | undefined;

  constructor(request: FastifyRequest, options: ForwardDependencies) {
    this.#request = request;
    this.#options = options;
  }

  readonly read: ReadBody = async (most) => {
    const body = await bodyOf(this.#request)(most);
    const { url, headers } = this.#request;
    if (!body || !mayNameFile(url, body)) return body;
    const content = await sentContent(url, Buffer.from(body), headers['content-type'] ?? '');
    if (content !== undefined && (parseFileMessage(content) || uploadsLinkedIn(content).length > 0)) {
      this.#fileMessage = content;
      await this.#options.fileMessages.expect(content);
    }
    return body;
  };

  /** A failure is only logged, because the message is already sent and its sender's answer is success. */
  async noteSent(answer: ChatReply): Promise<void> {
    const content = this.#fileMessage;
    if (content === undefined) return;
    const { fileMessages, log } = this.#options;
    try {
      const { id } = sentMessage.parse(jsonOf(answer));
      const sender_id = answer.memberId ?? (await fileMessages.senderOf(this.#request));
      await fileMessages.note({ id, sender_id, content });
    } catch (error) {
      log({ event: 'sent_file_not_noted', error });
    }
  }
}
