import { Agent, type ClientRequest, type IncomingMessage, request as requestByHttp } from 'node:http';
import { Agent as SecureAgent, request as requestByHttps } from 'node:https';
import type { ZulipSettings } from '../../configuration.ts';
import { isCertificateFault } from './certificateFault.ts';

/** Milliseconds. */
const connectPatience = 5000;
/** Milliseconds; shorter than the idle time of the usual web servers, so that no call is sent into a connection that they close. */
const idleLife = 15_000;
/**
 * Bytes of one reply. The state of an organisation with 50,000 users has about 30 MiB, a subscription with 10,000 subscribers about
 * 70 KiB. 5,000 messages of 10,000 characters of Japanese have more, but no screen asks for them.
 */
export const mostReplyBytes = 64 * 1024 * 1024;

interface UpstreamCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Whether making the call twice has the effect of making it once. */
  readonly isRepeatable: boolean;
  /** Milliseconds until the whole reply must be there; for `open`, its headers. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

export interface UpstreamReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Why Zulip has given no reply. */
export type UpstreamFault = 'unreachable' | 'certificate' | 'slow' | 'cut-off' | 'too-large';

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly fault: UpstreamFault;

  constructor(fault: UpstreamFault, options?: ErrorOptions) {
    super(`no reply from ZULIP_SITE: ${fault}`, options);
    this.fault = fault;
  }
}

/** HTTP to the one Zulip server. */
export interface Upstream {
  /** @throws UpstreamError; the reason of the signal when it is aborted. */
  exchange(call: UpstreamCall): Promise<UpstreamReply>;
  /** The body is not read yet. @throws like `exchange`. */
  open(call: UpstreamCall): Promise<IncomingMessage>;
  close(): void;
}

export function createUpstream({ site, certificates }: ZulipSettings): Upstream {
  const { protocol, hostname, port } = new URL(site);
  const isSecure = protocol === 'https:';
  const options = { keepAlive: true, timeout: idleLife, scheduling: 'lifo' as const };
  const agent = isSecure ? new SecureAgent({ ...options, ...(certificates && { ca: certificates }) }) : new Agent(options);
  const begin = isSecure ? requestByHttps : requestByHttp;

  const send = ({ method, path, headers, body }: UpstreamCall): ClientRequest => {
    const length = method === 'GET' || method === 'HEAD' ? {} : { 'Content-Length': String(body?.byteLength ?? 0) };
    const host = hostname.replace(/^\[|\]$/g, '');
    const request = begin({ agent, host, port, method, path, headers: { ...headers, ...length } });
    limitConnecting(request, isSecure ? 'secureConnect' : 'connect');
    request.end(body);
    return request;
  };

  const attempt = async <Result>(call: UpstreamCall, take: (reply: IncomingMessage) => Promise<Result>): Promise<Result> => {
    const { signal, patience } = call;
    signal.throwIfAborted();
    const request = send(call);
    const abort = () => request.destroy();
    signal.addEventListener('abort', abort);
    let isBegun = false;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, patience);
    try {
      const reply = await replyOf(request);
      isBegun = true;
      return await take(reply);
    } catch (error) {
      signal.throwIfAborted();
      if (isLate) throw new UpstreamError('slow');
      // Zulip may have closed the kept connection just before, without having read the call.
      if (request.reusedSocket && !isBegun && call.isRepeatable && !(error instanceof UpstreamError)) {
        return await attempt(call, take);
      }
      throw upstreamError(error, isBegun);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };

  return {
    exchange: (call) => attempt(call, read),
    open: (call) =>
      attempt(call, async (reply) => {
        // Its end is not known, but each part of it must arrive in time.
        reply.setTimeout(call.patience, () => reply.destroy(new UpstreamError('slow')));
        return reply;
      }),
    close: () => agent.destroy(),
  };
}

function replyOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // `on`, because a request that is destroyed may report a second error.
    request.on('error', reject);
  });
}

/** A machine that is switched off answers nothing at all, so that connecting to it would take minutes. */
function limitConnecting(request: ClientRequest, connected: 'connect' | 'secureConnect'): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => request.destroy(new UpstreamError('unreachable')), connectPatience);
    socket.once(connected, () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
}

async function read(reply: IncomingMessage): Promise<UpstreamReply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply) {
    const bytes: Buffer = chunk;
    size += bytes.byteLength;
    // Leaving the loop ends the connection.
    if (size > mostReplyBytes) throw new UpstreamError('too-large');
    chunks.push(bytes);
  }
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks, size) };
}

function upstreamError(error: unknown, isBegun: boolean): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (isCertificateFault(error)) return new UpstreamError('certificate', { cause: error });
  return new UpstreamError(isBegun ? 'cut-off' : 'unreachable', { cause: error });
}
