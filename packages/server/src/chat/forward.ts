import type { ServerResponse } from 'node:http';
import type { ChatReply, DeliveredAnswer, FileMessage, RequestChat } from './backend.ts';
import { idsIn } from './callPath.ts';
import { type Endpoint, parseFileMessage, registerQueue, sendMessage, uploadsLinkedIn } from '@engawa/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noteCaller, noteDelivered } from '../http/calls.ts';
import { type Log, nameOfCall } from '../log/log.ts';
import { strictHeadersFor } from '../http/headers.ts';
import { Heads, WholeResponse } from '../http/wholeResponse.ts';
import { keepAliveSeconds } from '../security/listener.ts';
import { addressOfClient, cameByHttps } from '../security/proxies.ts';
import type { SessionActivity } from './sessionActivity.ts';
import { sentContent } from './sentContent.ts';

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
    // No parser here: the chat server itself reads the body and limits its size.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/api/v1/*', async (request, reply) => {
      const caller = options.callerOf(request);
      reply.hijack();
      await forwardCall(request, reply, caller, options);
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
  raw.once('close', () => {
    // Only an unfinished response is aborted, because aborting is expensive.
    if (!raw.writableFinished) left.abort();
  });
  // When the session ends, a GET such as a poll is aborted, but a change is completed and answered.
  const over = request.method === 'GET' ? activity?.add(left) : undefined;
  let isDelivered = false;
  try {
    const { cookie: _, ...headers } = request.headers;
    const message = isCall(request, sendMessage) ? new MessageBody(request, options) : undefined;
    const answer = await options.request({
      method: request.method,
      url: request.url,
      headers: { ...headers, authorization },
      body: message?.read() ?? bodyOf(request),
      address: addressOfClient(request),
      memberId,
      signal: left.signal,
      onDelivery: (delivered) => {
        isDelivered = true;
        writeDelivered(raw, request, delivered);
      },
    });
    if (isDelivered) {
      // Its bytes are written already. This work comes after the bytes of all other recipients.
      noteDelivered(request);
      raw.end();
      return;
    }
    if (raw.headersSent) return;
    noteCaller(request, answer.memberId);
    if (message && answer.status === 200) await message.noteSent(answer);
    if (activity && answer.status === 200 && isCall(request, registerQueue)) noteQueue(answer, activity);
    write(raw, request, answer);
  } catch (error) {
    // A client that hangs up before the end of its body gets no answer, and that is no failure.
    if (raw.destroyed && !request.raw.complete) return;
    // Logged here, because Fastify handles no errors of a hijacked reply.
    log({ event: 'call_failed', call: nameOfCall(request), error });
    if (raw.headersSent) raw.destroy();
    else write(raw, request, { status: 500, headers: { 'Content-Type': 'application/json' }, body: internalError });
  } finally {
    over?.();
  }
}

const internalError = Buffer.from('{"result":"error","msg":"Internal server error","code":"INTERNAL"}\n');

function write(raw: ServerResponse, request: FastifyRequest, { status, headers, body }: ChatReply): void {
  const shown = request.headers.authorization === undefined ? withoutChallenge(headers) : headers;
  raw.writeHead(status, { ...shown, 'Content-Length': body.byteLength });
  // Many clients share these bytes, so they are not copied.
  raw.end(body);
  // The rest of the body is read and ignored, because the next request on the connection begins after it.
  request.raw.resume();
}

const heads = new Heads();

function writeDelivered(raw: ServerResponse, request: FastifyRequest, { headers, own, shared }: DeliveredAnswer): void {
  if (raw.destroyed) return;
  const strict = strictHeadersFor({ url: request.url, secure: cameByHttps(request) });
  const head = heads.of(strict, headers, own.length + shared.byteLength, keepAliveSeconds);
  if (raw instanceof WholeResponse && raw.writeWhole(head, own, shared)) return;
  write(raw, request, { status: 200, headers, body: Buffer.concat([Buffer.from(own, 'latin1'), shared]) });
}

/** Removes WWW-Authenticate, which makes a browser open its own password dialog. */
function withoutChallenge(headers: ChatReply['headers']): ChatReply['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'www-authenticate'));
}

async function* bodyOf({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  // The request stays open when the chat server stops reading a body that is too large, so that it can answer.
  yield* raw.iterator({ destroyOnReturn: false });
}

const isCall = (request: FastifyRequest, endpoint: Endpoint): boolean => idsIn(request, endpoint) !== undefined;

/** Notes a queue that the session registers, so that signing out can end it. The answer is long, so it is not parsed. */
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

  async *read(): AsyncGenerator<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bodyOf(this.#request)) {
      chunks.push(chunk);
      yield chunk;
    }
    const { url, headers } = this.#request;
    const content = await sentContent(url, Buffer.concat(chunks), headers['content-type'] ?? '');
    if (content === undefined || !(parseFileMessage(content) || uploadsLinkedIn(content).length > 0)) return;
    this.#fileMessage = content;
    await this.#options.fileMessages.expect(content);
  }

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
