import type { ServerResponse } from 'node:http';
import type { ChatAnswer, ChatFetch } from '@engawa/chat-server';
import { type Endpoint, parseFileMessage, registerQueue, sendMessage } from '@engawa/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noteCaller } from '../http/calls.ts';
import { type Log, nameOfCall } from '../log.ts';
import { addressOfClient } from '../security/proxies.ts';
import type { Caller } from '../sessions/member.ts';
import type { UnderWay } from './sessionActivity.ts';
import { sentContent } from './sentContent.ts';

export interface ForwardOptions {
  readonly chat: ChatFetch;
  /** Whose authorization a request is forwarded with. @throws RefusedError */
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** Hears of each message that was sent and looks like a file message, before its sender is answered. */
  readonly noteSend: (sent: SentMessage) => Promise<void>;
  readonly log: Log;
}

export interface SentMessage {
  /** The sender's. */
  readonly authorization: string;
  readonly content: string;
  readonly messageId: number;
}

/** Everything below /api/v1/ goes to the chat server as it comes, and its answer goes back as it is. */
export function forward(app: FastifyInstance, options: ForwardOptions): void {
  void app.register(async (scope) => {
    // The body is the chat server's to read and to limit.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/api/v1/*', async (request, reply) => {
      const caller = options.callerOf(request);
      reply.hijack();
      await exchange(request, reply, caller, options);
    });
  });
}

async function exchange(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { authorization, underWay }: Caller,
  options: ForwardOptions,
): Promise<void> {
  const { chat, log } = options;
  const left = new AbortController();
  raw.once('close', () => {
    // Who was answered has not left; an abort costs as much as all the rest of a short answer.
    if (!raw.writableFinished) left.abort();
  });
  // Who only asks has nobody to answer to once the session is over; a change is carried out and answered.
  const over = request.method === 'GET' ? underWay?.add(left) : undefined;
  try {
    const { cookie: _, ...headers } = request.headers;
    const kept: Uint8Array[] | undefined = isCall(request, sendMessage) ? [] : undefined;
    const answer = await chat({
      method: request.method,
      url: request.url,
      headers: { ...headers, authorization },
      body: bodyOf(request, kept),
      address: addressOfClient(request),
      signal: left.signal,
    });
    noteCaller(request, answer.memberId);
    if (kept && authorization !== undefined && answer.status === 200) {
      await tellOfFile(Buffer.concat(kept), request, answer, authorization, options);
    }
    if (underWay && answer.status === 200 && isCall(request, registerQueue)) noteQueue(answer, underWay);
    write(raw, request, answer);
  } catch (error) {
    // Who hangs up before the body's end is told nothing, and it is no fault.
    if (raw.destroyed && !request.raw.complete) return;
    // The reply is ours alone since it was hijacked, so nobody else would answer.
    log({ event: 'call failed', call: nameOfCall(request), error });
    if (raw.headersSent) raw.destroy();
    else write(raw, request, { status: 500, headers: { 'Content-Type': 'application/json' }, body: internalError });
  } finally {
    over?.();
  }
}

const internalError = Buffer.from('{"result":"error","msg":"Internal server error","code":"INTERNAL"}\n');

function write(raw: ServerResponse, request: FastifyRequest, { status, headers, body }: ChatAnswer): void {
  raw.writeHead(status, {
    ...(request.headers.authorization === undefined ? withoutChallenge(headers) : headers),
    'Content-Length': body.byteLength,
  });
  // The same bytes are given to many, so they are written as they are.
  raw.end(body);
  // Whatever the chat server left unread is let go, so that the connection stays in step.
  request.raw.resume();
}

/** A browser that is challenged opens its own dialog over the screens; who sent no credentials may be one. */
function withoutChallenge(headers: ChatAnswer['headers']): ChatAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'www-authenticate'));
}

/** @param kept receives a copy of what was read. */
async function* bodyOf({ raw }: FastifyRequest, kept: Uint8Array[] | undefined): AsyncGenerator<Uint8Array> {
  // A chat server that stops reading (a body too large) must still be able to answer on this connection.
  const chunks: AsyncIterable<Uint8Array> = raw.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    kept?.push(chunk);
    yield chunk;
  }
}

function isCall({ method, url }: FastifyRequest, endpoint: Endpoint): boolean {
  if (method !== endpoint.method) return false;
  const path = url
    .split('?', 1)
    .join('')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  return path === `/api/v1${endpoint.path}`;
}

const registered = z.object({ queue_id: z.string() });

/** Signing out ends the queues of the session (R2.1). */
function noteQueue(answer: ChatAnswer, underWay: UnderWay): void {
  const { success, data } = registered.safeParse(jsonOf(answer));
  if (success) underWay.addQueue(data.queue_id);
}

function jsonOf({ body }: ChatAnswer): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

/** The message is sent already, so its sender is told so whatever becomes of this. */
async function tellOfFile(
  body: Buffer,
  request: FastifyRequest,
  answer: ChatAnswer,
  authorization: string,
  { noteSend, log }: ForwardOptions,
): Promise<void> {
  try {
    const content = await sentContent(request.url, body, request.headers['content-type'] ?? '');
    if (content === undefined || !parseFileMessage(content)) return;
    const sent = sendMessage.answer.safeParse(jsonOf(answer));
    if (sent.success) await noteSend({ authorization, content, messageId: sent.data.id });
  } catch (error) {
    log({ event: 'a sent file was not noted', error });
  }
}
