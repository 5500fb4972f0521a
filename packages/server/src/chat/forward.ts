import type { ServerResponse } from 'node:http';
import type { ChatAnswer, ChatFetch } from '@engawa/chat-server';
import { fileMarker, sendMessage } from '@engawa/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { sentContent } from './sentContent.ts';

export interface ForwardOptions {
  readonly chat: ChatFetch;
  /** The Authorization header that a request is forwarded with. */
  readonly authorizationOf: (request: FastifyRequest) => string | undefined;
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
      reply.hijack();
      await exchange(request, reply, options);
    });
  });
}

async function exchange(request: FastifyRequest, { raw }: FastifyReply, options: ForwardOptions): Promise<void> {
  const { chat, authorizationOf, log } = options;
  const left = new AbortController();
  raw.once('close', () => left.abort());
  try {
    const authorization = authorizationOf(request);
    const { cookie: _, ...headers } = request.headers;
    const kept: Uint8Array[] | undefined = isSend(request) ? [] : undefined;
    const answer = await chat({
      method: request.method,
      url: request.url,
      headers: { ...headers, authorization },
      body: bodyOf(request, kept),
      signal: left.signal,
    });
    if (kept && authorization !== undefined && answer.status === 200) {
      await tellOfFile(Buffer.concat(kept), request, answer, authorization, options);
    }
    write(raw, request, answer);
  } catch (error) {
    // The reply is ours alone since it was hijacked, so nobody else would answer.
    log({ event: 'call failed', call: `${request.method} ${request.url}`, error });
    if (raw.headersSent) raw.destroy();
    else write(raw, request, { status: 500, headers: { 'Content-Type': 'application/json' }, body: internalError });
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

function isSend({ method, url }: FastifyRequest): boolean {
  return method === 'POST' && /^\/+api\/+v1\/+messages\/*(?:\?|$)/.test(url);
}

/** The message is sent already, so its sender is told so whatever becomes of this. */
async function tellOfFile(
  body: Buffer,
  request: FastifyRequest,
  answer: ChatAnswer,
  authorization: string,
  { noteSend, log }: ForwardOptions,
): Promise<void> {
  if (!body.includes(fileMarker)) return;
  try {
    const content = await sentContent(body, request.headers['content-type'] ?? '');
    const sent = sendMessage.answer.safeParse(JSON.parse(new TextDecoder().decode(answer.body)));
    if (content !== undefined && sent.success) await noteSend({ authorization, content, messageId: sent.data.id });
  } catch (error) {
    log({ event: 'a sent file was not noted', error });
  }
}
